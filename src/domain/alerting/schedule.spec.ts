import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alertIntervals } from '#contract/stack/alerts.ts'
import { catchUpLimit, dueWindows, windowLength, windowPhase, type Schedule } from './schedule.ts'

const minute = 60_000
const time = (text: string) => Date.parse(`2026-03-02T${text}Z`)
const ends = (schedule: Schedule, now: number, done: number | null = null) =>
  dueWindows(schedule, now, done).windows.map(({ end }) => new Date(end).toISOString().slice(5, 19))

describe('windows', () => {
  test.each<[Schedule, string[]]>([
    [{ interval: '5m' }, ['03-02T10:15:00']],
    [{ interval: '5m', scheduleOffsetMinutes: 3 }, ['03-02T10:13:00']],
    [{ interval: '5m', scheduleOffsetMinutes: 8 }, ['03-02T10:13:00']],
    [{ interval: '1h', scheduleOffsetMinutes: 20 }, ['03-02T09:20:00']],
    [{ interval: '1d', scheduleOffsetMinutes: 60 }, ['03-02T01:00:00']],
    [{ interval: '6h', scheduleStartAt: '2026-03-01T01:02:03.456Z' }, ['03-02T07:02:03']],
    [{ interval: '6h', scheduleStartAt: '2026-03-02T04:17:30Z' }, ['03-02T10:17:30']],
    [{ interval: '6h', scheduleStartAt: '2026-03-02T04:18:30Z' }, []],
    [{ interval: '6h', scheduleStartAt: '2026-04-01T00:00:00Z' }, []],
    [{ interval: '2y' }, []],
  ])('%j at 10:17:31', (schedule, expected) => {
    expect(ends(schedule, time('10:17:31'))).toEqual(expected)
  })

  test('follow the last evaluated one', () => {
    expect(ends({ interval: '5m' }, time('10:17:31'), time('10:15:00'))).toEqual([])
    expect(ends({ interval: '5m' }, time('10:17:31'), time('10:05:00'))).toEqual(['03-02T10:10:00', '03-02T10:15:00'])
    // The interval was changed since.
    expect(ends({ interval: '15m' }, time('10:17:31'), time('10:05:00'))).toEqual(['03-02T10:15:00'])
  })

  test('never begin before the start time', () => {
    const schedule = { interval: '5m', scheduleStartAt: '2026-03-02T10:06:00Z' }
    expect(ends(schedule, time('10:17:31'), time('09:00:00'))).toEqual(['03-02T10:11:00', '03-02T10:16:00'])
  })

  test.each([
    ['1m', 50],
    ['5m', 50],
    ['15m', 50],
    ['30m', 48],
    ['1h', 24],
    ['6h', 4],
    ['12h', 2],
    ['1d', 1],
  ])('%s catches up %d', (interval, most) => {
    const schedule = { interval }
    expect(catchUpLimit(windowLength(schedule) ?? 0)).toBe(most)
    const due = dueWindows(schedule, time('10:17:31'), time('10:17:31') - 40 * 86_400_000)
    expect(due.windows).toHaveLength(most)
    expect(due.lost).toBe(true)
  })
})

const schedules = fc.record({
  interval: fc.constantFrom(...alertIntervals),
  scheduleOffsetMinutes: fc.integer({ min: 0, max: 1439 }),
  scheduleStartAt: fc.option(fc.integer({ min: 1.7e9, max: 1.75e9 }).map((s) => new Date(s * 1000).toISOString())),
})

test('every window is one bucket of its phase, and none is evaluated twice or left out', () => {
  fc.assert(
    fc.property(schedules, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 }), (schedule, steps) => {
      const length = windowLength(schedule) ?? 0
      let now = 1.76e12
      let done: number | null = null
      for (const minutes of steps) {
        now += minutes * minute
        const { windows, lost } = dueWindows(schedule, now, done)
        for (const { start, end } of windows) {
          expect(end - start).toBe(length)
          expect((start - windowPhase(schedule)) % length).toBe(0)
          if (done !== null && !lost) expect(start).toBe(done)
          expect(end).toBeLessThanOrEqual(now)
          done = end
        }
        if (done !== null) expect(now - done).toBeLessThan(length)
      }
    }),
  )
})

describe('uncertain times', () => {
  test('skip the windows that have more than a tenth of them', () => {
    const times = [
      { start: time('10:05:00'), end: time('10:05:20') },
      { start: time('10:11:00'), end: time('10:12:00') },
    ]
    const due = dueWindows({ interval: '5m' }, time('10:20:31'), time('10:00:00'), times)
    // 20 s of five minutes are too little.
    expect(due.windows.map(({ end }) => new Date(end).toISOString().slice(11, 16))).toEqual(['10:05', '10:10'])
    expect(due).toMatchObject({ uncertain: [], hasMore: true, lost: false })
    const next = dueWindows({ interval: '5m' }, time('10:20:31'), time('10:10:00'), times)
    expect(next).toMatchObject({ windows: [], hasMore: true, lost: false })
    expect(next.uncertain).toEqual([{ start: time('10:10:00'), end: time('10:15:00') }])
  })

  test('whatever is uncertain, every window is evaluated or marked once, in order', () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 90 * minute }), fc.integer({ min: 1, max: 40 * minute }))
    const spans = fc.array(span, { maxLength: 5 })
    fc.assert(
      fc.property(spans, fc.integer({ min: 0, max: 40 }), (all, count) => {
        const times = all.map(([start, length]) => ({
          start: time('10:00:00') + start,
          end: time('10:00:00') + start + length,
        }))
        const now = time('10:00:00') + count * minute
        const seen: number[] = []
        let done = time('10:00:00')
        for (let more = true; more;) {
          const { windows, uncertain, hasMore } = dueWindows({ interval: '1m' }, now, done, times)
          expect(windows.length === 0 || uncertain.length === 0).toBe(true)
          seen.push(...[...windows, ...uncertain].map(({ end }) => end))
          done = seen.at(-1) ?? done
          more = hasMore
        }
        expect(seen).toEqual(Array.from({ length: count }, (_, at) => time('10:01:00') + at * minute))
      }),
    )
  })
})
