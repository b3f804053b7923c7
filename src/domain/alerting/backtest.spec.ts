import { array, assert, constant, constantFrom, dictionary, integer, oneof, option, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { thresholdTypes } from '#contract/stack/alerts.ts'
import { backtest } from './backtest.ts'
import { backtestWarnings } from './backtestWarnings.ts'
import { compact, countFirings, violations } from './compactWindows.ts'
import { replay } from './evaluate.ts'
import type { AlertRule, WindowValues } from './evaluateWindow.ts'
import { sweep } from './sweep.ts'

const minute = 60_000

function windowsOf(values: readonly Record<string, number>[], length = minute): WindowValues[] {
  return values.map((groups, at) => ({
    start: at * length,
    end: (at + 1) * length,
    values: Object.entries(groups).map(([name, value]) => ({
      key: name === '' ? '' : `g:${name}`,
      group: name === '' ? null : { g: name },
      value,
    })),
  }))
}

const rule: AlertRule = { alertId: 'a', grouped: false, threshold: 5, thresholdType: 'above' }
const of = (...values: (number | null)[]) =>
  windowsOf(values.map((value): Record<string, number> => (value === null ? {} : { '': value })))

const anyRule = record({
  alertId: constant('a'),
  threshold: integer({ min: -1, max: 5 }),
  thresholdType: constantFrom(...thresholdTypes),
  thresholdMax: integer({ min: 5, max: 7 }),
  numConsecutiveWindows: option(integer({ min: 1, max: 4 })),
})
const anyValue = integer({ min: -1, max: 8 })
const anyCase = oneof(
  record({
    rule: anyRule.map((one): AlertRule => ({ ...one, grouped: false })),
    values: array(dictionary(constant(''), anyValue), { maxLength: 40 }),
    length: constant(minute),
  }),
  record({
    rule: anyRule.map((one): AlertRule => ({ ...one, grouped: true })),
    values: array(dictionary(constantFrom('a', 'b', 'c'), anyValue), { maxLength: 40 }),
    // Groups without rows are gone after a day.
    length: constantFrom(minute, 360 * minute, 1440 * minute),
  }),
)

describe('the fast computation equals the slow model, which replays every window, in', () => {
  test('the firings of each threshold', () => {
    assert(
      property(anyCase, ({ rule, values, length }) => {
        const windows = windowsOf(values, length)
        const fired = replay(rule, windows).events.filter(({ state }) => state === 'ALERT')
        const compacted = compact(windows, rule.grouped)
        expect(countFirings(rule, compacted)).toBe(fired.length)
        expect(backtest(rule, windows).firings.map(({ groupKey, firedAt }) => [groupKey, firedAt])).toEqual(
          fired.map(({ groupKey, end }) => [groupKey, end]),
        )
        // A run of violations is a firing, and as long as it.
        const needed = rule.numConsecutiveWindows ?? 1
        const runs = violations(rule, compacted).filter(({ fires }) => fires)
        const total = runs.reduce((sum, { count }) => sum + count - needed + 1, 0)
        const fires = replay(rule, windows).evaluations.reduce(
          (sum, { state, groups }) =>
            sum + (groups ? groups.filter((group) => group.state === 'ALERT').length : state === 'ALERT' ? 1 : 0),
          0,
        )
        expect(total).toBe(fires)
      }),
      { numRuns: 200 },
    )
  })

  test('the sweep', () => {
    assert(
      property(anyCase, ({ rule, values, length }) => {
        const windows = windowsOf(values, length)
        for (const { threshold, firings } of sweep(rule, windows, rule.grouped)?.points ?? []) {
          expect(firings).toBe(backtest({ ...rule, threshold }, windows).firings.length)
        }
      }),
    )
  })
})

test('firings have their time, length, peak and messages', () => {
  const { firings, firingMs, messages } = backtest({ ...rule, numConsecutiveWindows: 2 }, of(9, 1, 6, 7, 9, 2, 8, 8))
  expect(firings).toMatchObject([
    { start: 3 * minute, firedAt: 4 * minute, end: 6 * minute, durationMs: 2 * minute, peak: 9, messages: 2 },
    { start: 7 * minute, firedAt: 8 * minute, end: 8 * minute, stillFiring: true, peak: 8, messages: 1 },
  ])
  expect(firingMs).toBe(2 * minute)
  expect(messages.map(({ time }) => time)).toEqual([4 * minute, 6 * minute, 8 * minute])
})

test('many groups that fire together are one summary, and one when all are resolved', () => {
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`g${at}`, 9]))
  const { firings, messages } = backtest({ ...rule, grouped: true }, windowsOf([many, { g1: 9 }, { g1: 1 }]))
  expect(firings).toHaveLength(25)
  expect(messages).toEqual([
    { time: minute, groupKey: null },
    { time: 3 * minute, groupKey: null },
  ])
})

