/** The tiles for which a deployment rejects a dashboard. */
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { ApiError } from '#contract/wire/kernel.ts'
import { tileName } from './diff.ts'

export interface RejectedTile {
  /** Place in the list of tiles. */
  index: number
  name: string
  /** The error message of the deployment. */
  messages: string[]
}

/**
 * The tiles that are named by the fields of an error (`tiles.0.config.select`); null if it is about anything else too, so
 * that leaving tiles out would not help.
 */
export function rejectedTiles(fields: ApiError['fields'], { tiles }: Pick<Dashboard, 'tiles'>): RejectedTile[] | null {
  const rejected = new Map<number, RejectedTile>()
  for (const { path, message } of fields ?? []) {
    const index = Number(/^tiles\.(\d+)(\.|$)/.exec(path)?.[1])
    const tile = tiles[index]
    if (!tile) return null
    const entry = rejected.get(index) ?? { index, name: tileName(tile), messages: [] }
    rejected.set(index, { ...entry, messages: [...entry.messages, message] })
  }
  return rejected.size > 0 ? [...rejected.values()] : null
}

/** The dashboard without them. */
export function withoutTiles<D extends Pick<Dashboard, 'tiles'>>(dashboard: D, rejected: readonly RejectedTile[]): D {
  const gone = new Set(rejected.map(({ index }) => index))
  return { ...dashboard, tiles: dashboard.tiles.filter((_, index) => !gone.has(index)) }
}
