/** Links to the rows behind the windows of an alert. */
import { useCallback, useMemo } from 'react'
import { useOffer } from '#console/api/offers/offers.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { SearchLink } from '#console/charting/search/searchLink.ts'
import { watchedRowsLink } from '#console/charting/search/watchedRowsLink.ts'
import { search } from '#contract/stack/search.ts'
import type { AlertHistory } from './history/useAlertHistory.ts'
import type { EvaluatedWindow } from './model/evaluatedWindows.ts'
import { firingSince } from './model/evaluatedWindows.ts'
import type { Firing } from './model/facts.ts'

type LinkOf = (times: { start: number; end: number }, group: string | null) => SearchLink | null

export interface WatchedRows {
  linkOf: LinkOf
  /** False if there is a link for no window, not even once the query is known. */
  mayLink: boolean
  /** The rows of the newest firing or window; null where there are none, or they have no link, for this reason. */
  newest: { link: SearchLink | null; reason: string | undefined }
}

export function useWatchedRows({ watched, evaluations: { windows }, firings }: AlertHistory): WatchedRows {
  const { offered, reason } = useOffer(useConnection(), 'search', search.query.variants)
  const request = watched.kind === 'read' ? watched.request : null
  const linkOf = useCallback<LinkOf>(
    ({ start, end }, group) => (offered && request ? watchedRowsLink(request, { from: start, to: end }, group) : null),
    [offered, request],
  )
  const link = useMemo(() => {
    const times = shownTimes(windows, firings)
    return times && linkOf(times, null)
  }, [windows, firings, linkOf])
  const none = watched.kind === 'unavailable' ? watched.sentence : 'The query of the alert is not known yet.'
  const noRows = request && !watchedRowsLink(request, { from: 0, to: 1 }, null) && 'Metrics have no rows to search.'
  const mayLink = offered && (watched.kind === 'loading' || (request !== null && !noRows))
  return { linkOf, mayLink, newest: { link, reason: offered ? (request ? noRows || undefined : none) : reason } }
}

/**
 * The newest firing as far as it is known, or else the newest window; null without windows.
 *
 * @param firings newest first: those of the history reach farther back than the windows
 */
export function shownTimes(
  windows: readonly EvaluatedWindow[] | undefined,
  firings: readonly Firing[] | undefined,
): { start: number; end: number } | null {
  const at = windows?.findIndex(({ state }) => state === 'firing') ?? -1
  const newest = windows?.[Math.max(0, at)]
  if (!windows || !newest) return null
  const length = newest.end - newest.start
  const last = firings?.[0]
  // A firing that is over ends with a window that did not violate the threshold.
  if (at === -1 && last)
    return { start: last.from - length, end: Math.max(last.from, (last.to ?? newest.end) - length) }
  const firing = firingSince(windows, at, null)
  if (!firing) return { start: newest.start, end: newest.end }
  // Where the windows begin within the firing, the history knows when it began.
  const since = firing.earlier && last ? Math.min(firing.since, last.from) : firing.since
  return { start: since - length, end: newest.end }
}
