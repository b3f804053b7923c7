import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { thresholdTypes } from '#contract/stack/alerts.ts'
import { evaluate, replay, type Evaluated } from './evaluate.ts'
import { goneAfterMs, type AlertRule, type GroupValue, type WindowValues } from './evaluateWindow.ts'
import type { GroupState } from './groupState.ts'
import type { PastSilence } from './silence.ts'
import { alertModel, type ModelResult } from './testing/alertModel.ts'
import { violates } from './threshold.ts'

const minute = 60_000
const rule = (changes: Partial<AlertRule> = {}): AlertRule => ({
  alertId: 'a',
  grouped: false,
  threshold: 5,
  thresholdType: 'above',
  ...changes,
})
const of = (key: string, value: number): GroupValue => ({
  key,
  group: key === '' ? null : { service: key.replace('service:', '') },
  value,
})
/** One window a minute: a number is the value without groups, null is no row. */
const windowsOf = (all: readonly (number | null | readonly GroupValue[])[], from = 0): WindowValues[] =>
  all.map((values, at) => ({
    start: (from + at) * minute,
    end: (from + at + 1) * minute,
    values: values === null ? [] : typeof values === 'number' ? [of('', values)] : values,
  }))
const states = ({ evaluations }: Pick<Evaluated, 'evaluations'>) => evaluations.map(({ state }) => state)
const shown = ({ events }: Pick<Evaluated, 'events'>) =>
  events.map(({ state, groupKey, end, value }) => `${end / minute} ${groupKey}${groupKey && ' '}${state} ${value}`)

test.each<[string, number | undefined, number[], number[]]>([
  ['above', undefined, [5, 6], [4]],
  ['above_exclusive', undefined, [6], [4, 5]],
  ['below', undefined, [4], [5, 6]],
  ['below_or_equal', undefined, [4, 5], [6]],
  ['equal', undefined, [5], [4, 6]],
  ['not_equal', undefined, [4, 6], [5]],
  ['between', 7, [5, 6, 7], [4, 8]],
  ['not_between', 7, [4, 8], [5, 7]],
])('%s', (thresholdType, thresholdMax, bad, good) => {
  const threshold = { threshold: 5, thresholdType, thresholdMax }
  for (const value of bad) expect(violates(threshold, value)).toBe(true)
  for (const value of good) expect(violates(threshold, value)).toBe(false)
})

describe('without groups', () => {
  test('fires and recovers', () => {
    const run = replay(rule(), windowsOf([1, 7, 8, 2, 2]))
    expect(states(run)).toEqual(['OK', 'ALERT', 'ALERT', 'OK', 'OK'])
    expect(shown(run)).toEqual(['2 ALERT 7', '4 OK 2'])
    expect(run.evaluations[1]).toEqual({
      start: minute,
      end: 2 * minute,
      state: 'ALERT',
      counts: 1,
      value: 7,
      noRows: false,
    })
  })

  test('an empty window counts as 0', () => {
    const run = replay(rule(), windowsOf([7, null]))
    expect(states(run)).toEqual(['ALERT', 'OK'])
    expect(run.evaluations.map(({ noRows }) => noRows)).toEqual([false, true])
    expect(shown(replay(rule({ thresholdType: 'below' }), windowsOf([7, null])))).toEqual(['2 ALERT 0'])
  })

  test('consecutive windows, in passes of any size', () => {
    const windows = windowsOf([7, 7, 7, 1, 7, 7, 1])
    const expected = ['PENDING', 'PENDING', 'ALERT', 'OK', 'PENDING', 'PENDING', 'OK']
    expect(states(replay(rule({ numConsecutiveWindows: 3 }), windows))).toEqual(expected)
    const once = evaluate({ rule: rule({ numConsecutiveWindows: 3 }), windows, groups: [], now: 7 * minute })
    expect(states(once)).toEqual(expected)
    expect(shown(once)).toEqual(['3 ALERT 7', '4 OK 1'])
  })

  test('a window that was never evaluated restarts the count', () => {
    const before = evaluate({ rule: rule({ numConsecutiveWindows: 2 }), windows: windowsOf([7]), groups: [], now: 0 })
    const later = windowsOf([7, 7], 3)
    const after = evaluate({
      rule: rule({ numConsecutiveWindows: 2 }),
      windows: later,
      groups: before.groups,
      now: 0,
    })
    expect(states(after)).toEqual(['PENDING', 'ALERT'])
  })

  test('repeats while it fires, if it has an interval for that', () => {
    const windows = windowsOf([7, 7, 7, 7, 7, 1])
    expect(shown(replay(rule({ renotifyIntervalMinutes: 2 }), windows))).toEqual([
      '1 ALERT 7',
      '3 ALERT 7',
      '5 ALERT 7',
      '6 OK 1',
    ])
    expect(replay(rule({ renotifyIntervalMinutes: 2 }), windows).events.map(({ cause }) => cause)).toEqual([
      'changed',
      'repeated',
      'repeated',
      'changed',
    ])
    expect(replay(rule({ renotifyIntervalMinutes: 0 }), windows).events).toHaveLength(6)
    expect(replay(rule(), windows).events).toHaveLength(2)
  })
})

