import { useQuery } from '@tanstack/react-query'
import { alerts } from '#contract/alerts.ts'
import { dashboards } from '#contract/dashboards.ts'
import { q, readAhead } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { DashboardsList } from './list/DashboardsList.tsx'

export function reads({ connectionId = '' }: Record<string, string>): void {
  readAhead(connectionId, dashboards.list, {})
  readAhead(connectionId, alerts.list, {})
}

/** All dashboards of a connection. */
export default function DashboardsPage() {
  const { id: connectionId } = useConnection()
  const list = useQuery(q(connectionId, dashboards.list, {}))
  const alertList = useQuery(q(connectionId, alerts.list, {}))
  return <DashboardsList list={list} alerts={alertList.data} />
}
