/** Writing a tile: the dashboard is read again right before, so that nothing of others is overwritten. */
import { type Dashboard, dashboards, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import { tileConfigStrict } from '#contract/stack/dashboards/tileConfigs.ts'
import { call } from '#console/api/call.ts'
import { ApiFailure } from '#console/api/failure.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { clampPosition, firstFreePosition } from '#domain/dashboards/gridPositions.ts'
import { invalidate } from '#console/api/queries.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'

export type Target = { dashboardId: string } | { newName: string }

export interface Saved {
  dashboard: Dashboard
  tileId: string
  /** False: the dashboard had a tile of just this configuration, and nothing was written. */
  written: boolean
}

/** Puts a tile on a dashboard. Throws ApiFailure, also where a write could destroy what this API does not show. */
export async function saveTile(
  connectionId: string,
  target: Target,
  tile: { name: string; config: TileConfig },
  sources: readonly Source[],
): Promise<Saved> {
  try {
    if ('newName' in target) {
      const body = { name: target.newName, tiles: [newTile(tile, [])] }
      return added(await call(connectionId, dashboards.create, { body }), [])
    }
    return await guardedWrite<Dashboard, Saved>({
      base: await readAgain(connectionId, target.dashboardId),
      record: dashboards.get.result,
      // Changes by others are kept: the tile is added to the stored dashboard.
      unchanged: () => true,
      write: (current) => putOn(connectionId, current, tile, sources),
    })
  } finally {
    void invalidate(connectionId, 'dashboards')
  }
}

async function putOn(
  connectionId: string,
  before: Dashboard,
  tile: { name: string; config: TileConfig },
  sources: readonly Source[],
): Promise<Saved> {
  const existing = sameTile(before, tile.config)
  if (existing?.id) return { dashboard: before, tileId: existing.id, written: false }
  const reason = whyNotAdd(before, sources)
  if (reason) throw new ApiFailure({ code: 'blocked', status: 0, message: reason })
  const params = { dashboardId: before.id }
  const body = { name: before.name, tiles: [...before.tiles, newTile(tile, before.tiles)] }
  return added(await call(connectionId, dashboards.update, { params, body }, { base: before }), before.tiles)
}

function added(dashboard: Dashboard, before: readonly Tile[]): Saved {
  const known = new Set(before.map(({ id }) => id))
  const tile = dashboard.tiles.find(({ id }) => id !== undefined && !known.has(id))
  if (tile?.id) return { dashboard, tileId: tile.id, written: true }
  throw new ApiFailure({
    code: 'malformedReply',
    status: 200,
    message: 'The deployment’s response does not contain the new tile.',
  })
}

const readAgain = (connectionId: string, dashboardId: string) =>
  call(connectionId, dashboards.get, { params: { dashboardId } })

const size: Partial<Record<string, { w: number; h: number }>> = { number: { w: 6, h: 5 } }

/** Places the tile without overlap. Tiles of groups have separate grids. */
function newTile({ name, config }: { name: string; config: TileConfig }, others: readonly Tile[]): Tile {
  const taken = others.filter(({ containerId }) => !containerId).map(clampPosition)
  return { name, config, ...firstFreePosition(taken, size[config.displayType ?? ''] ?? { w: 12, h: 8 }) }
}

/** A tile with the same query. Deployments set defaults, so both are compared with defaults. */
export function sameTile({ tiles }: Dashboard, config: TileConfig): Tile | undefined {
  const text = filledIn(config)
  return text === null ? undefined : tiles.find((tile) => filledIn(tile.config) === text)
}

function filledIn(config: unknown): string | null {
  const { success, data } = tileConfigStrict.safeParse(config)
  return success ? JSON.stringify(data, inOrder) : null
}

/** Keys by name: which of them were filled in decides where they stand. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const maxTiles = 500

/** Why a write of the whole dashboard is not safe from here: docs/DEPLOYMENTS.md#dashboards. */
export function whyNotAdd({ name, tiles }: Dashboard, sources: readonly Source[]): string | null {
  const instead = 'Add the tile on the dashboard page, which shows what saving would discard.'
  if (tiles.length >= maxTiles) return `“${name}” already has ${tiles.length} tiles, the maximum.`
  if (sources.some(({ kind }) => kind === 'promql')) {
    return `This API may not return PromQL tiles, so saving could delete them. ${instead}`
  }
  const unseen = tiles.find(({ config }) => !config || isPlaceholder(config, sources))
  return unseen ? `“${name}” has a tile that this API cannot represent: “${unseen.name ?? ''}”. ${instead}` : null
}

/** A plain count of an unknown source: how deployments return a tile that they cannot convert. */
function isPlaceholder({ displayType, sourceId, select, groupBy }: TileConfig, sources: readonly Source[]): boolean {
  if (displayType !== 'line' || groupBy || !Array.isArray(select) || sources.some(({ id }) => id === sourceId)) {
    return false
  }
  return select.length === 1 && select[0]?.aggFn === 'count' && !select[0].where
}
