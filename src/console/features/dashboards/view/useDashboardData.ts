import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Connection } from '#contract/console/connections.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { useRateLimit } from '#console/api/rateLimit.ts'
import { type Refresh, useAutoRefresh } from '#console/ui/time/refresh.ts'
import { mapsIn } from '#console/charting/chartRequest.ts'
import { asSqlFor } from '#console/charting/search/conditionAsSql.ts'
import { type QueryConnection, useQueryConnection } from '#console/charting/queryConnection/useQueryConnection.ts'
import type { Span } from '#domain/time/span.ts'
import type { TileData } from '../model/dataScope.ts'
import { conditionsOf, requiredValues, variablesOf } from './scope.ts'
import { forgetOpeningTime, openingTime } from './prefetchTiles.ts'
import { refreshOf, viewSpan, type ViewState } from './viewState.ts'

export interface DashboardData {
  data: TileData
  from: QueryConnection
  span: Span
  /** The problem of the range in the address; the default range is shown then. */
  problem: string | null
  refresh: () => void
  /** Why automatic refresh waits; null if it does not. */
  waiting: string | null
}

/** Requests of the key that automatic refresh leaves to the person. */
const reserve = 5

/**
 * Source, range and conditions of the tiles' data, and when it is refreshed.
 * @param saved the dashboard as it is stored, where `dashboard` is a draft
 */
export function useDashboardData(
  connection: Connection,
  dashboard: Dashboard,
  state: ViewState,
  saved: Dashboard = dashboard,
): DashboardData {
  const from = useQueryConnection(connection)
  const [now, setNow] = useState(() => openingTime(dashboard.id))
  // Not when it is read: React may start the first rendering again.
  useEffect(() => forgetOpeningTime(dashboard.id), [dashboard.id])
  const refresh = useCallback(() => setNow(Date.now()), [])
  const rateLimit = useRateLimit(from.connectionId ?? undefined)
  const short =
    rateLimit !== undefined && rateLimit.remaining < dashboard.tiles.length + reserve && rateLimit.resetAt > now
  const waiting = short ? 'Auto refresh is paused: the rate limit of this key is almost reached.' : null
  useAutoRefresh(waiting ? 'off' : (refreshOf(state) satisfies Refresh), refresh)

  const { span: resolved, problem } = viewSpan(state, now)
  const { from: start, to: end } = resolved
  const conditions = useStable(conditionsOf(dashboard, state))
  const variables = useStable(variablesOf(dashboard, state))
  const required = useStable(requiredValues(dashboard, state))
  const { connectionId, reason, sourceId, answering } = from
  const data = useMemo<TileData>(
    () => ({
      connectionId,
      reason,
      sources: answering,
      zone: state.tz,
      saved: { connectionId: connection.id, dashboard: saved },
      scope: sourceId
        ? {
            span: { from: start, to: end },
            granularity: state.granularity,
            zone: state.tz,
            conditions,
            required,
            variables,
            sourceId,
            toSql: asSqlFor(answering),
            mapsOf: mapsIn(answering),
          }
        : null,
    }),
    [
      connectionId,
      reason,
      sourceId,
      answering,
      start,
      end,
      state.tz,
      state.granularity,
      conditions,
      required,
      variables,
      connection.id,
      saved,
    ],
  )
  const span = useMemo(() => ({ from: start, to: end }), [start, end])
  return { data, from, span, problem, refresh, waiting }
}

/** Keeps the object while its content is the same, so that tiles render only on changes. */
function useStable<T>(value: T): T {
  const text = JSON.stringify(value)
  // `value` is what `text` spells.
  // oxlint-disable-next-line react/exhaustive-deps
  return useMemo(() => value, [text])
}
