import { useNavigate } from '@tanstack/react-router'
import { Archive, CalendarClock, ChartLine, Network, Scaling, Server, SlidersHorizontal, Terminal } from 'lucide-react'
import { useMemo } from 'react'
import { paths } from '#console/paths/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { usePageActions } from '#console/shell/pageActions.ts'
import { jsonView } from '#console/records/record/RecordDetail.tsx'
import { TabLinks } from '#console/records/record/TabLinks.tsx'

/** The pages of a service in their order. A key is pressed on any of them. */
const tabs = [
  { label: 'Overview', icon: Server, path: paths.service, key: 'o' },
  { label: 'Metrics and cost', icon: ChartLine, path: paths.serviceMetrics, key: 'm' },
  { label: 'Scaling', icon: Scaling, path: paths.scaleService, key: 's' },
  { label: 'Schedule', icon: CalendarClock, path: paths.serviceSchedule },
  { label: 'Settings', icon: SlidersHorizontal, path: paths.serviceSettings },
  { label: 'Backups', icon: Archive, path: paths.serviceBackups, key: 'b' },
  { label: 'Query endpoint', icon: Terminal, path: paths.serviceQueryEndpoint, key: 'q' },
  { label: 'Private endpoints', icon: Network, path: paths.servicePrivateEndpoints },
] as const

/** Links to the pages of the service that the address names; the palette has them too. */
export function ServiceTabs() {
  const { id: connectionId } = useConnection()
  const serviceId = useRouteParam('serviceId')
  const navigate = useNavigate()
  usePageActions(
    useMemo(
      () =>
        tabs.map(({ label, icon, path, ...tab }) => ({
          label: `${label} of this service`,
          icon,
          ...('key' in tab && { key: tab.key }),
          run: () => void navigate({ to: path(connectionId, serviceId) }),
        })),
      [connectionId, navigate, serviceId],
    ),
  )
  return (
    <TabLinks
      label="Pages of the service"
      tabs={[
        ...tabs.map(({ label, path }) => ({ label, to: path(connectionId, serviceId) })),
        { label: 'JSON', to: paths.service(connectionId, serviceId), search: jsonView },
      ]}
    />
  )
}
