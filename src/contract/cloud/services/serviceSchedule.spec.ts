import { array, assert, integer, property, record, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { hoursPerWeek, overlapOf, scalingScheduleInput, scheduledHours } from './serviceSchedule.ts'
import { serviceCreate } from './services.ts'

const entry = record({
  weekdays: uniqueArray(integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 }),
  startHourUtc: integer({ min: 0, max: 23 }),
  endHourUtc: integer({ min: 1, max: 24 }),
}).filter(({ startHourUtc, endHourUtc }) => startHourUtc !== endHourUtc)

/** Whether an entry covers an hour, from its definition: the start day, or the day after for what ends later. */
function covers({ weekdays, startHourUtc, endHourUtc }: Parameters<typeof scheduledHours>[0], at: number): boolean {
  const day = Math.floor(at / 24)
  const hour = at % 24
  const before = (day + 6) % 7
  if (startHourUtc < endHourUtc) return weekdays.includes(day) && hour >= startHourUtc && hour < endHourUtc
  return (weekdays.includes(day) && hour >= startHourUtc) || (weekdays.includes(before) && hour < endHourUtc)
}

const week = Array.from({ length: hoursPerWeek }, (_, at) => at)

test('an entry covers the hours of its days, over midnight if it ends earlier than it starts', () => {
  assert(
    property(entry, (one) => {
      expect(new Set(scheduledHours(one))).toEqual(new Set(week.filter((at) => covers(one, at))))
    }),
  )
})

test('a schedule is refused exactly if two entries share an hour', () => {
  assert(
    property(array(entry, { maxLength: 4 }), (entries) => {
      const shared = week.some((at) => entries.filter((other) => covers(other, at)).length > 1)
      expect(overlapOf(entries) !== null).toBe(shared)
      const named = entries.map((one, at) => ({ ...one, name: `Entry ${at}` }))
      expect(scalingScheduleInput.safeParse({ entries: named }).success).toBe(!shared)
    }),
  )
})

const anyEntry = { name: 'Entry', weekdays: [1], startHourUtc: 1, endHourUtc: 2 }

test.each([
  ['no day', { weekdays: [] }],
  ['a day twice', { weekdays: [1, 1] }],
  ['no time', { startHourUtc: 2 }],
  ['hour 24 as a start', { startHourUtc: 24 }],
  ['hour 0 as an end', { endHourUtc: 0 }],
  ['half of the memory', { minReplicaMemoryGb: 8 }],
  ['memory that is no step', { minReplicaMemoryGb: 9, maxReplicaMemoryGb: 9 }],
  ['a band of vertical scaling', { minReplicas: 1, maxReplicas: 2 }],
  ['a number and a band', { numReplicas: 2, minReplicas: 2, maxReplicas: 2 }],
  ['a time without idling', { idleScaling: false, idleTimeoutMinutes: 5 }],
])('%s is refused', (_, fields) => {
  expect(scalingScheduleInput.safeParse({ entries: [{ ...anyEntry, ...fields }] }).success).toBe(false)
})

test('a schedule has at most ten entries', () => {
  const entries = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...anyEntry, startHourUtc: at, endHourUtc: at + 1 }))
  expect(scalingScheduleInput.safeParse({ entries: entries(10) }).success).toBe(true)
  expect(scalingScheduleInput.safeParse({ entries: entries(11) }).success).toBe(false)
})

const service = { name: 'New service', provider: 'aws', region: 'eu-central-1', ipAccessList: [] }

test.each([
  ['the least', {}, true],
  ['no access list', { ipAccessList: undefined }, false],
  ['a region of another provider', { provider: 'gcp' }, false],
  ['a long name', { name: 'x'.repeat(51) }, false],
  ['one replica', { numReplicas: 1 }, true],
  ['no replica', { numReplicas: 0 }, false],
  ['50 replicas', { numReplicas: 50 }, true],
  ['51 replicas', { numReplicas: 51 }, false],
  ['a band up to 50', { minReplicas: 2, maxReplicas: 50, autoscalingMode: 'horizontal' }, true],
  ['a band', { minReplicas: 2, maxReplicas: 4 }, true],
  ['half a band', { minReplicas: 2 }, false],
  ['a number and a band', { numReplicas: 3, minReplicas: 2, maxReplicas: 4 }, false],
  ['memory in wrong order', { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 8 }, false],
  ['read-only alone', { isReadonly: true }, false],
])('a new service with %s', (_, fields, accepted) => {
  expect(serviceCreate.safeParse({ ...service, ...fields }).success).toBe(accepted)
})
