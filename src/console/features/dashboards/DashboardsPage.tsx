import { useQuery } from '@tanstack/react-query'
import { alerts } from '#contract/stack/alerts.ts'
import { dashboardSummaries } from '#contract/stack/dashboards/dashboards.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { DashboardsList } from './list/DashboardsList.tsx'

export const reads = pageReads(dashboardSummaries, alerts.list)

/** All dashboards of a connection. */
export default function DashboardsPage() {
  const { id: connectionId } = useConnection()
  const list = useQuery(q(connectionId, dashboardSummaries, {}))
  const alertList = useQuery(q(connectionId, alerts.list, {}))
  return <DashboardsList list={list} alerts={alertList.data} />
}
