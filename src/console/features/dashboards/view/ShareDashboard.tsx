import { useSuspenseQuery } from '@tanstack/react-query'
import { connectionsQuery } from '#console/api/connections.ts'
import { ShareDialog } from '#console/records/sharing/ShareDialog.tsx'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { TileData } from '../model/dataScope.ts'
import { tileName } from '../model/diff.ts'

interface ShareDashboardProps {
  dashboard: Dashboard
  data: TileData
  /** Whether the range that is shown ends now. */
  isMoving: boolean
  onClose: () => void
}

/** The dialog of links that show a dashboard, as it is shown now. */
export function ShareDashboard({ dashboard, data, isMoving, onClose }: ShareDashboardProps) {
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const connection = connections.find(({ id }) => id === data.connectionId)
  const { scope, sources } = data
  if (!connection || !scope) return null
  const { id, name, tiles, containers } = dashboard
  // Raw SQL tiles are run where their dashboard is stored.
  const isElsewhere = data.saved.connectionId !== connection.id
  return (
    <ShareDialog
      connection={connection}
      name={name || 'Untitled dashboard'}
      dashboardId={id}
      span={scope.span}
      isMoving={isMoving}
      shown={{
        sources,
        scope,
        tiles,
        nameOf: tileName,
        ...(containers && { containers }),
        ...(isElsewhere && { sqlRefused: 'Its data is on another connection.' }),
      }}
      onClose={onClose}
    />
  )
}
