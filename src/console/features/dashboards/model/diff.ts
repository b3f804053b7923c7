/** The differences between two dashboards, in reading order. */
import type { Dashboard, Tile } from '#contract/stack/dashboards/dashboards.ts'
import { diff, type FieldChange } from '#domain/json/diff.ts'
import { kindLabel } from './kinds.ts'

interface TileChange {
  id: string
  name: string
  kind: 'added' | 'removed' | 'changed'
  /** Paths start inside the tile. */
  changes: FieldChange[]
}

export interface DashboardDiff {
  /** Everything but tiles. */
  settings: FieldChange[]
  tiles: TileChange[]
}

/** Settings first, then tile by tile. */
export function diffDashboards(before: Dashboard, after: Dashboard): DashboardDiff {
  const changes = diff(before, after)
  const settings = changes.filter(({ path }) => path[0] !== 'tiles' || typeof path[1] !== 'object')
  const tiles = new Map<string, TileChange>()
  for (const change of changes) {
    const [list, item, ...rest] = change.path
    if (list !== 'tiles' || typeof item !== 'object') continue
    const found = tiles.get(item.id) ?? newTileChange(item.id, before, after)
    if (rest.length > 0) found.changes.push({ ...change, path: rest })
    tiles.set(item.id, found)
  }
  return { settings, tiles: [...tiles.values()] }
}

function newTileChange(id: string, before: Dashboard, after: Dashboard): TileChange {
  const oldTile = before.tiles.find((tile) => tile.id === id)
  const newTile = after.tiles.find((tile) => tile.id === id)
  const kind = oldTile === undefined ? 'added' : newTile === undefined ? 'removed' : 'changed'
  return { id, name: tileName(newTile ?? oldTile), kind, changes: [] }
}

/** A tile's name, or its content if it has none. */
export function tileName(tile: Pick<Tile, 'name' | 'config'> | undefined): string {
  return tile?.name || `Untitled ${kindLabel(tile?.config?.displayType || 'tile').toLowerCase()}`
}
