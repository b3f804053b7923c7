import { array, assert, constantFrom, integer, option, property, record } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { backupConfigurationInput, backupPeriods } from '#contract/cloud/services/serviceBackups.ts'
import { changedPlan, expiredBackups, nextBackupAt } from './backupPlan.ts'

const hour = 3_600_000
const plan = { backupPeriodInHours: 24, backupRetentionPeriodInHours: 24, backupStartTime: null }
const times = integer({ min: 0, max: 4_000_000_000_000 })
const startTime = record({ hours: integer({ min: 0, max: 23 }), minutes: integer({ min: 0, max: 59 }) }).map(
  ({ hours, minutes }) => `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`,
)

describe('the next backup', () => {
  it('is one period after the last', () => {
    assert(
      property(constantFrom(...backupPeriods), times, times, (backupPeriodInHours, last, since) => {
        expect(nextBackupAt({ ...plan, backupPeriodInHours }, last, since, since + last)).toBe(
          last + backupPeriodInHours * hour,
        )
      }),
    )
  })

  it('is the first start time after the last, at most a day later', () => {
    assert(
      property(startTime, times, (backupStartTime, last) => {
        const next = nextBackupAt({ ...plan, backupStartTime }, last, 0, last)
        expect(new Date(next).toISOString().slice(11, 16)).toBe(backupStartTime)
        expect(next - last).toBeGreaterThan(0)
        expect(next - last).toBeLessThanOrEqual(24 * hour)
      }),
    )
  })
})

describe('retention', () => {
  it('removes what is older, but never what runs, nor the newest that succeeded', () => {
    const backup = record({ status: constantFrom('done', 'error', 'in_progress'), age: integer({ min: 0, max: 3000 }) })
    assert(
      property(array(backup), constantFrom(24, 48, 1080), (list, backupRetentionPeriodInHours) => {
        const now = 5000 * hour
        const backups = list
          .toSorted((a, b) => b.age - a.age)
          .map(({ status, age }, at) => ({
            id: String(at),
            serviceId: '',
            status,
            startedAt: new Date(now - age * hour).toISOString(),
          }))
        const removed = expiredBackups({ ...plan, backupRetentionPeriodInHours }, backups, now)
        const kept = backups.filter((one) => !removed.includes(one))
        expect(kept.filter(({ status }) => status === 'done').length > 0).toBe(
          backups.some(({ status }) => status === 'done'),
        )
        for (const { status, startedAt } of removed) {
          expect(status).not.toBe('in_progress')
          expect(now - Date.parse(startedAt)).toBeGreaterThan(backupRetentionPeriodInHours * hour)
        }
        const tooOld = kept.filter(({ startedAt }) => now - Date.parse(startedAt) > backupRetentionPeriodInHours * hour)
        expect(tooOld.filter(({ status }) => status !== 'in_progress').length).toBeLessThanOrEqual(1)
      }),
    )
  })
})

test('any accepted change of a plan is a plan that is accepted', () => {
  const change = record(
    {
      backupPeriodInHours: option(constantFrom(...backupPeriods)),
      backupRetentionPeriodInHours: option(integer({ min: 1, max: 45 }).map((days) => days * 24)),
      backupStartTime: option(startTime),
    },
    { requiredKeys: [] },
  ).filter((one) => backupConfigurationInput.safeParse(one).success)
  assert(
    property(change, (one) => {
      expect(backupConfigurationInput.safeParse(changedPlan(plan, one)).success).toBe(true)
    }),
  )
})

test('a backup from before the clock was set back does not postpone the next one', () => {
  const now = 100 * 24 * hour
  expect(nextBackupAt(plan, now + 6 * hour, 0, now)).toBe(now)
})
