/** The form of a scaling schedule. */
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import { scalingScheduleInput, type ScheduleEntry } from '#contract/cloud/services/serviceSchedule.ts'

export type EntryForm = {
  name: string
  weekdays: number[]
  start: string
  end: string
  numReplicas: number | null
  minReplicaMemoryGb: number | null
  maxReplicaMemoryGb: number | null
  /** Fields that the form does not show, kept as it is. */
  others: Record<string, unknown>
}

export type ScheduleForm = { entries: EntryForm[] }

export const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

export const hourOptions = Array.from({ length: 25 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

export const newEntry = (at: number): EntryForm => ({
  name: `Entry ${at + 1}`,
  weekdays: [1, 2, 3, 4, 5],
  start: '20',
  end: '6',
  numReplicas: null,
  minReplicaMemoryGb: null,
  maxReplicaMemoryGb: null,
  others: {},
})

export function readEntries(entries: readonly ScheduleEntry[]): EntryForm[] {
  return entries.map((entry) => {
    const { name, weekdays, startHourUtc, endHourUtc, numReplicas, minReplicaMemoryGb, maxReplicaMemoryGb } = entry
    const { autoscalingMode, minReplicas, maxReplicas, idleScaling, idleTimeoutMinutes } = entry
    return {
      name: name ?? '',
      weekdays: weekdays ?? [],
      start: String(startHourUtc ?? 0),
      end: String(endHourUtc ?? 24),
      numReplicas: numReplicas ?? null,
      minReplicaMemoryGb: minReplicaMemoryGb ?? null,
      maxReplicaMemoryGb: maxReplicaMemoryGb ?? null,
      others: present({ autoscalingMode, minReplicas, maxReplicas, idleScaling, idleTimeoutMinutes }),
    }
  })
}

export function scheduleBody({ entries }: ScheduleForm) {
  return {
    entries: entries.map(({ name, weekdays, start, end, others, ...numbers }) => ({
      ...others,
      name,
      weekdays: weekdays.toSorted((a, b) => a - b),
      startHourUtc: Number(start),
      endHourUtc: Number(end),
      ...present(numbers),
    })),
  }
}

/** Problems of the entries, each with its name. */
export function scheduleProblems(entries: EntryForm[]): string[] {
  const issues = scalingScheduleInput.safeParse(scheduleBody({ entries })).error?.issues ?? []
  return issues.map((issue) => {
    const [, at, field] = issue.path
    const name = typeof at === 'number' ? entries[at]?.name || `Entry ${at + 1}` : 'Schedule'
    return [name, field === undefined ? '' : String(field), formatIssue(issue)].filter(Boolean).join(': ')
  })
}

/** "Nights 20:00 to 06:00, Mon Tue", one after the other. */
export function formatEntries({ entries }: ScheduleForm): string {
  return entries
    .map(({ name, weekdays, start, end, numReplicas, minReplicaMemoryGb, maxReplicaMemoryGb }) => {
      const days = weekdays.map((day) => weekdayNames[day]).join(' ')
      const hours = `${hourOptions[Number(start)]?.label} to ${hourOptions[Number(end)]?.label}`
      const memory = minReplicaMemoryGb === null ? '' : `${minReplicaMemoryGb} to ${maxReplicaMemoryGb ?? '?'} GiB`
      const size = [numReplicas === null ? '' : `${numReplicas} replicas`, memory].filter(Boolean).join(' × ')
      return [`${name} ${hours}`, days, size].filter(Boolean).join(', ')
    })
    .join('; ')
}

const present = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
