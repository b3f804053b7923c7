import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { call } from '#console/api/call.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import {
  backupPeriods,
  backupRetention,
  serviceBackups,
  type BackupConfiguration,
} from '#contract/cloud/services/serviceBackups.ts'
import { PartForm } from '../parts/PartForm.tsx'
import { PartLoader } from '../parts/PartLoader.tsx'
import { useServicePart, type PartModel } from '../parts/servicePart.ts'

const schema = z.object({ period: z.string(), retention: z.string(), startTime: z.string() })

const anyTime = 'any'
const { min, max, step } = backupRetention
const retentions = Array.from({ length: (max - min) / step + 1 }, (_, at) => min + at * step)
const days = (hours: number) => (hours === 24 ? '1 day' : `${hours / 24} days`)
const startTimes = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

const model: PartModel<BackupConfiguration, z.infer<typeof schema>> = {
  noun: 'configuration of backups',
  endpoint: serviceBackups.configuration,
  titles: { period: 'A backup every', startTime: 'Start time', retention: 'Kept for' },
  read: (plan) => ({
    period: String(plan?.backupPeriodInHours ?? 24),
    retention: String(plan?.backupRetentionPeriodInHours ?? 24),
    startTime: plan?.backupStartTime ?? anyTime,
  }),
  schema,
  formatValue: (field, { period, retention, startTime }) => {
    if (field === 'period') return `${period} hours`
    if (field === 'retention') return days(Number(retention))
    return startTime === anyTime ? 'any time' : `${startTime} UTC`
  },
  wireNames: {
    period: 'backupPeriodInHours',
    retention: 'backupRetentionPeriodInHours',
    startTime: 'backupStartTime',
  },
}

/** When backups of a service are made, and how long they are kept. */
export function BackupPlan({ serviceId }: { serviceId: string }) {
  const connection = useConnection()
  const read = useQuery(q(connection.id, serviceBackups.configuration, { params: { serviceId } }))
  return (
    <PartLoader title="Configuration" read={read} height={120}>
      {(plan) => plan && <PlanFields serviceId={serviceId} plan={plan} />}
    </PartLoader>
  )
}

function PlanFields({ serviceId, plan }: { serviceId: string; plan: BackupConfiguration }) {
  const connection = useConnection()
  const part = useServicePart({
    model,
    serviceId,
    stored: plan,
    write: ({ period, retention, startTime }, base) => {
      const daily = startTime !== anyTime
      const body = {
        ...(daily ? {} : { backupPeriodInHours: Number(period) }),
        backupRetentionPeriodInHours: Number(retention),
        backupStartTime: daily ? startTime : null,
      }
      const input = { params: { serviceId }, body }
      return call(connection.id, serviceBackups.configure, input, base ? { base } : {})
    },
  })
  const { control, setValue } = part.form
  const daily = useWatch({ control, name: 'startTime' }) !== anyTime
  const locked = lockReason(connection)
  return (
    <PartForm
      title="Configuration"
      part={part}
      submitLabel="Save configuration"
      note="Older backups are removed. The newest one that succeeded is always kept."
    >
      <FieldGrid columns={3}>
        <SelectField
          control={control}
          name="period"
          label={model.titles.period}
          options={backupPeriods.map((hours) => ({ value: String(hours), label: `${hours} hours` }))}
          disabled={locked ?? (daily ? 'With a start time there is one backup a day.' : undefined)}
        />
        <SelectField
          control={control}
          name="startTime"
          label={model.titles.startTime}
          options={[
            { value: anyTime, label: 'Any time' },
            ...startTimes.map((at) => ({ value: at, label: `${at} UTC` })),
          ]}
          onPick={(at) => at !== anyTime && setValue('period', '24')}
          disabled={locked}
        />
        <SelectField
          control={control}
          name="retention"
          label={model.titles.retention}
          options={retentions.map((hours) => ({ value: String(hours), label: days(hours) }))}
          disabled={locked}
        />
      </FieldGrid>
    </PartForm>
  )
}
