/** When a service has another size, and when it may be upgraded: docs/DEPLOYMENTS.md#parts-of-a-service. */
import { z } from 'zod'
import { boundShape, replicaScalingBounds } from '../bounds.ts'
import { openEnum, pathId, resource, wireNumber } from '../../wire/kernel.ts'

export const maxScheduleEntries = 10
export const hoursPerWeek = 7 * 24

const modes = ['vertical', 'horizontal'] as const

/** When an entry of a schedule is in force, every week, in UTC. */
export interface ScheduleTimes {
  /** 0 is Sunday. */
  weekdays: readonly number[]
  startHourUtc: number
  /** A smaller one than the start is on the next day. */
  endHourUtc: number
}

/** The hours of the week that an entry covers, from Sunday 0:00 UTC on. */
export function scheduledHours({ weekdays, startHourUtc, endHourUtc }: ScheduleTimes): number[] {
  const length = endHourUtc > startHourUtc ? endHourUtc - startHourUtc : 24 - startHourUtc + endHourUtc
  return [...new Set(weekdays)].flatMap((day) =>
    Array.from({ length }, (_, hour) => (day * 24 + startHourUtc + hour) % hoursPerWeek),
  )
}

/** The hour of the week at a time, from Sunday 0:00 UTC on. */
export function hourOfWeek(at: Date): number {
  return at.getUTCDay() * 24 + at.getUTCHours()
}

/** The first two entries that share an hour, by their positions; null if none do. */
export function overlapOf(entries: readonly ScheduleTimes[]): [number, number] | null {
  const owners = new Map<number, number>()
  for (const [at, entry] of entries.entries()) {
    for (const hour of scheduledHours(entry)) {
      const owner = owners.get(hour)
      if (owner !== undefined && owner !== at) return [owner, at]
      owners.set(hour, at)
    }
  }
  return null
}

const hour = (least: number, most: number) => z.int().min(least).max(most)
const weekday = hour(0, 6)

const scheduleEntryInput = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    weekdays: z
      .array(weekday)
      .min(1)
      .max(7)
      .refine((days) => new Set(days).size === days.length, 'must not repeat a day'),
    startHourUtc: hour(0, 23),
    endHourUtc: hour(1, 24),
    autoscalingMode: z.enum(modes).optional(),
    ...boundShape(replicaScalingBounds),
    idleScaling: z.boolean().optional(),
  })
  .superRefine((entry, context) => {
    const refuse = (field: keyof typeof entry, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message, input: entry[field] })
    const { minReplicaMemoryGb: least, maxReplicaMemoryGb: most, minReplicas, maxReplicas, numReplicas } = entry
    const horizontal = entry.autoscalingMode === 'horizontal'
    if (entry.startHourUtc === entry.endHourUtc) refuse('endHourUtc', 'must differ from startHourUtc')
    if ((least === undefined) !== (most === undefined)) {
      refuse(least === undefined ? 'minReplicaMemoryGb' : 'maxReplicaMemoryGb', 'both or neither are required')
    }
    if (least !== undefined && most !== undefined) {
      if (least > most) refuse('minReplicaMemoryGb', 'must not be greater than maxReplicaMemoryGb')
      if (horizontal && least !== most) refuse('maxReplicaMemoryGb', 'must be equal in horizontal scaling')
    }
    if ((minReplicas === undefined) !== (maxReplicas === undefined)) {
      refuse(minReplicas === undefined ? 'minReplicas' : 'maxReplicas', 'both or neither are required')
    }
    if (numReplicas !== undefined && (minReplicas !== undefined || maxReplicas !== undefined)) {
      refuse('numReplicas', 'excludes minReplicas and maxReplicas')
    }
    if (horizontal && numReplicas !== undefined) refuse('numReplicas', 'horizontal scaling takes a band')
    if (minReplicas !== undefined && maxReplicas !== undefined) {
      if (minReplicas > maxReplicas) refuse('minReplicas', 'must not be greater than maxReplicas')
      if (!horizontal && minReplicas < maxReplicas) refuse('maxReplicas', 'only horizontal scaling has a band')
    }
    if (entry.idleScaling === false && entry.idleTimeoutMinutes !== undefined) {
      refuse('idleTimeoutMinutes', 'has no use where idleScaling is false')
    }
  })
