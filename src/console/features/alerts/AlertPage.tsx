import { useQuery } from '@tanstack/react-query'
import { q, readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { PendingPage } from '#console/shell/PendingPage.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { Page } from '#console/ui/Page.tsx'
import { alerts } from '#contract/alerts.ts'
import { dashboards } from '#contract/dashboards.ts'
import { AlertDetail } from './AlertDetail.tsx'

export function reads({ connectionId = '', alertId = '' }: Record<string, string>) {
  readAhead(connectionId, alerts.get, { params: { alertId } })
  readAhead(connectionId, dashboards.list, {})
}

export default function AlertPage() {
  const connection = useConnection()
  const alertId = useRouteParam('alertId')
  const { data, error, refetch } = useQuery(q(connection.id, alerts.get, { params: { alertId } }))
  if (data) return <AlertDetail alert={data} />
  if (error) {
    return (
      <Page title="Alert">
        <QueryError
          error={error}
          onRetry={() => void refetch()}
          elsewhere={<LinkButton to={paths.alerts(connection.id)}>All alerts</LinkButton>}
        />
      </Page>
    )
  }
  return <PendingPage />
}
