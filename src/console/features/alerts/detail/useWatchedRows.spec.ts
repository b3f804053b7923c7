import { expect, test } from 'vitest'
import type { EvaluatedWindow, WindowState } from './model/evaluatedWindows.ts'
import { shownTimes } from './useWatchedRows.ts'

const length = 10
/** Windows that end at 100, 90, 80 …: newest first. */
const windowsOf = (...states: WindowState[]): EvaluatedWindow[] =>
  states.map((state, at) => ({
    start: 100 - at * length - length,
    end: 100 - at * length,
    state,
    value: 1,
    groups: null,
    groupsTotal: 0,
    noRows: false,
    silenced: false,
    readMs: null,
    problem: null,
  }))

test('the newest firing, from its first window', () => {
  expect(shownTimes(windowsOf('ok', 'firing', 'firing', 'ok'), undefined)).toEqual({ start: 70, end: 90 })
})

test('a firing in which the windows begin: from when it began according to the history', () => {
  const windows = windowsOf('ok', 'firing', 'firing')
  expect(shownTimes(windows, [{ from: 50, to: 100 }])).toEqual({ start: 40, end: 90 })
  expect(shownTimes(windows, undefined)).toEqual({ start: 70, end: 90 })
})

test('a firing before the windows: that of the history, without the window that resolved it', () => {
  expect(shownTimes(windowsOf('ok', 'ok'), [{ from: 30, to: 50 }])).toEqual({ start: 20, end: 40 })
})

test('the newest window if it never fired', () => {
  expect(shownTimes(windowsOf('ok', 'ok'), [])).toEqual({ start: 90, end: 100 })
  expect(shownTimes([], [])).toBeNull()
})
