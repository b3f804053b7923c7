/** Checks what a dashboard refers to, in the order of docs/DEPLOYMENTS.md#validation-of-dashboards. */
import { isDeepStrictEqual } from 'node:util'
import type { Source } from '#contract/stack/sources.ts'
import type { DashboardDocument, DashboardInput } from './dashboardRows.ts'

type Tile = DashboardInput['tiles'][number]
type Config = Tile['config']

export interface ReferenceContext {
  sources: readonly Source[]
  connectionIds: ReadonlySet<string>
  /** Which of these dashboards exist. */
  dashboardIds: ReadonlySet<string>
  /** The dashboard that a PUT replaces. */
  stored?: DashboardDocument | undefined
}

/** @returns the first problem, or null */
export function brokenReference(dashboard: DashboardInput, context: ReferenceContext): string | null {
  const configs = dashboard.tiles.map((tile) => tile.config)
  const changed = changedTiles(dashboard.tiles, context.stored).map((tile) => tile.config)
  const sources = new Map(context.sources.map((source) => [source.id, source]))
  const isKind = (id: string, kinds: readonly string[]) => kinds.includes(sources.get(id)?.kind ?? '')

  return (
    placeProblems(dashboard, context.stored) ??
    problemWith(
      'Could not find the following source IDs',
      [...configs.flatMap(sourceIds), ...filterSourceIds(dashboard)].filter((id) => !sources.has(id)),
    ) ??
    problemWith(
      'Could not find the following connection IDs',
      configs.flatMap(connectionIds).filter((id) => !context.connectionIds.has(id)),
    ) ??
    problemWith(
      'The following source IDs do not match the specified connections',
      configs.filter((config) => connectionMismatch(config, sources)).flatMap(sourceIds),
    ) ??
    problemWith(
      'Heatmap tiles require a Trace source. The following source IDs are not Trace sources',
      changed
        .filter((config) => config.displayType === 'heatmap')
        .flatMap(sourceIds)
        .filter((id) => !isKind(id, ['trace'])),
    ) ??
    problemWith(
      'Tiles with formulas require a Metric, Log, or Trace source. The following source IDs are not formula-capable',
      changed
        .filter((config) => 'formulas' in config && config.formulas?.length)
        .flatMap(sourceIds)
        .filter((id) => !isKind(id, ['metric', 'log', 'trace'])),
    ) ??
    problemWith(
      'Could not find the following onClick dashboard IDs',
      configs.flatMap((config) => clickIds(config, 'dashboard')).filter((id) => !context.dashboardIds.has(id)),
    ) ??
    problemWith(
      'The following onClick search source IDs are not log or trace sources',
      configs.flatMap((config) => clickIds(config, 'search')).filter((id) => !isKind(id, ['log', 'trace'])),
    )
  )
}

/** The dashboards that tiles link to. */
export function linkedDashboardIds(dashboard: DashboardInput): string[] {
  return dashboard.tiles.flatMap((tile) => clickIds(tile.config, 'dashboard'))
}

function problemWith(message: string, ids: readonly string[]): string | null {
  return ids.length > 0 ? `${message}: ${[...new Set(ids)].join(', ')}` : null
}

/** The containers and tabs of tiles must exist, among those in the request or else among the stored ones. */
function placeProblems(dashboard: DashboardInput, stored: DashboardDocument | undefined): string | null {
  const containers = dashboard.containers ?? stored?.containers ?? []
  const problems = dashboard.tiles.flatMap(({ containerId, tabId }, index) => {
    const tile = `tiles.${index}`
    if (containerId === undefined) return tabId === undefined ? [] : [`${tile}.tabId: tabId requires containerId`]
    const container = containers.find(({ id }) => id === containerId)
    if (!container) return [`${tile}.containerId: Unknown container: ${containerId}`]
    if (tabId === undefined || container.tabs?.some(({ id }) => id === tabId)) return []
    return [`${tile}.tabId: Unknown tab in container ${containerId}: ${tabId}`]
  })
  return problems.length > 0 ? problems.join('; ') : null
}

function sourceIds(config: Config): string[] {
  return 'sourceId' in config && config.sourceId !== undefined ? [config.sourceId] : []
}

function filterSourceIds(dashboard: DashboardInput): string[] {
  return (dashboard.filters ?? []).flatMap((filter) =>
    filter.type === 'STATIC_LIST' ? [] : [filter.sourceId, ...(filter.appliesToSourceIds ?? [])],
  )
}

function connectionIds(config: Config): string[] {
  return config.configType === 'sql' ? [config.connectionId] : []
}

function connectionMismatch(config: Config, sources: ReadonlyMap<string, Source>): boolean {
  if (config.configType !== 'sql' || config.sourceId === undefined) return false
  return sources.get(config.sourceId)?.connection !== config.connectionId
}

function clickIds(config: Config, type: 'search' | 'dashboard'): string[] {
  if (!('onClick' in config) || config.onClick?.type !== type || config.onClick.target.mode !== 'id') return []
  return [config.onClick.target.id]
}

/** An unchanged tile is not checked again, because its source may have changed. */
function changedTiles(tiles: readonly Tile[], stored: DashboardDocument | undefined): readonly Tile[] {
  return tiles.filter((tile) => {
    const before = stored?.tiles.find(({ id }) => id === tile.id)
    return !before || !isDeepStrictEqual(before.config, tile.config)
  })
}
