/** The slow and obvious model of alerts for tests: the whole past of every group, for every window. */
import type { AlertRule, WindowValues } from '../evaluateWindow.ts'
import { violates } from '../threshold.ts'

export interface ModelResult {
  /** The state of each window. */
  states: string[]
  /** Groups that began to fire or recovered. */
  changes: { end: number; groupKey: string; state: 'ALERT' | 'OK' }[]
}

/** Knows neither silences nor groups that are gone for a day. `windows` follow each other. */
export function alertModel(rule: AlertRule, windows: readonly WindowValues[]): ModelResult {
  const needed = rule.numConsecutiveWindows ?? 1
  const keys = [...new Set(['', ...windows.flatMap(({ values }) => values.map(({ key }) => key))])]
  const past = new Map(keys.map((key): [string, string[]] => [key, []]))
  const result: ModelResult = { states: [], changes: [] }
  windows.forEach((window, at) => {
    for (const [groupKey, all] of past) {
      const value = window.values.find(({ key }) => key === groupKey)?.value
      const before = all[at - 1] ?? 'OK'
      // Without rows, 0 counts: for an alert without groups, or without rows of any group, or a group that is not OK.
      const counts = groupKey === '' ? window.values.length === 0 || !rule.grouped : before !== 'OK'
      const bad = value !== undefined ? violates(rule, value) : counts && violates(rule, 0)
      const run = bad && at >= needed - 1 && all.slice(at - needed + 1).every((state) => state !== 'OK')
      const state = !bad ? 'OK' : before === 'ALERT' || run ? 'ALERT' : 'PENDING'
      all.push(state)
      if ((before === 'ALERT') !== (state === 'ALERT')) {
        result.changes.push({ end: window.end, groupKey, state: state === 'ALERT' ? 'ALERT' : 'OK' })
      }
    }
    const now = [...past.values()].map((all) => all[at])
    result.states.push(now.includes('ALERT') ? 'ALERT' : now.includes('PENDING') ? 'PENDING' : 'OK')
  })
  return result
}
