import { skipToken, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { queryCharts } from '#console/charting/queryCharts.ts'
import { connectionsQuery } from '#console/api/connections.ts'
import { formatError } from '#console/api/errors.ts'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import type { SourceMatch } from '#console/charting/sourceMatch.ts'
import { charts, type ChartPoint } from '#contract/stack/charts.ts'
import type { Connection } from '#contract/console/connections.ts'
import { type Source, sources as sourceEndpoints } from '#contract/stack/sources.ts'
import { matchesOf, translateQuery } from './overlay.ts'
import type { ExplorerState } from './state.ts'
import type { ExplorerData } from './useExplorerData.ts'

export interface Overlay {
  /** Undefined if the address names one that is not there. */
  connection: Connection | undefined
  matches: readonly SourceMatch[]
  /** Sources of the other deployment, once they are read. */
  candidates: readonly Source[] | undefined
  /** Why nothing is overlaid, in a sentence; null if something is, or will be. */
  reason: string | null
  /** The reason is that it is not expected to offer charts; trying it would show. */
  notOffered: boolean
  points: readonly ChartPoint[] | undefined
}

/** The answer of a second connection to the question that is drawn; null if none is overlaid. */
export function useOverlay(
  own: Connection,
  state: ExplorerState,
  sources: readonly Source[],
  data: ExplorerData | undefined,
): Overlay | null {
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const other = connections.find(({ id }) => id === state.over && id !== own.id)
  const offer = useOffer(other, 'charts', charts.query.variants)
  const enabled = other !== undefined && offer.offered
  const otherSources = useQuery({
    ...q(other?.id ?? '', sourceEndpoints.list, {}),
    enabled,
    staleTime: 60_000,
  })
  const matches = otherSources.data ? matchesOf(state.series, sources, otherSources.data, state.match) : []
  const query = enabled && data && otherSources.data ? translateQuery(data.request.query, matches) : null
  // Everything but the clock: while only that moves on, the former answer stays.
  const question = query && JSON.stringify({ ...query, startTime: state.from, endTime: state.to })
  const answer = useQuery({
    queryKey: [other?.id, 'charts', 'overlay', question, query?.startTime, query?.endTime],
    queryFn:
      query && other ? ({ signal }) => queryCharts(other.id, query, otherSources.data ?? [], { signal }) : skipToken,
    placeholderData: (before, former) => (former?.queryKey[3] === question ? before : undefined),
  })
  if (state.over === '') return null
  const error = otherSources.error ?? answer.error
  const unmatched = matches.filter(({ to }) => to === null)
  return {
    connection: other,
    matches,
    candidates: otherSources.data,
    notOffered: other !== undefined && !offer.offered,
    reason: reasonOf(),
    points: query === null ? undefined : answer.data,
  }

  function reasonOf(): string | null {
    if (state.over === own.id) return 'A connection cannot overlay itself. Choose another one.'
    if (!other) return `The overlay connection was not found. It may have been deleted.`
    if (!offer.offered) return `${other.name} cannot be overlaid. ${offer.reason ?? ''}`
    if (error) {
      const { sentence, reason = '' } = formatError(error)
      return `${other.name} did not respond. ${sentence} ${reason}`.trimEnd()
    }
    const missing = unmatched.map(({ reference, how }) => `${reference.name} (${how})`)
    return missing.length > 0 ? `${other.name} has no matching source for ${missing.join(', ')}.` : null
  }
}
