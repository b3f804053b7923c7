import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Alert, alerts } from '#contract/stack/alerts.ts'
import { q } from '#console/api/queries.ts'
import { alertsByTile } from '../model/alertStates.ts'

const none: readonly Alert[] = []

/** The alerts on a dashboard's tiles. `alerts` is undefined while they are not known, or when they could not be read. */
export function useDashboardAlerts(connectionId: string, dashboardId: string) {
  const list = useQuery(q(connectionId, alerts.list, {}))
  const byTile = useMemo(() => alertsByTile(dashboardId, list.data ?? none), [dashboardId, list.data])
  return {
    alerts: list.data,
    ofTile: (tileId: string | undefined): readonly Alert[] => byTile.get(tileId ?? '') ?? none,
  }
}
