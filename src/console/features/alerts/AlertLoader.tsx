import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q, readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { RecordLoader } from '#console/shell/record/RecordLoader.tsx'
import { alerts, type Alert } from '#contract/alerts.ts'
import { dashboards } from '#contract/dashboards.ts'

/** What the pages of one alert read. */
export function readAlert({ connectionId = '', alertId = '' }: Record<string, string>) {
  readAhead(connectionId, alerts.get, { params: { alertId } })
  readAhead(connectionId, dashboards.list, {})
}

/** The alert that the address names, once it is there. */
export function AlertLoader({ title, children }: { title: string; children: (alert: Alert) => ReactNode }) {
  const { id: connectionId } = useConnection()
  const alertId = useRouteParam('alertId')
  const read = useQuery(q(connectionId, alerts.get, { params: { alertId } }))
  return (
    <RecordLoader title={title} read={read} list={{ to: paths.alerts(connectionId), label: 'All alerts' }}>
      {children}
    </RecordLoader>
  )
}