describe('with groups', () => {
  const grouped = rule({ grouped: true })

  test('each fires and recovers by itself', () => {
    const run = replay(grouped, windowsOf([[of('service:a', 7), of('service:b', 1)], [of('service:b', 9)], []]))
    expect(shown(run)).toEqual(['1 service:a ALERT 7', '2 service:a OK 0', '2 service:b ALERT 9', '3 service:b OK 0'])
    expect(states(run)).toEqual(['ALERT', 'ALERT', 'OK'])
    expect(run.events[0]?.group).toEqual({ service: 'a' })
    expect(run.evaluations[1]).toMatchObject({
      counts: 1,
      value: 9,
      groupsTotal: 2,
      groups: [
        { key: 'service:b', state: 'ALERT', value: 9, noRows: false },
        { key: 'service:a', state: 'OK', value: 0, noRows: true },
      ],
    })
  })

  test('one of several rows of a group that violates counts', () => {
    expect(shown(replay(grouped, windowsOf([[of('service:a', 7), of('service:a', 1)]])))).toEqual([
      '1 service:a ALERT 7',
    ])
  })

  test('no rows of any group fire once, if 0 violates the threshold', () => {
    const below = rule({ grouped: true, thresholdType: 'below' })
    const run = replay(below, windowsOf([[], [], [of('service:a', 9)]]))
    expect(shown(run)).toEqual(['1 ALERT 0', '3 OK 0'])
    expect(run.events[0]).toMatchObject({ groupKey: '', group: null })
    expect(states(run)).toEqual(['ALERT', 'ALERT', 'OK'])
  })

  test('a firing group without rows keeps firing if 0 violates the threshold, for a day', () => {
    const below = rule({ grouped: true, thresholdType: 'below' })
    const others = Array.from({ length: goneAfterMs / minute + 1 }, () => [of('service:b', 9)])
    const run = replay(below, windowsOf([[of('service:a', 1)], ...others]))
    expect(shown(run)).toEqual(['1 service:a ALERT 1', `${goneAfterMs / minute + 1} service:a OK 0`])
  })

  test('a group that was never tracked does not fire when it is missing', () => {
    const below = rule({ grouped: true, thresholdType: 'below' })
    const run = replay(below, windowsOf([[of('service:a', 9), of('service:b', 9)], [of('service:b', 9)]]))
    expect(run.events).toEqual([])
  })

  test('at most 50 are kept, and all are counted', () => {
    const values = Array.from({ length: 70 }, (_, at) => of(`service:${at}`, at))
    const [kept] = replay(grouped, windowsOf([values])).evaluations
    expect(kept).toMatchObject({ counts: 65, groupsTotal: 70, value: 69 })
    expect(kept?.groups).toHaveLength(50)
  })
})

