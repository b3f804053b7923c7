import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { replay } from '#domain/alerting/evaluate.ts'
import {
  changesOf,
  computedWindows,
  firingGroups,
  firingSince,
  firingSpans,
  stripRuns,
  windowOfHistory,
  windowOfReplay,
  type EvaluatedWindow,
  type WindowState,
} from './evaluatedWindows.ts'
import { formatWindowState } from './evaluationLabels.ts'
import { firingsOfWindows } from './facts.ts'

const minute = 60_000
const iso = (minutes: number) => new Date(minutes * minute).toISOString()

/** Windows of a minute with these states, newest first. */
const windowsOf = (states: readonly WindowState[]): EvaluatedWindow[] =>
  states
    .map((state, at) => ({
      start: at * minute,
      end: (at + 1) * minute,
      state,
      value: 1,
      groups: null,
      groupsTotal: 0,
      noRows: false,
      silenced: false,
      readMs: null,
      problem: null,
    }))
    .toReversed()

test('a window of the history', () => {
  const evaluation = {
    createdAt: iso(2),
    state: 'ALERT',
    counts: 2,
    lastValues: [{ startTime: iso(1), count: 5 }],
    groups: [
      { group: 'service:a', state: 'ALERT', counts: 1, lastValue: 5, fired: true },
      { group: 'service:b', state: 'ALERT', counts: 1, lastValue: 9, fired: false },
      { group: 'service:c', state: 'OK', counts: 0, lastValue: 0, noRows: true },
    ],
    groupsTotal: 7,
    analytics: { queryDurationMs: 12 },
  }
  expect(windowOfHistory(evaluation, minute)).toMatchObject({
    start: minute,
    end: 2 * minute,
    state: 'firing',
    value: 9,
    groups: [{ state: 'firing' }, { state: 'pending' }, { state: 'ok', noRows: true }],
    groupsTotal: 7,
    readMs: 12,
    problem: null,
  })
})

test.each(['INSUFFICIENT_DATA', 'ERROR', 'NEW_STATE'])('a window of state %s could not be read', (state) => {
  const errors = [{ type: 'QUERY_TIMEOUT', message: 'Timed out.' }]
  const window = windowOfHistory({ createdAt: iso(2), state, counts: 0, lastValues: [], errors }, minute)
  expect(window).toMatchObject({ start: minute, state: 'unread', value: null, problem: 'Timed out.' })
})

test('the replay of a chart query gives the same windows', () => {
  const rule = { alertId: 'a', grouped: false, threshold: 3, thresholdType: 'above' }
  const values = [1, 4, 5, 0].map((value, at) => ({
    start: at * minute,
    end: (at + 1) * minute,
    values: value === 0 ? [] : [{ key: '', group: null, value }],
  }))
  const { evaluations } = replay(rule, values)
  const windows = evaluations.map(windowOfReplay).toReversed()
  expect(windows.map(({ state, noRows }) => [state, noRows])).toEqual([
    ['ok', true],
    ['firing', false],
    ['firing', false],
    ['ok', false],
  ])
  expect(firingSpans(windows)).toEqual([{ from: 2 * minute, to: 3 * minute }])
})

test('the number of firing groups says when there may be more', () => {
  const group = { key: 'a', state: 'firing' as const, value: 1, noRows: false }
  const [window] = windowsOf(['firing'])
  expect(firingGroups({ ...window!, groups: [group], groupsTotal: 1 })).toEqual({ count: 1, atLeast: false })
  expect(firingGroups({ ...window!, groups: [group], groupsTotal: 60 })).toEqual({ count: 1, atLeast: true })
})

test('since when it fires', () => {
  expect(firingSince(windowsOf(['ok', 'firing', 'unread', 'firing']), 0, null)).toEqual({
    since: 2 * minute,
    earlier: false,
  })
  expect(firingSince(windowsOf(['firing', 'firing']), 0, null)).toEqual({ since: minute, earlier: true })
  expect(firingSince(windowsOf(['firing', 'ok']), 0, null)).toBeNull()
})

const states = array(constantFrom<WindowState>('firing', 'pending', 'ok', 'unread'), { maxLength: 40 })

test('the runs of the strip have every window once, in order', () => {
  assert(
    property(states, (all) => {
      const windows = windowsOf(all)
      const runs = stripRuns(windows)
      expect(runs.reduce((sum, { count }) => sum + count, 0)).toBe(all.length)
      expect(runs.flatMap(({ state, count }) => Array.from({ length: count }, () => state))).toEqual(all)
      runs.slice(1).forEach(({ from, state }, at) => expect([from, state]).not.toEqual([runs[at]!.to, runs[at]!.state]))
    }),
  )
})

test('every change and the newest window are shown, and no other one', () => {
  assert(
    property(states, (all) => {
      const changes = changesOf(windowsOf(all), true).map(({ start }) => start / minute)
      expect(changes.toReversed()).toEqual(
        all.flatMap((state, at) => (at === 0 || at === all.length - 1 || state !== all[at - 1] ? at : [])),
      )
    }),
  )
})

test('a window that was skipped says so itself', () => {
  const at = Date.UTC(2026, 2, 2, 10)
  const evaluation = { createdAt: new Date(at).toISOString(), state: 'INSUFFICIENT_DATA', counts: 0, lastValues: [] }
  const text = (type: string, message: string) =>
    formatWindowState([windowOfHistory({ ...evaluation, errors: [{ type, message }] }, 60_000)], 0, at)
  expect(text('CLOCK_CHANGED', 'Not evaluated: the clock changed.')).toBe('Not evaluated: the clock changed.')
  expect(text('QUERY_TIMEOUT', 'Timed out.')).toBe('Could not be read: Timed out.')
})

test('computed windows begin with the alert, which did not fire before it was created', () => {
  const windows = [0, 1, 2, 3].map((at) => ({
    start: at * minute,
    end: (at + 1) * minute,
    values: [{ key: '', group: null, value: 9 }],
  }))
  const read = { windows, grouped: false }
  const alert = (createdAt: number) =>
    alertOnTile({ threshold: 5, thresholdType: 'above', createdAt: new Date(createdAt).toISOString() })
  const old = computedWindows(alert(-minute), read)
  expect(old.map(({ end, state }) => [end / minute, state])).toEqual([4, 3, 2, 1].map((end) => [end, 'firing']))
  expect(firingSince(old, 0, null)).toEqual({ since: minute, earlier: true })

  const young = computedWindows(alert(2.5 * minute), read)
  expect(young.map(({ end }) => end / minute)).toEqual([4, 3])
  expect(firingSince(young, 0, null)).toEqual({ since: 3 * minute, earlier: false })
  expect(firingsOfWindows(young)).toEqual([{ from: 3 * minute, to: null }])
  expect(computedWindows(alert(9 * minute), read)).toEqual([])
})
