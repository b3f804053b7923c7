import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useController, useFieldArray, useWatch, type Control } from 'react-hook-form'
import { z } from 'zod'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { serviceReads, serviceResource } from './model/serviceResource.ts'
import { call } from '#console/api/call.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import {
  maxScheduleEntries,
  scalingScheduleInput,
  serviceSchedules,
  type ScalingSchedule,
} from '#contract/cloud/services/serviceSchedule.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import { PartForm } from './parts/PartForm.tsx'
import { PartLoader } from './parts/PartLoader.tsx'
import { useServicePart, type PartModel } from './parts/servicePart.ts'
import { serviceName } from './model/serviceLabels.ts'
import {
  formatEntries,
  hourOptions,
  newEntry,
  readEntries,
  scheduleBody,
  scheduleProblems,
  weekdayNames,
  type ScheduleForm,
} from './schedule/scheduleForm.ts'
import { UpgradeWindowPanel } from './schedule/UpgradeWindow.tsx'
import { WeekGrid } from './schedule/WeekGrid.tsx'
import * as css from './services.module.css'

export { serviceReads as reads }

export default function ServiceSchedulePage() {
  return (
    <ResourceLoader resource={serviceResource} title="Schedule" nav={<ServiceTabs />}>
      {(service) => <Schedule service={service} />}
    </ResourceLoader>
  )
}

/** When a service has another size, and when it may be upgraded. */
function Schedule({ service }: { service: Service }) {
  const connection = useConnection()
  const params = { serviceId: service.id }
  const read = useQuery(q(connection.id, serviceSchedules.get, { params }))
  return (
    <Page
      title={`Schedule of ${serviceName(service)}`}
      lead="Sizes that the service has at set hours of the week, and when it may be upgraded. Times are in UTC."
      nav={<ServiceTabs />}
    >
      <div className={css.schedule}>
        <Notice tone="info">
          A local stack is one process: it keeps and reports a schedule, but its own size does not change.
        </Notice>
        <PartLoader title="Scaling schedule" read={read} mayBeUnset height={320}>
          {(stored) => <Entries serviceId={service.id} stored={stored} />}
        </PartLoader>
        {service.isPrimary !== false && <UpgradeWindowPanel serviceId={service.id} />}
      </div>
    </Page>
  )
}

const model: PartModel<ScalingSchedule, ScheduleForm> = {
  noun: 'scaling schedule',
  endpoint: serviceSchedules.get,
  titles: { entries: 'Entries' },
  read: (schedule) => ({ entries: readEntries(schedule?.entries ?? []) }),
  // The page lists all problems at once: each is about a whole entry, or about several.
  schema: z.custom<ScheduleForm>().refine(({ entries }) => scheduleProblems(entries).length === 0),
  formatValue: (_, form) => formatEntries(form),
}

function Entries({ serviceId, stored }: { serviceId: string; stored: ScalingSchedule | null }) {
  const connection = useConnection()
  const part = useServicePart({
    model,
    serviceId,
    stored,
    write: async (form, base) => {
      const body = scalingScheduleInput.parse(scheduleBody(form))
      const input = { params: { serviceId }, body }
      const schedule = await call(connection.id, serviceSchedules.replace, input, base ? { base } : {})
      return body.entries.length > 0 ? schedule : null
    },
  })
  const { control } = part.form
  const { fields, append, remove } = useFieldArray({ control, name: 'entries' })
  const { entries } = part.values
  const problems = scheduleProblems(entries)
  const locked = lockReason(connection)
  const full = fields.length >= maxScheduleEntries ? `A schedule has at most ${maxScheduleEntries} entries.` : undefined
  return (
    <PartForm
      title="Scaling schedule"
      part={part}
      submitLabel="Save schedule"
      problem={problems[0]}
      actions={
        <DisabledReason reason={locked ?? full}>
          <Button
            startIcon={<Plus size={14} aria-hidden />}
            disabled={(locked ?? full) !== undefined}
            onClick={() => append(newEntry(fields.length))}
          >
            Add entry
          </Button>
        </DisabledReason>
      }
    >
      <WeekGrid entries={entries} />
      {fields.map((field, at) => (
        <Entry key={field.id} control={control} at={at} locked={locked} onRemove={() => remove(at)} />
      ))}
      {fields.length === 0 && <Text color="textSecondary">Without entries, the service keeps its own size.</Text>}
      {problems.map((problem) => (
        <Notice key={problem} tone="error" role="status">
          {problem}
        </Notice>
      ))}
    </PartForm>
  )
}

interface EntryProps {
  control: Control<ScheduleForm>
  at: number
  locked: string | undefined
  onRemove: () => void
}

function Entry({ control, at, locked, onRemove }: EntryProps) {
  const name = useWatch({ control, name: `entries.${at}.name` })
  return (
    <fieldset className={css.scheduleEntry} aria-label={name || `Entry ${at + 1}`}>
      <FieldGrid columns={3}>
        <TextField
          control={control}
          name={`entries.${at}.name`}
          label="Name"
          required
          maxLength={100}
          disabled={locked}
        />
        <SelectField
          control={control}
          name={`entries.${at}.start`}
          label="From"
          options={hourOptions.slice(0, 24)}
          disabled={locked}
        />
        <SelectField
          control={control}
          name={`entries.${at}.end`}
          label="To"
          options={hourOptions.slice(1)}
          disabled={locked}
        />
        <NumberField control={control} name={`entries.${at}.numReplicas`} label="Replicas" disabled={locked} />
        <NumberField
          control={control}
          name={`entries.${at}.minReplicaMemoryGb`}
          label="Minimum memory"
          unit="GiB"
          disabled={locked}
        />
        <NumberField
          control={control}
          name={`entries.${at}.maxReplicaMemoryGb`}
          label="Maximum memory"
          unit="GiB"
          disabled={locked}
        />
      </FieldGrid>
      <div className={css.scheduleActions}>
        <Weekdays control={control} at={at} locked={locked} />
        <IconButton
          aria-label={`Remove ${name || `entry ${at + 1}`}`}
          disabled={locked !== undefined}
          onClick={onRemove}
        >
          <Trash2 size={16} aria-hidden />
        </IconButton>
      </div>
    </fieldset>
  )
}

function Weekdays({ control, at, locked }: Omit<EntryProps, 'onRemove'>) {
  const { field } = useController({ control, name: `entries.${at}.weekdays` })
  const toggle = (day: number) =>
    field.onChange(field.value.includes(day) ? field.value.filter((other) => other !== day) : [...field.value, day])
  return (
    <div role="group" aria-label="Days" className={css.weekdays}>
      {weekdayNames.map((label, day) => (
        <Button
          key={label}
          size="small"
          aria-pressed={field.value.includes(day)}
          disabled={locked !== undefined}
          onClick={() => toggle(day)}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}
