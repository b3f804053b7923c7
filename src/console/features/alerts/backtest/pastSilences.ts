/** The silences of an alert, as the backtest compares them with the past. */
import type { Alert } from '#contract/stack/alerts.ts'
import { readRecurrence, type PastSilence } from '#domain/alerting/silence.ts'

export function pastSilences(alert: Pick<Alert, 'silenced' | 'silencedGroups'> | undefined): PastSilence[] {
  const { silenced, silencedGroups } = alert ?? {}
  const all = [...(silenced ? [{ ...silenced, group: null }] : []), ...(silencedGroups ?? [])]
  // Without its start, it is not known which firings are inside.
  return all.flatMap(({ group, at, until, recurring }): PastSilence[] => {
    if (at === undefined) return []
    return [
      {
        group,
        from: Date.parse(at),
        until: until === undefined ? Infinity : Date.parse(until),
        ...(recurring && { recurring: readRecurrence(recurring) }),
      },
    ]
  })
}
