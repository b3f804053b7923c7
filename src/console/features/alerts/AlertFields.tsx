import { chosenZone } from '#console/shell/browserSettings.ts'
import { useQuery } from '@tanstack/react-query'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { DateTimeField } from '#console/ui/form/fields/DateTimeField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { SelectField, type Option } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import {
  alertIntervals,
  alerts,
  intervalMinutes,
  rangeThresholdTypes,
  thresholdTypes,
  thresholdLabels,
} from '#contract/stack/alerts.ts'
import { hasUnit, unitName, unitNames } from '#domain/charts/unitNames.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import { useWatchedUnit } from '#console/charting/watched/useWatchedUnit.ts'
import { type AlertForm, fieldTitles } from './formFields.ts'
import { ChannelsField } from './ChannelsField.tsx'
import { QueryFields } from './QueryFields.tsx'
import { formatInterval } from './alertLabels.ts'

interface FieldsProps {
  form: UseFormReturn<AlertForm>
}

const thresholdOptions: Option[] = thresholdTypes.map((type) => ({ value: type, label: thresholdLabels[type] }))
const intervalOptions: Option[] = alertIntervals.map((value) => ({ value, label: formatInterval(value) }))

/** The fields of an alert, shared by create and edit. */
export function AlertFields({ form }: FieldsProps) {
  const { control } = form
  const repeats = useKnowsRepeatInterval()
  return (
    <>
      <Panel title="Query">
        <QueryFields form={form} />
      </Panel>
      <Panel title="Condition">
        <Condition form={form} />
      </Panel>
      <Panel title="Notifications">
        <FieldGrid>
          <ChannelsField control={control} />
          {repeats && (
            <NumberField
              control={control}
              name="renotifyIntervalMinutes"
              label={fieldTitles.renotifyIntervalMinutes}
              unit="min"
              placeholder="None"
              help="Sends the notification again after this time for as long as the alert fires. Without one, only changes are sent."
            />
          )}
          <TextField
            control={control}
            name="message"
            label={fieldTitles.message}
            lines={4}
            maxLength={4096}
            help="Text of the notification. Handlebars templates are supported."
          />
          <TextField
            control={control}
            name="note"
            label={fieldTitles.note}
            lines={4}
            maxLength={4096}
            help="Markdown, shown on the page of the alert. Not part of the notification."
          />
        </FieldGrid>
      </Panel>
      <Panel title="Schedule" aside="optional">
        <Schedule form={form} />
      </Panel>
    </>
  )
}

/** Whether the deployment has the field: it is in the alerts that it lists. */
function useKnowsRepeatInterval(): boolean {
  const { id } = useConnection()
  const { data = [] } = useQuery(q(id, alerts.list, {}))
  return data.some((alert) => alert.renotifyIntervalMinutes !== undefined)
}

function Condition({ form: { control } }: FieldsProps) {
  const type = useWatch({ control, name: 'thresholdType' })
  const range = rangeThresholdTypes.includes(type)
  const [source, dashboardId, tileId, threshold, thresholdMax] = useWatch({
    control,
    name: ['source', 'dashboardId', 'tileId', 'threshold', 'thresholdMax'],
  })
  const unit = useWatchedUnit(useConnection(), { source, dashboardId, tileId })
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
        help={unitHelp(threshold, unit)}
        required
      />
      {range && (
        <NumberField
          control={control}
          name="thresholdMax"
          label={fieldTitles.thresholdMax}
          help={unitHelp(thresholdMax, unit)}
          required
        />
      )}
      <SelectField
        control={control}
        name="interval"
        label={fieldTitles.interval}
        options={intervalOptions}
        freeText
        required
        help="Length of a window, and how often the alert is evaluated."
      />
      <NumberField
        control={control}
        name="numConsecutiveWindows"
        label={fieldTitles.numConsecutiveWindows}
        placeholder="1"
        help="Pending until the threshold is violated in this many consecutive windows."
      />
    </FieldGrid>
  )
}

/** `In nanoseconds: 500 ms`; nothing for plain numbers. */
function unitHelp(value: number | null, unit: Unit): string | undefined {
  if (!hasUnit(unit)) return undefined
  const known = Object.entries(unitNames)
    .find(([name]) => name === unit)?.[1]
    .replace(/ \(.*/, '')
    .toLowerCase()
  const isNumber = value !== null && Number.isFinite(value)
  return `In ${known ?? unitName(unit)}${isNumber ? `: ${formatValue(value, unit)}` : ''}`
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
        disabled={startAt ? 'Not available with a schedule start.' : undefined}
        help={`Delays each window. Must be less than the interval${minutes ? `: at most ${Math.max(0, Math.ceil(minutes) - 1)} min` : ''}.`}
      />
      <DateTimeField
        zone={chosenZone()}
        control={control}
        name="scheduleStartAt"
        label={fieldTitles.scheduleStartAt}
        help="The first window starts at this time."
        onPick={(start) => start && form.setValue('scheduleOffsetMinutes', null, { shouldDirty: true })}
      />
    </FieldGrid>
  )
}