describe('silences', () => {
  /** One pass a minute over one window. */
  function run(
    values: readonly (number | null | GroupValue[])[],
    silences: PastSilence[],
    changes: Partial<AlertRule> = {},
  ) {
    let groups: GroupState[] = []
    return windowsOf(values).map((window) => {
      const one = evaluate({ rule: rule(changes), windows: [window], groups, silences, now: window.end })
      groups = one.groups
      return one
    })
  }
  const sent = (passes: readonly Evaluated[]) => passes.flatMap(shown)
  const until = (minutes: number, group?: string): PastSilence[] => [{ from: 0, until: minutes * minute, group }]

  test('what fires inside is kept, and its end tells what still fires', () => {
    const passes = run([7, 8, 9, 9, 1], until(3))
    expect(sent(passes)).toEqual(['3 ALERT 9', '5 OK 1'])
    expect(passes[0]?.suppressed).toHaveLength(1)
    expect(passes[0]?.evaluations[0]).toMatchObject({ state: 'ALERT', silenced: true })
    expect(passes[2]?.events[0]?.cause).toBe('silence_ended')
  })

  test('what fires and recovers inside is not sent', () => {
    expect(sent(run([7, 1, 1, 1], until(3)))).toEqual([])
  })

  test('a recovery is not sent to receivers that do not know of the firing', () => {
    expect(sent(run([7, 7, 1], until(3)))).toEqual([])
  })

  test('a recovery inside is sent at the end', () => {
    let groups = run([7], [])[0]?.groups ?? []
    const inside = evaluate({ rule: rule(), windows: windowsOf([1], 1), groups, silences: until(4), now: 2 * minute })
    expect(inside.events).toEqual([])
    expect(inside.state).toBe('OK')
    groups = inside.groups
    const end = evaluate({ rule: rule(), windows: [], groups, silences: until(4), now: 4 * minute })
    expect(shown(end)).toEqual(['2 OK 1'])
    expect(end.groups).toEqual([])
  })

  test('the end is sent without a new window', () => {
    const [fired] = run([7], until(3))
    const end = evaluate({
      rule: rule(),
      windows: [],
      groups: fired?.groups ?? [],
      silences: until(3),
      now: 3 * minute,
    })
    expect(shown(end)).toEqual(['1 ALERT 7'])
    expect(evaluate({ rule: rule(), windows: [], groups: end.groups, now: 4 * minute }).events).toEqual([])
  })

  test('of one group leave the others', () => {
    const values = [[of('service:a', 7), of('service:b', 7)]]
    expect(sent(run(values, until(3, 'service:a'), { grouped: true }))).toEqual(['1 service:b ALERT 7'])
  })

  describe('of windows that are evaluated late', () => {
    const late = (values: number[], silences: PastSilence[], now: number, groups: readonly GroupState[] = []) =>
      evaluate({ rule: rule(), windows: windowsOf(values), groups, silences, now: now * minute })
    const fired = () => replay(rule(), windowsOf([7])).events

    test('suppress what was due inside, also after their end, and what still fires is sent then', () => {
      const pass = late([7, 8], until(3), 10)
      expect(shown(pass)).toEqual([])
      expect(pass.evaluations.map(({ silenced }) => silenced)).toEqual([true, undefined])
      expect(pass.suppressed).toEqual(fired())
      const next = evaluate({ rule: rule(), windows: [], groups: pass.groups, silences: until(3), now: 11 * minute })
      expect(shown(next)).toEqual(['2 ALERT 8'])
      expect(next.events[0]?.cause).toBe('silence_ended')
    })

    test('suppress nothing that was due after their end', () => {
      expect(shown(late([7, 1, 1, 1, 7], until(3), 10))).toEqual(['5 ALERT 7'])
      expect(shown(late([7, 7, 7, 7], until(3), 10))).toEqual(['4 ALERT 7'])
    })

    test('suppress what is sent inside, although it was due before', () => {
      const silence = { from: 5 * minute, until: 20 * minute }
      expect(shown(late([7, 8], [silence], 10))).toEqual([])
    })

    test('suppress nothing if they began after it was due, and ended before it is sent', () => {
      const silence = { from: 3 * minute, until: 8 * minute }
      expect(shown(late([7, 8], [silence], 10))).toEqual(['1 ALERT 7'])
    })

    test('suppress a recovery, which is sent at their end to receivers that know of the firing', () => {
      const before = replay(rule(), windowsOf([7], -1))
      const { groups } = evaluate({ rule: rule(), windows: windowsOf([7], -1), groups: [], now: 0 })
      expect(before.events).toHaveLength(1)
      const pass = late([1], until(3), 10, groups)
      expect(shown(pass)).toEqual([])
      const next = evaluate({ rule: rule(), windows: [], groups: pass.groups, silences: until(3), now: 11 * minute })
      expect(shown(next)).toEqual(['1 OK 1'])
    })

    test('whenever they are set and end, a late pass tells what passes on time would have told in the end', () => {
      const values = fc.array(fc.integer({ min: 4, max: 6 }), { minLength: 1, maxLength: 12 })
      const times = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 12 }))
      const silencesOf = (all: readonly (readonly [number, number])[]): PastSilence[] =>
        all.map(([from, length]) => ({ from: from * minute, until: (from + length) * minute }))
      fc.assert(
        fc.property(values, fc.array(times, { maxLength: 2 }), (all, spans) => {
          const silences = silencesOf(spans)
          const windows = windowsOf(all)
          let groups: readonly GroupState[] = []
          const onTime = windows.flatMap((window) => {
            const set = silences.filter(({ from }) => from <= window.end)
            const one = evaluate({ rule: rule(), windows: [window], groups, silences: set, now: window.end })
            groups = one.groups
            return one.events
          })
          const now = 100 * minute
          onTime.push(...evaluate({ rule: rule(), windows: [], groups, now }).events)
          const first = evaluate({ rule: rule(), windows, groups: [], silences, now })
          const next = evaluate({ rule: rule(), windows: [], groups: first.groups, now })
          // Nothing was due inside of a silence.
          for (const { end } of first.events)
            expect(silences.some(({ from, until }) => from <= end && end < until)).toBe(false)
          const lastOf = (events: readonly { state: string }[]) => events.at(-1)?.state ?? 'OK'
          expect(lastOf([...first.events, ...next.events])).toBe(lastOf(onTime))
        }),
      )
    })
  })

  test('the end of a silence is not told while windows are left out, but with the next window that is evaluated', () => {
    const groups = run([7], until(3))[0]?.groups ?? []
    const left = evaluate({ rule: rule(), windows: [], groups, now: 60 * minute, outdated: true })
    expect(left).toMatchObject({ events: [], state: 'ALERT' })
    const again = evaluate({ rule: rule(), windows: [], groups: left.groups, now: 61 * minute })
    expect(again).toMatchObject({ events: [], state: 'ALERT' })
    const windows = windowsOf([8], 61)
    const next = evaluate({ rule: rule(), windows, groups: again.groups, now: 62 * minute })
    expect(shown(next)).toEqual(['62 ALERT 8'])
    expect(next.groups[0]).not.toHaveProperty('outdated')
  })
})

