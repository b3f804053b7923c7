/** Copies of dashboards and tiles: new ids everywhere, because a deployment assigns them (docs/DEPLOYMENTS.md#dashboards). */
import { clampPosition, firstFreePosition } from '#domain/dashboards/gridPositions.ts'
import type { Alert, AlertInput } from '#contract/stack/alerts.ts'
import { readOnlyAlertFields } from '#contract/stack/readOnlyAlertFields.ts'
import type { Dashboard, Tile } from '#contract/stack/dashboards/dashboards.ts'
import { alertsOf } from './alertsAtRisk.ts'
import { bodyOf, type DashboardBody, withoutId, withoutNullLanguage } from './changes.ts'

/** The body that creates a copy: without the ids of dashboard, tiles and filters. Containers keep theirs, since tiles name them. */
export function copyBody(dashboard: Dashboard, name = copyName(dashboard.name)): DashboardBody {
  return withoutNullLanguage({
    ...bodyOf(dashboard),
    name,
    tiles: dashboard.tiles.map(withoutId),
    filters: dashboard.filters.map(withoutId),
  })
}

/** `Shop (copy)`, then `Shop (copy 2)`. */
export function copyName(name: string): string {
  const match = /^(.*) \(copy(?: (\d+))?\)$/s.exec(name)
  return match ? `${match[1]} (copy ${Number(match[2] ?? 1) + 1})` : `${name} (copy)`
}

/**
 * The alerts of `original`, for the tiles of its copy. Tiles are matched by their place in the list, where name agrees:
 * `copy` is what the deployment answered to `copyBody`.
 */
export function alertsForCopy(original: Dashboard, copy: Dashboard, alerts: readonly Alert[]): AlertInput[] {
  return alertsOf(original.id, alerts).flatMap((alert) => {
    const index = original.tiles.findIndex(({ id }) => id === alert.tileId)
    const tile = copy.tiles[index]
    if (!tile?.id || (tile.name ?? '') !== (original.tiles[index]?.name ?? '')) return []
    const descriptive = Object.entries(alert).filter(
      ([field, value]) => value != null && !readOnlyAlertFields.includes(field),
    )
    return [{ ...Object.fromEntries(descriptive), dashboardId: copy.id, tileId: tile.id } as AlertInput] // the stored alert, on another tile
  })
}

/** An ID for a new part. Groups and tabs keep it; a tile is sent without, and gets one from the deployment. */
export function freshId(): string {
  return crypto.randomUUID()
}

/** A copy of a tile on the first free place among those beside it. */
export function copyTile(tile: Tile, siblings: readonly Tile[]): Tile {
  return {
    ...tile,
    id: freshId(),
    name: tile.name ? copyName(tile.name) : '',
    ...firstFreePosition(siblings.map(clampPosition), tile),
  }
}
