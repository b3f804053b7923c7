import { expect, test } from 'vitest'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import type { EvaluatedWindow, WindowState } from './evaluatedWindows.ts'
import { factsOf, firingsOfCrossings, firingsOfWindows, type Firing } from './facts.ts'

const minute = 60_000
const now = Date.parse('2026-01-31T12:00:00Z')
const iso = (minutesAgo: number) => new Date(now - minutesAgo * minute).toISOString()

/** Windows of a minute with these states, newest first; the newest ends now. */
const windowsOf = (...states: WindowState[]): EvaluatedWindow[] =>
  states.map((state, at) => ({
    start: now - (at + 1) * minute,
    end: now - at * minute,
    state,
    value: 1,
    groups: null,
    groupsTotal: 0,
    noRows: false,
    silenced: false,
    readMs: null,
    problem: null,
  }))

function factOf(label: string, firings: readonly Firing[] | undefined): string | null | undefined {
  const alert = alertOnTile({ state: 'ALERT' })
  const facts = factsOf({
    alert,
    firings,
    windows: undefined,
    deliveries: undefined,
    moreDeliveries: false,
    length: minute,
    now,
  })
  return facts.find((fact) => fact.label === label)?.value
}

test('since when it fires, from the windows', () => {
  expect(factOf('Firing since', firingsOfWindows(windowsOf('firing', 'firing', 'ok')))).toMatch(/^\d\d:\d\d, 1 min$/)
})

test('of a firing that is older than the windows, it is known that it was before', () => {
  const since = factOf('Firing since', firingsOfWindows(windowsOf('firing', 'unread', 'firing', 'unread')))
  expect(since).toMatch(/^before \d\d:\d\d, over 2 min$/)
  expect(factOf('Last fired', firingsOfWindows(windowsOf('ok', 'firing')))).toMatch(/^before /)
})

test('of a firing at the start of the history, it is known that it was before', () => {
  const pinned = { createdAt: iso(90), state: 'ALERT', bucketStart: iso(90) }
  const begun = { createdAt: iso(90), state: 'ALERT', bucketStart: iso(91) }
  expect(factOf('Firing since', firingsOfCrossings([pinned]))).toMatch(/^before .*, over 1 h 30 min$/)
  expect(factOf('Firing since', firingsOfCrossings([begun]))).toMatch(/^\d\d:\d\d, 1 h 30 min$/)
})

test('without a history it is unknown', () => {
  expect(factOf('Firing since', undefined)).toBe('unknown')
})

test('nothing is said to be unknown while it is being read', () => {
  const all = { alert: alertOnTile({ state: 'ALERT' }), length: minute, now, moreDeliveries: false }
  const nothing = { firings: undefined, windows: undefined, deliveries: undefined }
  const reading = { windows: true, firings: true, deliveries: true }
  expect(factsOf({ ...all, ...nothing, reading }).map(({ value }) => value)).toEqual(Array(5).fill(null))
  expect(factsOf({ ...all, ...nothing, reading: { ...reading, windows: false } }).map(({ value }) => value)).toEqual([
    null,
    'unknown',
    null,
    'unknown',
    null,
  ])
  // A fact that was read stays while it is read again.
  expect(
    factsOf({ ...all, alert: alertOnTile({ state: 'OK' }), firings: [], windows: [], deliveries: [], reading }).map(
      ({ value }) => value,
    ),
  ).not.toContain(null)
})

test('the value of a window without rows and groups', () => {
  const empty = windowsOf('ok').map((window) => ({ ...window, value: null, groups: [], noRows: true }))
  const known = { firings: [], deliveries: undefined, moreDeliveries: false, length: minute, now }
  const facts = factsOf({ alert: alertOnTile({ state: 'OK' }), windows: empty, ...known })
  expect(facts.find(({ label }) => label === 'Highest now')?.value).toBe('none, no row matched')
})

test('an alert without a window has no value yet, and never fired', () => {
  const known = { firings: [], deliveries: undefined, moreDeliveries: false, length: minute, now }
  const facts = factsOf({ alert: alertOnTile({ state: 'OK' }), windows: [], ...known })
  expect(facts.map(({ value }) => value)).toEqual(['none yet', 'unknown', 'never', 'never'])
})

test('the last evaluation is the one that the deployment tells of, not one that was computed', () => {
  const known = { firings: [], deliveries: undefined, moreDeliveries: false, length: minute, now }
  const lastEvaluated = (windows: EvaluatedWindow[]) =>
    factsOf({ alert: alertOnTile({ state: 'OK' }), windows, recorded: windowsOf('ok', 'ok').slice(1), ...known }).find(
      ({ label }) => label === 'Last evaluated',
    )?.value
  for (const computed of [[], windowsOf('ok')]) expect(lastEvaluated(computed)).toMatch(/:59, next at \d\d:00$/)
})