const rules = fc.record({
  grouped: fc.boolean(),
  thresholdType: fc.constantFrom(...thresholdTypes),
  threshold: fc.integer({ min: 0, max: 3 }),
  thresholdMax: fc.integer({ min: 3, max: 4 }),
  numConsecutiveWindows: fc.option(fc.integer({ min: 1, max: 3 })),
})
const ofGroups = fc
  .dictionary(fc.constantFrom('x:1', 'x:2', 'x:3'), fc.integer({ min: 0, max: 4 }))
  .map((all) => Object.entries(all).map(([key, value]) => of(key, value)))
const single = fc.option(fc.integer({ min: 0, max: 4 }))
const values = (grouped: boolean) =>
  fc.array<number | null | GroupValue[]>(grouped ? ofGroups : single, { minLength: 1, maxLength: 25 })
const cases = rules.chain((changes) =>
  fc.record({
    changes: fc.constant(changes),
    values: values(changes.grouped),
    sizes: fc.array(fc.integer({ min: 1, max: 5 })),
  }),
)

test('equals the model, in passes of any size', () => {
  fc.assert(
    fc.property(cases, ({ changes, values, sizes }) => {
      const one = rule(changes)
      const windows = windowsOf(values)
      const expected = alertModel(one, windows)
      const replayed = replay(one, windows)
      expect(states(replayed)).toEqual(expected.states)
      const text = ({ end, groupKey, state }: ModelResult['changes'][number]) => `${end / minute} ${groupKey} ${state}`
      expect(replayed.events.map(text).toSorted()).toEqual(expected.changes.map(text).toSorted())

      let groups: GroupState[] = []
      const chunked: string[] = []
      for (let at = 0, pass = 0; at < windows.length; pass++) {
        const size = sizes[pass] ?? 1
        const evaluated = evaluate({ rule: one, windows: windows.slice(at, at + size), groups, now: at * minute })
        chunked.push(...states(evaluated))
        // Receivers know the actual state, after every pass.
        for (const group of evaluated.groups) expect(group.notified).toBe(group.state === 'ALERT')
        for (const key of new Set(evaluated.events.map(({ groupKey }) => groupKey))) {
          const all = evaluated.events.filter(({ groupKey }) => groupKey === key)
          expect(all.length).toBeLessThanOrEqual(2)
        }
        groups = evaluated.groups
        at += size
      }
      expect(chunked).toEqual(expected.states)
    }),
    { numRuns: 500 },
  )
})
