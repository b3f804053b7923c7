import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { asFailure } from '#console/api/failure.ts'
import { q } from '#console/api/queries.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/SelectField.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { serviceSchedules, upgradeDuration, upgradeHours } from '#contract/serviceSchedule.ts'
import { hourOptions, weekdayNames } from './scheduleForm.ts'
import css from './Schedule.module.css'

const anyDay = 'any'

/** The hours of the week at which a service may be upgraded. */
export function UpgradeWindow({ serviceId }: { serviceId: string }) {
  const connection = useConnection()
  const read = useQuery(q(connection.id, serviceSchedules.upgradeWindow, { params: { serviceId } }))
  const none = read.error !== null && asFailure(read.error).code === 'notFound'
  if (!read.data && !none) {
    return read.error ? (
      <QueryError error={read.error} onRetry={() => void read.refetch()} />
    ) : (
      <LoadingPanels heights={[120]} />
    )
  }
  const { weekday, startHourUtc } = none ? {} : (read.data ?? {})
  const day = weekday == null ? anyDay : String(weekday)
  const hour = String(startHourUtc ?? 0)
  return <WindowFields key={`${day} ${hour}`} serviceId={serviceId} start={{ day, hour }} />
}

type WindowForm = { day: string; hour: string }

function WindowFields({ serviceId, start }: { serviceId: string; start: WindowForm }) {
  const connection = useConnection()
  const params = { serviceId }
  const { control, handleSubmit, formState } = useForm<WindowForm>({ defaultValues: start })
  const options = { onSuccess: () => toast({ tone: 'ok', text: 'Saved the upgrade window' }), onError: toastFailure }
  const set = useApiMutation(connection.id, serviceSchedules.setUpgradeWindow, options)
  const clear = useApiMutation(connection.id, serviceSchedules.deleteUpgradeWindow, options)
  const submit = handleSubmit(({ day, hour }) =>
    day === anyDay
      ? clear.mutate({ params })
      : set.mutate({ params, body: { weekday: Number(day), startHourUtc: Number(hour) } }),
  )
  const locked = lockReason(connection) ?? (formState.isDirty ? undefined : 'Nothing has changed.')
  return (
    <Panel title="Upgrade window" aside={`${upgradeDuration} hours`}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <FieldGrid>
          <SelectField
            control={control}
            name="day"
            label="Day"
            options={[
              { value: anyDay, label: 'Any day' },
              ...weekdayNames.map((label, at) => ({ value: String(at), label })),
            ]}
          />
          <SelectField
            control={control}
            name="hour"
            label="From (UTC)"
            options={hourOptions.filter(({ value }) => upgradeHours.includes(Number(value)))}
          />
        </FieldGrid>
        <div className={css.actions}>
          <DisabledReason reason={locked}>
            <Button type="submit" disabled={locked !== undefined} loading={set.isPending || clear.isPending}>
              Save window
            </Button>
          </DisabledReason>
        </div>
      </form>
    </Panel>
  )
}