export type ScheduleEntryInput = z.infer<typeof scheduleEntryInput>

/** Replaces the schedule; an empty list clears it. */
export const scalingScheduleInput = z
  .strictObject({ entries: z.array(scheduleEntryInput).max(maxScheduleEntries) })
  .superRefine(({ entries }, context) => {
    const overlap = overlapOf(entries)
    if (!overlap) return
    const [first, second] = overlap
    context.addIssue({
      code: 'custom',
      path: ['entries', second],
      message: `overlaps the entry "${entries[first]?.name}"`,
      input: entries[second],
    })
  })

const scheduleEntry = z.looseObject({
  id: z.string().nullish(),
  name: z.string().nullish(),
  weekdays: z.array(wireNumber).nullish(),
  startHourUtc: wireNumber.nullish(),
  endHourUtc: wireNumber.nullish(),
  autoscalingMode: openEnum(modes).nullish(),
  minReplicaMemoryGb: wireNumber.nullish(),
  maxReplicaMemoryGb: wireNumber.nullish(),
  numReplicas: wireNumber.nullish(),
  minReplicas: wireNumber.nullish(),
  maxReplicas: wireNumber.nullish(),
  idleScaling: z.boolean().nullish(),
  idleTimeoutMinutes: wireNumber.nullish(),
  isActiveNow: z.boolean().nullish(),
})
export type ScheduleEntry = z.infer<typeof scheduleEntry>

const scalingSchedule = z.looseObject({
  entries: z.array(scheduleEntry).nullish(),
  /** The size while no entry is in force. */
  baseConfig: z.looseObject({}).nullish(),
  activeEntryId: z.string().nullish(),
})
export type ScalingSchedule = z.infer<typeof scalingSchedule>

/** The hours at which an upgrade may begin. */
export const upgradeHours: readonly number[] = [0, 6, 12, 18]
/** Hours. */
export const upgradeDuration = 6

const upgradeWindowInput = z.strictObject({
  weekday,
  startHourUtc: z.int().refine((value) => upgradeHours.includes(value), `must be one of ${upgradeHours.join(', ')}`),
})

const upgradeWindow = z.looseObject({
  weekday: wireNumber.nullish(),
  startHourUtc: wireNumber.nullish(),
  duration: wireNumber.nullish(),
})
export type UpgradeWindow = z.infer<typeof upgradeWindow>

const params = z.object({ serviceId: pathId })
const ofService = { scope: 'organization', variants: ['managed'], params, unspecified: true } as const
const schedulePath = '/services/{serviceId}/scalingSchedule'
const windowPath = '/services/{serviceId}/upgradeWindow'
/** The schedule in force changes without a save. */
const record = { volatile: ['activeEntryId', 'baseConfig'] } as const

/** A schedule or window that is not set is a 404. */
export const serviceSchedules = resource('serviceSchedules', {
  get: { ...ofService, method: 'GET', path: schedulePath, record, result: scalingSchedule },
  replace: {
    ...ofService,
    method: 'POST',
    path: schedulePath,
    replaces: true,
    body: scalingScheduleInput,
    stored: { unreturned: [] },
    result: scalingSchedule,
  },
  delete: { ...ofService, method: 'DELETE', path: schedulePath, result: z.unknown() },
  upgradeWindow: { ...ofService, method: 'GET', path: windowPath, record: { volatile: [] }, result: upgradeWindow },
  setUpgradeWindow: {
    ...ofService,
    method: 'PUT',
    path: windowPath,
    body: upgradeWindowInput,
    stored: { unreturned: [] },
    result: upgradeWindow,
  },
  deleteUpgradeWindow: { ...ofService, method: 'DELETE', path: windowPath, result: z.unknown() },
})
