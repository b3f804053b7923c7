import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { asFailure } from '#console/api/failure.ts'
import { q } from '#console/api/queries.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/SelectField.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { backupPeriods, backupRetention, serviceBackups, type BackupConfiguration } from '#contract/serviceBackups.ts'
import css from './Backups.module.css'

type PlanForm = { period: string; retention: string; startTime: string }

const anyTime = 'any'
const { min, max, step } = backupRetention
const retentions = Array.from({ length: (max - min) / step + 1 }, (_, at) => min + at * step)
const days = (hours: number) => (hours === 24 ? '1 day' : `${hours / 24} days`)
const startTimes = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

function readPlan({
  backupPeriodInHours,
  backupRetentionPeriodInHours,
  backupStartTime,
}: BackupConfiguration): PlanForm {
  return {
    period: String(backupPeriodInHours ?? 24),
    retention: String(backupRetentionPeriodInHours ?? 24),
    startTime: backupStartTime ?? anyTime,
  }
}

/** When backups of a service are made, and how long they are kept. */
export function BackupPlan({ serviceId }: { serviceId: string }) {
  const connection = useConnection()
  const read = useQuery(q(connection.id, serviceBackups.configuration, { params: { serviceId } }))
  if (read.data) return <PlanFields key={JSON.stringify(read.data)} serviceId={serviceId} plan={read.data} />
  if (!read.error) return <LoadingPanels heights={[120]} />
  if (asFailure(read.error).code === 'notOffered') return null
  return <QueryError error={read.error} onRetry={() => void read.refetch()} />
}

function PlanFields({ serviceId, plan }: { serviceId: string; plan: BackupConfiguration }) {
  const connection = useConnection()
  const { control, handleSubmit, formState, setValue } = useForm<PlanForm>({ defaultValues: readPlan(plan) })
  const startTime = useWatch({ control, name: 'startTime' })
  const daily = startTime !== anyTime
  const save = useApiMutation(connection.id, serviceBackups.configure, {
    onSuccess: () => toast({ tone: 'ok', text: 'Saved the configuration of backups' }),
    onError: toastFailure,
  })
  const submit = handleSubmit(({ period, retention }) =>
    save.mutate({
      params: { serviceId },
      body: {
        ...(daily ? {} : { backupPeriodInHours: Number(period) }),
        backupRetentionPeriodInHours: Number(retention),
        backupStartTime: daily ? startTime : null,
      },
    }),
  )
  const locked = lockReason(connection) ?? (formState.isDirty ? undefined : 'Nothing has changed.')
  return (
    <Panel title="Configuration">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <FieldGrid columns={3}>
          <SelectField
            control={control}
            name="period"
            label="A backup every"
            options={backupPeriods.map((hours) => ({ value: String(hours), label: `${hours} hours` }))}
            disabled={daily ? 'With a start time there is one backup a day.' : undefined}
          />
          <SelectField
            control={control}
            name="startTime"
            label="Start time"
            options={[
              { value: anyTime, label: 'Any time' },
              ...startTimes.map((at) => ({ value: at, label: `${at} UTC` })),
            ]}
            onPick={(at) => at !== anyTime && setValue('period', '24')}
          />
          <SelectField
            control={control}
            name="retention"
            label="Kept for"
            options={retentions.map((hours) => ({ value: String(hours), label: days(hours) }))}
          />
        </FieldGrid>
        <div className={css.actions}>
          <DisabledReason reason={locked}>
            <Button type="submit" disabled={locked !== undefined} loading={save.isPending}>
              Save configuration
            </Button>
          </DisabledReason>
          <Text color="textSecondary">Older backups are removed. The newest one that succeeded is always kept.</Text>
        </div>
      </form>
    </Panel>
  )
}
