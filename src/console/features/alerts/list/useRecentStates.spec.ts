import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { formatRecentStates, includedStates, lastChange, recentStates } from './useRecentStates.ts'

/** Newest first, a minute apart. */
const statesOf = (states: readonly string[], hasMore = false) =>
  recentStates(
    states.map((state, at) => ({ createdAt: new Date(3_600_000 - at * 60_000).toISOString(), state })),
    hasMore,
  )
const minutesBack = (iso: string | undefined) => (3_600_000 - Date.parse(iso ?? '')) / 60_000

test('the last change is the first window of the present state', () => {
  const change = lastChange(statesOf(['ALERT', 'ALERT', 'OK', 'ALERT']))
  expect(minutesBack(change?.at)).toBe(1)
  expect(change?.earlier).toBe(false)
})

test('without a change in the windows that were read, it was earlier, if there are earlier ones', () => {
  expect(lastChange(statesOf(['OK', 'OK'], true))?.earlier).toBe(true)
  expect(lastChange(statesOf(['OK', 'OK'], false))?.earlier).toBe(false)
  expect(lastChange(statesOf(['ERROR', 'INSUFFICIENT_DATA']))).toBeUndefined()
})

test('windows that were not read never change the answer', () => {
  const state = constantFrom('OK', 'ALERT', 'PENDING', 'INSUFFICIENT_DATA', 'ERROR')
  assert(
    property(array(state, { maxLength: 30 }), (states) => {
      const all = statesOf(states)
      const read = { ...all, windows: all.windows.filter((window) => window.state !== 'unread') }
      expect(lastChange(all)).toEqual(lastChange(read))
      const change = lastChange(all)
      const since = all.windows.filter(({ end, state }) => change && end >= change.at && state !== 'unread')
      expect(new Set(since.map((recentWindow) => recentWindow.state)).size).toBe(change ? 1 : 0)
    }),
  )
})

test('a list that includes the history needs no further requests', () => {
  const history = [{ createdAt: '2026-11-20T10:00:00Z', state: 'OK', noRows: true, counts: 0 }]
  expect(includedStates(alertOnTile({ history }))?.windows).toEqual([{ end: history[0]?.createdAt, state: 'empty' }])
  expect(includedStates(alertOnTile())).toBeUndefined()
  expect(includedStates(alertOnTile({ history: [] }))).toBeUndefined()
})

test('says the windows by state', () => {
  expect(formatRecentStates(statesOf(['ALERT', 'OK', 'OK', 'ERROR']).windows)).toBe(
    'Last 4 windows: 1 firing, 2 OK, 1 not read',
  )
  expect(formatRecentStates(statesOf(['ALERT']).windows)).toBe('Last window: 1 firing')
})
