import { useQuery } from '@tanstack/react-query'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { DateTimeField } from '#console/ui/form/DateTimeField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NumberField } from '#console/ui/form/NumberField.tsx'
import { PickField } from '#console/ui/form/PickField.tsx'
import { SelectField, type Option } from '#console/ui/form/SelectField.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import {
  alertIntervals,
  intervalMinutes,
  rangeThresholdTypes,
  thresholdTypes,
  thresholdWords,
} from '#contract/alerts.ts'
import { dashboards } from '#contract/dashboards.ts'
import { fieldTitles, type AlertForm } from './alertForm.ts'
import { ChannelsField } from './ChannelsField.tsx'
import { dashboardOptions, neverEvaluated, tileOptions } from './tileOptions.ts'
import { intervalWords } from './words.ts'

interface FieldsProps {
  form: UseFormReturn<AlertForm>
}

const sourceOptions: Option[] = [
  { value: 'tile', label: 'A dashboard tile' },
  { value: 'saved_search', label: 'A saved search' },
]

const thresholdOptions: Option[] = thresholdTypes.map((type) => ({ value: type, label: thresholdWords[type] }))
const intervalOptions: Option[] = alertIntervals.map((value) => ({ value, label: intervalWords(value) }))

/** Every field of an alert, shared by create and edit. */
export function AlertFields({ form }: FieldsProps) {
  const { control } = form
  return (
    <>
      <Panel title="What is watched">
        <FieldGrid>
          <TextField
            control={control}
            name="name"
            label={fieldTitles.name}
            maxLength={512}
            placeholder="Named by the deployment when empty"
            help="Title of the notification. Handlebars work: {{value}}, {{group}}."
          />
          <SelectField
            control={control}
            name="source"
            label={fieldTitles.source}
            options={sourceOptions}
            freeText
            onPick={(source) => clearOtherSource(form, source)}
          />
          <Watched form={form} />
        </FieldGrid>
        <TileWarning form={form} />
      </Panel>
      <Panel title="When it fires">
        <Condition form={form} />
      </Panel>
      <Panel title="Who is told">
        <FieldGrid>
          <ChannelsField control={control} />
          <TextField
            control={control}
            name="message"
            label={fieldTitles.message}
            lines={4}
            maxLength={4096}
            help="Text of the notification. Handlebars work."
          />
          <TextField
            control={control}
            name="note"
            label={fieldTitles.note}
            lines={4}
            maxLength={4096}
            help="For colleagues, in Markdown. It is shown with the alert and never sent."
          />
        </FieldGrid>
      </Panel>
      <Panel title="Schedule" aside="optional">
        <Schedule form={form} />
      </Panel>
    </>
  )
}

/** A tile alert has no saved search, and the other way round: what would be left over goes with the choice. */
function clearOtherSource(form: UseFormReturn<AlertForm>, source: string): void {
  const left = source === 'tile' ? (['savedSearchId', 'groupBy'] as const) : (['dashboardId', 'tileId'] as const)
  for (const field of left) form.setValue(field, '', { shouldDirty: true })
}

function Watched({ form }: FieldsProps) {
  const { control } = form
  const connection = useConnection()
  const source = useWatch({ control, name: 'source' })
  const dashboardId = useWatch({ control, name: 'dashboardId' })
  const { data, isPending, isError } = useQuery(q(connection.id, dashboards.list, {}))
  if (source === 'saved_search') {
    return (
      <>
        <TextField
          control={control}
          name="savedSearchId"
          label="Saved search id"
          required
          mono
          help="The API does not list saved searches: copy the id from the search's address."
        />
        <TextField
          control={control}
          name="groupBy"
          label={fieldTitles.groupBy}
          mono
          placeholder="ServiceName"
          help="SQL expressions. Each group is evaluated and notified by itself."
        />
      </>
    )
  }
  const unread = isError ? 'The dashboards could not be read: paste the id.' : undefined
  return (
    <>
      <PickField
        control={control}
        name="dashboardId"
        label={fieldTitles.dashboardId}
        required={source === 'tile'}
        options={dashboardOptions(data ?? [])}
        loading={isPending}
        placeholder="Choose a dashboard"
        help={unread}
        onPick={() => form.setValue('tileId', '', { shouldDirty: true })}
      />
      <PickField
        control={control}
        name="tileId"
        label={fieldTitles.tileId}
        required={source === 'tile'}
        options={tileOptions(data?.find((one) => one.id === dashboardId))}
        loading={isPending}
        placeholder="Choose a tile"
        emptyText={dashboardId ? 'This dashboard has no tile to watch' : 'Choose the dashboard first'}
        help={unread}
      />
    </>
  )
}

function TileWarning({ form: { control } }: FieldsProps) {
  const connection = useConnection()
  const [source, dashboardId, tileId] = useWatch({ control, name: ['source', 'dashboardId', 'tileId'] })
  const { data } = useQuery(q(connection.id, dashboards.list, {}))
  if (source !== 'tile') return null
  const board = data?.find((one) => one.id === dashboardId)
  const warning = neverEvaluated(board?.tiles.find((one) => one.id === tileId))
  if (!warning) return null
  return (
    <Notice tone="warning" role="status">
      {warning}
    </Notice>
  )
}

function Condition({ form: { control } }: FieldsProps) {
  const type = useWatch({ control, name: 'thresholdType' })
  const range = rangeThresholdTypes.includes(type)
  return (
    <FieldGrid columns={3}>
      <SelectField
        control={control}
        name="thresholdType"
        label={fieldTitles.thresholdType}
        options={thresholdOptions}
        freeText
        required
      />
      <NumberField
        control={control}
        name="threshold"
        label={range ? 'Lower threshold' : fieldTitles.threshold}
        required
      />
      {range && <NumberField control={control} name="thresholdMax" label={fieldTitles.thresholdMax} required />}
      <SelectField
        control={control}
        name="interval"
        label={fieldTitles.interval}
        options={intervalOptions}
        freeText
        required
        help="Length of one window, and how often it is looked at."
      />
      <NumberField
        control={control}
        name="numConsecutiveWindows"
        label={fieldTitles.numConsecutiveWindows}
        placeholder="1"
        help="Pending until this many windows in a row are over the threshold."
      />
    </FieldGrid>
  )
}

function Schedule({ form }: FieldsProps) {
  const { control } = form
  const [interval, startAt] = useWatch({ control, name: ['interval', 'scheduleStartAt'] })
  const minutes = intervalMinutes(interval)
  return (
    <FieldGrid>
      <NumberField
        control={control}
        name="scheduleOffsetMinutes"
        label={fieldTitles.scheduleOffsetMinutes}
        unit="min"
        placeholder="0"
        disabled={startAt ? 'Windows are counted from the schedule start.' : undefined}
        help={`Moves the windows. Less than the interval${minutes ? `: at most ${Math.max(0, Math.ceil(minutes) - 1)}` : ''}.`}
      />
      <DateTimeField
        control={control}
        name="scheduleStartAt"
        label={fieldTitles.scheduleStartAt}
        help="Windows are counted from here, and nothing runs before it."
        onPick={(start) => start && form.setValue('scheduleOffsetMinutes', null, { shouldDirty: true })}
      />
    </FieldGrid>
  )
}
