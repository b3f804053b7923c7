/** Tiles that a deployment refuses of a dashboard that it is given whole. */
import type { Dashboard } from '#contract/dashboards.ts'
import type { ApiError } from '#contract/kernel.ts'
import { tileName } from './diff.ts'

export interface RefusedTile {
  /** Place in the list of tiles. */
  index: number
  name: string
  /** What the deployment says of it. */
  messages: string[]
}

/**
 * The tiles that are named by the fields of an error (`tiles.0.config.select`); null where it is about anything else too, so
 * that leaving tiles out would not help.
 */
export function refusedTiles(fields: ApiError['fields'], { tiles }: Pick<Dashboard, 'tiles'>): RefusedTile[] | null {
  const refused = new Map<number, RefusedTile>()
  for (const { path, message } of fields ?? []) {
    const index = Number(/^tiles\.(\d+)(\.|$)/.exec(path)?.[1])
    const tile = tiles[index]
    if (!tile) return null
    const entry = refused.get(index) ?? { index, name: tileName(tile), messages: [] }
    refused.set(index, { ...entry, messages: [...entry.messages, message] })
  }
  return refused.size > 0 ? [...refused.values()] : null
}

/** The dashboard without them. */
export function withoutTiles<D extends Pick<Dashboard, 'tiles'>>(dashboard: D, refused: readonly RefusedTile[]): D {
  const gone = new Set(refused.map(({ index }) => index))
  return { ...dashboard, tiles: dashboard.tiles.filter((_, index) => !gone.has(index)) }
}
