/** The unit of the values that an alert compares. Pages that show a threshold need it without reading values. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Connection } from '#contract/console/connections.ts'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { AlertSeriesQuery } from '#domain/alerting/alertQuery.ts'
import { comparedUnit } from '#domain/alerting/comparedUnit.ts'
import type { Unit } from '#domain/charts/units.ts'
import { q } from '#console/api/queries.ts'
import { useQueryConnection } from '../queryConnection/useQueryConnection.ts'
import { useMetricUnits } from '../useMetricUnits.ts'
import { watchedFormat, watchedKind, watchedQuery, type Watching } from './watchedQuery.ts'

/** The unit of the values that are compared with the threshold, without reading any; `number` until it is known. */
export function useWatchedUnit(connection: Connection, watching: Watching): Unit {
  const { connectionId, answering, sourceId } = useQueryConnection(connection)
  const kind = watchedKind(watching)
  const boards = useQuery({ ...q(connection.id, dashboards.list, {}), enabled: kind === 'tile' })
  const { source, dashboardId, tileId } = watching
  const { alertQuery, format } = useMemo(() => {
    const tile = { source, dashboardId, tileId }
    const dashboards = boards.data ?? []
    // A saved search is counted.
    const watched = watchedQuery(tile, { dashboards, savedSearches: [] })
    const alertQuery = watched.kind === 'series' ? watched.alertQuery : undefined
    return { alertQuery, format: watchedFormat(tile, dashboards) }
  }, [source, dashboardId, tileId, boards.data])
  const read = alertQuery && sourceId ? sourceId(alertQuery.sourceId) : null
  const automatic = useValueUnit(alertQuery, read ?? undefined, connectionId, answering)
  return format ?? automatic
}

/** The unit of the compared values, by what they read. */
export function useValueUnit(
  alertQuery: AlertSeriesQuery | undefined,
  sourceId: string | undefined,
  connectionId: string | null,
  sources: readonly Source[],
): Unit {
  const source = sources.find(({ id }) => id === sourceId)
  const units = useMetricUnits(connectionId, source)
  return useMemo(() => (alertQuery ? comparedUnit(alertQuery, source, units) : 'number'), [alertQuery, source, units])
}
