import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useController, useFieldArray, useForm, useWatch, type Control } from 'react-hook-form'
import { asFailure } from '#console/api/failure.ts'
import { q } from '#console/api/queries.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NumberField } from '#console/ui/form/NumberField.tsx'
import { SelectField } from '#console/ui/form/SelectField.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { UnsavedGuard } from '#console/ui/form/UnsavedGuard.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { maxScheduleEntries, scalingScheduleInput, serviceSchedules } from '#contract/serviceSchedule.ts'
import type { Service } from '#contract/services.ts'
import { serviceName } from '../model/serviceLabels.ts'
import {
  hourOptions,
  newEntry,
  readEntries,
  scheduleBody,
  scheduleProblems,
  weekdayNames,
  type ScheduleForm,
} from './scheduleForm.ts'
import { UpgradeWindow } from './UpgradeWindow.tsx'
import { WeekGrid } from './WeekGrid.tsx'
import css from './Schedule.module.css'

/** When a service has another size, and when it may be upgraded. */
export function Schedule({ service }: { service: Service }) {
  const connection = useConnection()
  const params = { serviceId: service.id }
  const read = useQuery(q(connection.id, serviceSchedules.get, { params }))
  const none = read.error !== null && asFailure(read.error).code === 'notFound'
  return (
    <Page
      title={`Schedule of ${serviceName(service)}`}
      lead="Sizes that the service has at set hours of the week, and when it may be upgraded. Times are in UTC."
    >
      <div className={css.schedule}>
        <Notice tone="info">
          A local stack is one process: it keeps and reports a schedule, but its own size does not change.
        </Notice>
        {read.data || none ? (
          <Entries
            key={read.dataUpdatedAt}
            serviceId={service.id}
            start={{ entries: none ? [] : readEntries(read.data?.entries ?? []) }}
          />
        ) : read.error ? (
          <QueryError error={read.error} onRetry={() => void read.refetch()} />
        ) : (
          <LoadingPanels heights={[320]} />
        )}
        {service.isPrimary !== false && <UpgradeWindow serviceId={service.id} />}
      </div>
    </Page>
  )
}

function Entries({ serviceId, start }: { serviceId: string; start: ScheduleForm }) {
  const connection = useConnection()
  const { control, handleSubmit, formState } = useForm<ScheduleForm>({ defaultValues: start })
  const { fields, append, remove } = useFieldArray({ control, name: 'entries' })
  const entries = useWatch({ control, name: 'entries' })
  const problems = scheduleProblems(entries)
  const save = useApiMutation(connection.id, serviceSchedules.replace, {
    onSuccess: () => toast({ tone: 'ok', text: 'Saved the scaling schedule' }),
    onError: toastFailure,
  })
  const submit = handleSubmit((form) =>
    save.mutate({ params: { serviceId }, body: scalingScheduleInput.parse(scheduleBody(form)) }),
  )
  const locked = lockReason(connection) ?? problems[0] ?? (formState.isDirty ? undefined : 'Nothing has changed.')
  return (
    <Panel title="Scaling schedule">
      <UnsavedGuard dirty={formState.isDirty} />
      <form
        noValidate
        className={css.entries}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <WeekGrid entries={entries} />
        {fields.map((field, at) => (
          <Entry key={field.id} control={control} at={at} onRemove={() => remove(at)} />
        ))}
        {fields.length === 0 && <Text color="textSecondary">Without entries, the service keeps its own size.</Text>}
        {problems.map((problem) => (
          <Notice key={problem} tone="error" role="status">
            {problem}
          </Notice>
        ))}
        <div className={css.actions}>
          <Button
            startIcon={<Plus size={14} aria-hidden />}
            disabled={fields.length >= maxScheduleEntries}
            onClick={() => append(newEntry(fields.length))}
          >
            Add entry
          </Button>
          <DisabledReason reason={locked}>
            <Button type="submit" disabled={locked !== undefined} loading={save.isPending}>
              Save schedule
            </Button>
          </DisabledReason>
        </div>
      </form>
    </Panel>
  )
}

function Entry({ control, at, onRemove }: { control: Control<ScheduleForm>; at: number; onRemove: () => void }) {
  const name = useWatch({ control, name: `entries.${at}.name` })
  return (
    <fieldset className={css.entry} aria-label={name || `Entry ${at + 1}`}>
      <FieldGrid columns={3}>
        <TextField control={control} name={`entries.${at}.name`} label="Name" required maxLength={100} />
        <SelectField control={control} name={`entries.${at}.start`} label="From" options={hourOptions.slice(0, 24)} />
        <SelectField control={control} name={`entries.${at}.end`} label="To" options={hourOptions.slice(1)} />
        <NumberField control={control} name={`entries.${at}.numReplicas`} label="Replicas" />
        <NumberField control={control} name={`entries.${at}.minReplicaMemoryGb`} label="Minimum memory" unit="GiB" />
        <NumberField control={control} name={`entries.${at}.maxReplicaMemoryGb`} label="Maximum memory" unit="GiB" />
      </FieldGrid>
      <div className={css.actions}>
        <Weekdays control={control} at={at} />
        <IconButton aria-label={`Remove ${name || `entry ${at + 1}`}`} onClick={onRemove}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      </div>
    </fieldset>
  )
}

function Weekdays({ control, at }: { control: Control<ScheduleForm>; at: number }) {
  const { field } = useController({ control, name: `entries.${at}.weekdays` })
  const toggle = (day: number) =>
    field.onChange(field.value.includes(day) ? field.value.filter((one) => one !== day) : [...field.value, day])
  return (
    <div role="group" aria-label="Days" className={css.weekdays}>
      {weekdayNames.map((label, day) => (
        <Button key={label} size="small" aria-pressed={field.value.includes(day)} onClick={() => toggle(day)}>
          {label}
        </Button>
      ))}
    </div>
  )
}
