/** Losses by a save through this API: docs/DEPLOYMENTS.md#dashboards and known omissions of deployments. */
import { displayTypes, type Dashboard, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import { LosslessNumber } from '#contract/wire/json.ts'
import type { Source } from '#contract/stack/sources.ts'
import { counted } from '#domain/text/words.ts'
import { tileConfigStrict } from '#contract/stack/dashboards/tileConfigs.ts'
import { diff } from '#domain/json/diff.ts'
import { tileName } from './diff.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { tabsOf } from '#domain/dashboards/sections.ts'

export interface Loss {
  /** `warning`: something may be destroyed. `note`: it is sent back unchanged, but no form shows it. */
  severity: 'warning' | 'note'
  tileId?: string
  message: string
}

/**
 * Everything in a dashboard that reading and writing it back may lose. `sources` is undefined if they are not known.
 */
export function roundTripLosses(dashboard: Dashboard, sources: readonly Source[] | undefined): Loss[] {
  return [
    ...invisibleTiles(dashboard, sources),
    ...dashboard.tiles.flatMap((tile) =>
      [...tileLosses(tile, sources), ...danglingPlaces(tile, dashboard)].map((loss) =>
        tile.id ? { ...loss, tileId: tile.id } : loss,
      ),
    ),
  ]
}

function invisibleTiles(dashboard: Dashboard, sources: readonly Source[] | undefined): Loss[] {
  if (!sources?.some(({ kind }) => kind === 'promql')) return []
  const shown = counted(dashboard.tiles.length, 'tile')
  return [
    {
      severity: 'warning',
      message: `This deployment has a PromQL source, and this API does not return PromQL tiles. If the dashboard has more than the ${shown} shown here, saving deletes the others.`,
    },
  ]
}

function tileLosses(tile: Tile, sources: readonly Source[] | undefined): Loss[] {
  const name = `“${tileName(tile)}”`
  const { config } = tile
  if (!config) return [{ severity: 'warning', message: `${name} has a configuration that this API does not return.` }]
  if (config.configType !== undefined && config.configType !== 'sql') {
    return [
      { severity: 'note', message: `${name} has the configuration type ${config.configType}: it is saved unchanged.` },
    ]
  }
  if (!isKnownType(config.displayType)) {
    return [
      {
        severity: 'note',
        message: `${name} has an unknown type, ${config.displayType ?? 'none'}: it is saved unchanged.`,
      },
    ]
  }
  const unknownSource =
    config.sourceId !== undefined && sources !== undefined && !sources.some(({ id }) => id === config.sourceId)
  if (unknownSource && isPlaceholder(tile)) {
    return [
      {
        severity: 'warning',
        message: `${name} looks like the empty chart that this API returns for a tile it cannot represent. Saving would replace the tile with this chart.`,
      },
    ]
  }
  const dangling: Loss[] = unknownSource
    ? [{ severity: 'note', message: `${name} uses a source that does not exist (${config.sourceId || 'empty ID'}).` }]
    : []
  return [...dangling, ...unknownFields(tile, name)]
}

const isKnownType = (type: string | undefined): boolean =>
  (displayTypes as readonly (string | undefined)[]).includes(type)

/** A line of one plain count: what deployments answer for a tile that their converter does not know. */
function isPlaceholder({ config }: Tile): boolean {
  const select = config?.select
  if (config?.displayType !== 'line' || config.configType !== undefined || !Array.isArray(select)) return false
  const [only] = select
  return select.length === 1 && only?.aggFn === 'count' && !only.where && !config.groupBy
}

function unknownFields(tile: Tile, name: string): Loss[] {
  const plain = withPlainNumbers(tile.config)
  const parsed = tileConfigStrict.safeParse(plain)
  if (!parsed.success) return []
  const dropped = diff(plain, parsed.data).filter(({ after, before }) => after === undefined && before != null)
  if (dropped.length === 0) return []
  const fields = dropped.map(({ path }) => path.map((step) => (typeof step === 'object' ? step.id : step)).join('.'))
  return [
    {
      severity: 'note',
      message: `${name} has fields that this console does not know: ${fields.join(', ')}. They are saved unchanged.`,
    },
  ]
}

function danglingPlaces(tile: Tile, { containers = [] }: Dashboard): Loss[] {
  if (!tile.containerId) return []
  const name = `“${tileName(tile)}”`
  const container = containers.find(({ id }) => id === tile.containerId)
  if (!container) {
    return [
      {
        severity: 'warning',
        message: `${name} is in a section that does not exist: the deployment may reject or drop it.`,
      },
    ]
  }
  const tabs = tabsOf(container)
  if (tile.tabId && !tabs.some(({ id }) => id === tile.tabId)) {
    return [{ severity: 'warning', message: `${name} is on a tab that its section does not have.` }]
  }
  return []
}

/** A copy of a value with ordinary numbers: for checks, never to be sent. */
export function withPlainNumbers(value: unknown): unknown {
  if (value instanceof LosslessNumber) return Number(value.value)
  if (Array.isArray(value)) return value.map(withPlainNumbers)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPlainNumbers(item)]))
}