test('the sweep has at most 60 points, and suggests the middle of the widest flat region', () => {
  const wide = of(...Array.from({ length: 500 }, (_, at) => (at % 100 === 50 ? 1000 : at % 17)))
  const swept = sweep(rule, wide, false)
  expect(swept?.flat).toMatchObject({ to: 1000, firings: 5 })
  expect(swept?.flat?.suggested).toBeGreaterThan(16)
  const noise = of(...Array.from({ length: 3000 }, (_, at) => (at * 7919) % 2003))
  expect(sweep(rule, noise, false)?.points.length).toBeLessThanOrEqual(60)
  expect(sweep({ ...rule, thresholdType: 'between', thresholdMax: 9 }, wide, false)).toBeNull()
})

describe('warnings', () => {
  function kinds(changes: Partial<AlertRule>, windows: readonly WindowValues[], schedule = {}) {
    const tested = { ...rule, ...changes }
    const result = backtest(tested, windows)
    const swept = sweep(tested, windows, tested.grouped)
    return backtestWarnings({ rule: tested, windows, result, sweep: swept, schedule: { interval: '1m', ...schedule } })
  }

  test('tell no row matched apart from never fired', () => {
    expect(kinds({}, of(null, null))).toEqual([{ kind: 'noRowMatched' }])
    expect(kinds({}, of(1, 3, null))).toEqual([
      { kind: 'neverFires', closest: 3 },
      { kind: 'emptyWindows', empty: 1, total: 3 },
    ])
    expect(kinds({ thresholdType: 'below' }, of(9, null))).toContainEqual({ kind: 'emptyFires', empty: 1 })
  })

  test('name an alert that always fires, or flaps', () => {
    expect(kinds({}, of(...Array.from({ length: 20 }, () => 9)))[0]).toMatchObject({ kind: 'alwaysFires' })
    const flapping = of(...Array.from({ length: 20 }, (_, at) => (at % 2 ? 9 : 1)), 9, 9, 9, 1)
    expect(kinds({}, flapping)[0]).toEqual({
      kind: 'flaps',
      groupKey: '',
      times: 9,
      calmer: { windows: 2, firings: 1 },
    })
  })

  test('name a spike that consecutive windows held back', () => {
    expect(kinds({ numConsecutiveWindows: 3 }, of(1, 34, 8, 1, 6, 7, 8, 1))).toContainEqual({
      kind: 'heldBack',
      count: 1,
      start: minute,
      end: 3 * minute,
      windows: 2,
      groupKey: '',
      peak: 34,
    })
  })

  test('name numeric groups and long windows off the clock', () => {
    const windows = windowsOf([{ 500: 9 }, { 200: 1 }])
    expect(kinds({ grouped: true }, windows)).toContainEqual({ kind: 'numericGroup', column: 'g' })
    expect(kinds({}, of(1), { interval: '6h', scheduleOffsetMinutes: 30 })).toContainEqual({ kind: 'misaligned' })
  })
})
