import { BellPlus } from 'lucide-react'
import { hint } from '#console/ui/hint/hint.ts'
import type { Tile } from '#contract/dashboards.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { canAlert } from '../model/alertsAtRisk.ts'
import { tileName } from '../model/diff.ts'
import css from './alertLink.module.css'

/** Links to the form of an alert on the tile. Hidden if no alert can watch it, or if writes are not allowed. */
export function AddAlert({ dashboardId, tile }: { dashboardId: string; tile: Tile }) {
  const connection = useConnection()
  if (!tile.id || !canAlert(tile) || lockReason(connection) !== undefined) return null
  const label = `New alert on ${tileName(tile)}`
  return (
    <span {...hint(label)} className={css.alertLink} data-quiet>
      <TextLink
        to={paths.newAlert(connection.id)}
        search={{ dashboardId, tileId: tile.id }}
        aria-label={label}
        className={css.link}
      >
        <BellPlus size={14} aria-hidden />
      </TextLink>
    </span>
  )
}
