/** Whole dashboards, for actions on a list that has summaries. */
import { type Dashboard, dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'

/**
 * Reads dashboards in the order of their IDs: one by itself, several with one request for all. Of several, those that do not
 * exist any more are left out.
 * @throws ApiFailure
 */
export async function readDashboards(connectionId: string, ids: readonly string[]): Promise<Dashboard[]> {
  const [only] = ids
  if (ids.length === 1 && only !== undefined) {
    return [await queryClient.fetchQuery(q(connectionId, dashboards.get, { params: { dashboardId: only } }))]
  }
  const all = await queryClient.fetchQuery(q(connectionId, dashboards.list, {}))
  const byId = new Map(all.map((dashboard) => [dashboard.id, dashboard]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
