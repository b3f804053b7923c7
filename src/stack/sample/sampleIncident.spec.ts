import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { followedIncident } from './sampleIncident.ts'
import { generateStep, stepLength } from './shop.ts'

const hour = 3_600_000
const anchor = Date.UTC(2026, 10, 28, 17, 17)

test('follows the incident before the sample was started, until one after it is over', async () => {
  expect(await followedIncident(anchor, anchor)).toMatchObject({ start: anchor - 30 * hour })
  expect(await followedIncident(anchor, anchor + 2 * hour + 30 * 60_000)).toMatchObject({ start: anchor - 30 * hour })
  expect(await followedIncident(anchor, anchor + 3 * hour)).toMatchObject({ start: anchor + 2 * hour })
})

test(
  'the followed incident has ended, is less than a week old and has a failed trace, at any time',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 12 * 24 * 60 }),
        async (startHour, minutes) => {
          const started = Date.UTC(2026, 10, 24, startHour, 5)
          const until = started + minutes * 60_000
          const followed = await followedIncident(started, until)
          if (!followed) {
            expect(minutes).toBeGreaterThan((7 * 24 - 30) * 60)
            return
          }
          const { start, end, failedAt, traceId } = followed
          expect(end).toBeLessThan(until)
          expect(start).toBeGreaterThanOrEqual(until - 7 * 24 * hour)
          expect(failedAt).toBeGreaterThanOrEqual(start)
          expect(failedAt).toBeLessThan(end + 60_000)
          if (start < started) return
          const first = Math.floor(start / stepLength)
          const steps = Array.from({ length: (end - start) / stepLength + 1 }, (_, at) => (first + at) * stepLength)
          const spans = steps.flatMap((step) => generateStep(started, step).traces.map(({ record }) => record))
          expect(spans).toContainEqual(
            expect.objectContaining({ traceId, status: expect.objectContaining({ code: 2 }) }),
          )
        },
      ),
      { numRuns: 30 },
    )
  },
)
