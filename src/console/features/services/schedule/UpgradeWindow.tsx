import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { call } from '#console/api/call.ts'
import { ignoreNotFound } from '#console/api/ignoreNotFound.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import {
  serviceSchedules,
  upgradeDuration,
  upgradeHours,
  type UpgradeWindow,
} from '#contract/cloud/services/serviceSchedule.ts'
import { PartForm } from '../parts/PartForm.tsx'
import { PartLoader } from '../parts/PartLoader.tsx'
import { useServicePart, type PartModel } from '../parts/servicePart.ts'
import { hourOptions, weekdayNames } from './scheduleForm.ts'

const schema = z.object({ day: z.string(), hour: z.string() })

const anyDay = 'any'

const model: PartModel<UpgradeWindow, z.infer<typeof schema>> = {
  noun: 'upgrade window',
  endpoint: serviceSchedules.upgradeWindow,
  titles: { day: 'Day', hour: 'From (UTC)' },
  read: (window) => ({
    day: window?.weekday == null ? anyDay : String(window.weekday),
    hour: String(window?.startHourUtc ?? 0),
  }),
  schema,
  formatValue: (field, { day, hour }) => {
    if (field === 'hour') return hourOptions[Number(hour)]?.label ?? hour
    return day === anyDay ? 'any day' : (weekdayNames[Number(day)] ?? day)
  },
  wireNames: { day: 'weekday', hour: 'startHourUtc' },
}

/** The hours of the week at which a service may be upgraded. */
export function UpgradeWindowPanel({ serviceId }: { serviceId: string }) {
  const connection = useConnection()
  const read = useQuery(q(connection.id, serviceSchedules.upgradeWindow, { params: { serviceId } }))
  return (
    <PartLoader title="Upgrade window" read={read} mayBeUnset height={120}>
      {(window) => <WindowFields serviceId={serviceId} window={window} />}
    </PartLoader>
  )
}

function WindowFields({ serviceId, window }: { serviceId: string; window: UpgradeWindow | null }) {
  const connection = useConnection()
  const params = { serviceId }
  const part = useServicePart({
    model,
    serviceId,
    stored: window,
    write: async ({ day, hour }, base) => {
      const guard = base ? { base } : {}
      if (day === anyDay) {
        await ignoreNotFound(call(connection.id, serviceSchedules.deleteUpgradeWindow, { params }, guard))
        return null
      }
      const body = { weekday: Number(day), startHourUtc: Number(hour) }
      return call(
        connection.id,
        serviceSchedules.setUpgradeWindow,
        { params, body },
        { ...guard, record: 'The upgrade window' },
      )
    },
  })
  const { control } = part.form
  const locked = lockReason(connection)
  return (
    <PartForm title="Upgrade window" aside={`${upgradeDuration} hours`} part={part} submitLabel="Save window">
      <FieldGrid>
        <SelectField
          control={control}
          name="day"
          label={model.titles.day}
          disabled={locked}
          options={[
            { value: anyDay, label: 'Any day' },
            ...weekdayNames.map((label, at) => ({ value: String(at), label })),
          ]}
        />
        <SelectField
          control={control}
          name="hour"
          label={model.titles.hour}
          disabled={locked ?? (part.values.day === anyDay ? 'Choose a day first.' : undefined)}
          options={hourOptions.filter(({ value }) => upgradeHours.includes(Number(value)))}
        />
      </FieldGrid>
    </PartForm>
  )
}
