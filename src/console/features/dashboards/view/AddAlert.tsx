import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { BellPlus } from 'lucide-react'
import type { Tile } from '#contract/dashboards.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { canAlert } from '../model/alertsAtRisk.ts'
import { tileName } from '../model/diff.ts'

/** Links to the form of an alert on the tile. Hidden if no alert can watch it, or if writes are not allowed. */
export function AddAlert({ dashboardId, tile }: { dashboardId: string; tile: Tile }) {
  const connection = useConnection()
  if (!tile.id || !canAlert(tile) || lockReason(connection) !== undefined) return null
  const label = `New alert on ${tileName(tile)}`
  return (
    <Tooltip title={label}>
      <Box component="span" className="quiet" sx={{ display: 'inline-flex' }}>
        <TextLink
          to={paths.newAlert(connection.id)}
          search={{ dashboardId, tileId: tile.id }}
          aria-label={label}
          sx={{ display: 'inline-flex', p: 1.25, color: 'text.secondary' }}
        >
          <BellPlus size={14} aria-hidden />
        </TextLink>
      </Box>
    </Tooltip>
  )
}
