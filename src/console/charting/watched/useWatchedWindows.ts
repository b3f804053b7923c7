/** Reads the windows of an alert, or of its form, with one chart query. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { charts } from '#contract/stack/charts.ts'
import type { Connection } from '#contract/console/connections.ts'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { savedSearches } from '#contract/stack/savedSearches.ts'
import type { WindowValues } from '#domain/alerting/evaluateWindow.ts'
import type { Schedule } from '#domain/alerting/schedule.ts'
import type { Span } from '#domain/time/span.ts'
import type { Unit } from '#domain/charts/units.ts'
import { q } from '#console/api/queries.ts'
import { portableQuery } from '../chartRequest.ts'
import { otherGroupsIn } from '../series/groupValues.ts'
import { useQueryConnection } from '../queryConnection/useQueryConnection.ts'
import { queryCharts } from '../queryCharts.ts'
import { unavailable, type Unavailable } from './unavailable.ts'
import { useValueUnit } from './useWatchedUnit.ts'
import { watchedFormat, watchedKind, watchedQuery, type NotChosen, type Watching } from './watchedQuery.ts'
import { watchedRequest, type WatchedRequest } from './watchedRequest.ts'
import { watchedWindows } from './watchedWindows.ts'

export interface ReadWindows {
  kind: 'read'
  request: WatchedRequest
  windows: WindowValues[]
  grouped: boolean
  /** How many smaller groups there are beside those of the windows. */
  otherGroups: number
  /** The unit of the values that are compared. */
  unit: Unit
  /** How long the query took. */
  milliseconds: number
  /** The name of the connection that answered, where it is another one. */
  queryConnectionName: string | null
}

export type WatchedState =
  | { kind: 'loading' }
  | NotChosen
  | Unavailable
  | { kind: 'failed'; error: unknown; refresh: () => void }
  | ReadWindows

interface Wanted {
  connection: Connection
  watching: Watching
  schedule: Schedule
  /** Epoch milliseconds. It must not change with every render: each change is a query. */
  range: Span
  /** Only so many groups, the largest: see `watchedRequest`. */
  topGroups?: number | undefined
}

export function useWatchedWindows({ connection, watching, schedule, range, topGroups }: Wanted): WatchedState {
  const data = useQueryConnection(connection)
  const kind = watchedKind(watching)
  const boards = useQuery({ ...q(connection.id, dashboards.list, {}), enabled: kind === 'tile' })
  const searches = useQuery({ ...q(connection.id, savedSearches.list, {}), enabled: kind === 'savedSearch' })
  const { source, dashboardId, tileId, savedSearchId, groupBy } = watching
  const { interval, scheduleOffsetMinutes, scheduleStartAt } = schedule
  const { from, to } = range
  const plan = useMemo(() => {
    const watched = watchedQuery(
      { source, dashboardId, tileId, savedSearchId, groupBy },
      { dashboards: boards.data ?? [], savedSearches: searches.data ?? [] },
    )
    if (watched.kind !== 'series' || !data.sourceId) return watched
    const { alertQuery } = watched
    const sourceId = data.sourceId(alertQuery.sourceId)
    if (sourceId === null) return unavailable('missing', 'The source does not exist. It may have been deleted.')
    const schedule = { interval, scheduleOffsetMinutes, scheduleStartAt }
    return watchedRequest({ alertQuery, schedule, range: { from, to }, sourceId, topGroups })
  }, [
    source,
    dashboardId,
    tileId,
    savedSearchId,
    groupBy,
    interval,
    scheduleOffsetMinutes,
    scheduleStartAt,
    from,
    to,
    topGroups,
    boards.data,
    searches.data,
    data,
  ])
  const request = plan.kind === 'request' ? plan : null
  const { connectionId, answering } = data
  const read = useQuery({
    // Not the key of other chart queries: this one keeps the time that it took.
    queryKey: [connectionId, charts.query.resource, 'watched', request && portableQuery(request.query, answering)],
    queryFn:
      request && connectionId
        ? async ({ signal }) => {
            const begun = performance.now()
            const points = await queryCharts(connectionId, request.query, answering, { signal })
            return { points, milliseconds: Math.round(performance.now() - begun) }
          }
        : skipToken,
    // A refresh moves the range. Comparing thousands of points with the former ones has no use.
    staleTime: Infinity,
    structuralSharing: false,
  })
  const format = useMemo(
    () => watchedFormat({ source, dashboardId, tileId }, boards.data ?? []),
    [source, dashboardId, tileId, boards.data],
  )
  const automatic = useValueUnit(request?.alertQuery, request?.query.series[0]?.sourceId, connectionId, answering)
  const unit = format ?? automatic
  const result = useMemo(
    () => (request && read.data ? watchedWindows(request, read.data.points) : null),
    [request, read.data],
  )

  if (plan.kind === 'notChosen') return plan
  const records = kind === 'tile' ? boards : searches
  if (records.isError) return { kind: 'failed', error: records.error, refresh: () => void records.refetch() }
  if (kind !== null && records.isPending) return { kind: 'loading' }
  if (plan.kind === 'unavailable') return plan
  if (data.reason !== null) return unavailable('charts', data.reason)
  if (read.isError) return { kind: 'failed', error: read.error, refresh: () => void read.refetch() }
  if (!request || !read.data || !result) return { kind: 'loading' }
  if (result.kind === 'unavailable') return result
  const { windows, grouped } = result
  const { milliseconds, points } = read.data
  const { queryConnectionName } = data
  const otherGroups = otherGroupsIn(points)
  return { kind: 'read', request, windows, grouped, otherGroups, unit, milliseconds, queryConnectionName }
}
