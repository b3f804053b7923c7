/** Deleting dashboards and recreating them from the version that was read. */
import type { Alert } from '#contract/stack/alerts.ts'
import { type Dashboard, dashboards, dashboardSummaries } from '#contract/stack/dashboards/dashboards.ts'
import { removeFromLists } from '#console/api/cache/removeFromLists.ts'
import { call } from '#console/api/call.ts'
import { type ApiFailure, asFailure } from '#console/api/failure.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { alertsOf } from '../model/alertsAtRisk.ts'
import { type Copied, createCopy } from './copying.ts'

/** Deletes a dashboard and returns its last version; null if it was already deleted. */
export async function deleteDashboard(connectionId: string, dashboardId: string): Promise<Dashboard | null> {
  const params = { dashboardId }
  try {
    const last = await call(connectionId, dashboards.get, { params }, { priority: 'user' })
    await call(connectionId, dashboards.delete, { params }, { base: last })
    return last
  } catch (error) {
    if (asFailure(error).code === 'notFound') return null
    throw error
  }
}

/** Removes deleted dashboards from the cache and reloads the lists. */
export async function evictDashboards(connectionId: string, ids: readonly string[]): Promise<void> {
  for (const list of [dashboards.list, dashboardSummaries]) removeFromLists(connectionId, list, ids)
  for (const dashboardId of ids) {
    queryClient.removeQueries(q(connectionId, dashboards.get, { params: { dashboardId } }))
  }
  await Promise.all([invalidate(connectionId, 'dashboards'), invalidate(connectionId, 'alerts')])
}

export interface Restored {
  copies: Copied[]
  /** Dashboards that could not be recreated, and why. */
  failures: { dashboard: Dashboard; failure: ApiFailure }[]
}

/** Recreates deleted dashboards and the given alerts. All get new IDs. */
export async function restoreDashboards(
  connectionId: string,
  deleted: readonly Dashboard[],
  alerts: readonly Alert[],
): Promise<Restored> {
  const restored: Restored = { copies: [], failures: [] }
  for (const dashboard of deleted) {
    try {
      restored.copies.push(await createCopy(connectionId, dashboard, dashboard.name, alertsOf(dashboard.id, alerts)))
    } catch (error) {
      restored.failures.push({ dashboard, failure: asFailure(error) })
    }
  }
  return restored
}
