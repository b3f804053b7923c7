/** The content of a shared link, taken from a page: its tiles with their queries, without the times of these. */
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { portableQuery } from '#console/telemetry/chartRequest.ts'
import { writtenCondition } from '#console/telemetry/freeText.ts'
import { columnsOf, selectOf } from '#console/telemetry/rows/columns.ts'
import { seriesNames } from '#console/telemetry/seriesNames.ts'
import type { SelectItem, TileConfig } from '#console/telemetry/tiles/tileConfig.ts'
import { planTile, type QueryPlan, type TileScope } from '#console/telemetry/tiles/tileQuery.ts'
import type { Dashboard, Tile } from '#contract/dashboards.ts'
import type { SharedContent, SharedTile } from '#contract/sharedLinks.ts'
import { sources as sourceEndpoints, type Source } from '#contract/sources.ts'
import { automaticUnit, unitsByKey, type MetricUnits } from '#domain/seriesUnits.ts'
import { ianaName, type Zone } from '#domain/time/zone.ts'
import { clampPlace } from '#console/telemetry/gridPlaces.ts'

/** The rows that a list has at most. */
const maxRows = 100

export interface Recorded {
  /** The connection that answers the queries. */
  connectionId: string
  sources: readonly Source[]
  scope: TileScope
  tiles: readonly Tile[]
  containers?: Dashboard['containers']
  nameOf: (tile: Tile) => string
}

/** The content of a link that shows the tiles as the page does now, with its conditions and filters. */
export async function recordContent({ connectionId, sources, scope, tiles, containers = [], nameOf }: Recorded) {
  const zone = zoneName(scope.zone)
  const units = new Map<string, MetricUnits>()
  for (const source of sources.filter(({ kind, id }) => kind === 'metric' && tiles.some(reads(scope, id)))) {
    units.set(source.id, await metricUnits(connectionId, source.id))
  }
  const place = { sources, scope: { ...scope, zone }, units }
  const content: SharedContent = {
    zone,
    containers: containers.map(({ id, title, tabs }) => ({
      id,
      ...(title !== undefined && { title }),
      ...(Array.isArray(tabs) && { tabs: tabs.flatMap(tabOf) }),
    })),
    tiles: tiles.map((tile, at) => {
      const { description, containerId, tabId } = tile
      return {
        ...clampPlace(tile),
        id: tile.id ?? String(at),
        name: nameOf(tile),
        ...(description && { description }),
        ...(containerId && { containerId }),
        ...(tabId && { tabId }),
        content: contentOf(tile.config, place),
      }
    }),
  }
  return content
}

/** The server reads the ranges: it knows no zone of a browser. */
function zoneName(zone: Zone): string {
  const name = ianaName(zone)
  return /^(?:Etc\/)?(?:UTC|Unknown)$/.test(name) ? 'utc' : name
}

const reads =
  (scope: TileScope, sourceId: string) =>
  ({ config }: Tile): boolean =>
    scope.sourceId(config?.sourceId ?? '') === sourceId

/** None where the deployment does not list them. */
const metricUnits = (connectionId: string, sourceId: string): Promise<MetricUnits> =>
  queryClient
    .fetchQuery({ ...q(connectionId, sourceEndpoints.metricNames, { params: { sourceId } }), staleTime: 300_000 })
    .then(unitsByKey, () => new Map())

function tabOf(tab: unknown): { id: string; title?: string }[] {
  const { id, title }: { id?: unknown; title?: unknown } = Object(tab)
  return typeof id === 'string' ? [{ id, ...(typeof title === 'string' && { title }) }] : []
}

interface Place {
  sources: readonly Source[]
  scope: TileScope
  units: ReadonlyMap<string, MetricUnits>
}

function contentOf(config: TileConfig | undefined, place: Place): SharedTile['content'] {
  const { sources, scope, units } = place
  if (config?.configType === 'sql') return { kind: 'none', reason: 'Shared links do not show Raw SQL tiles.' }
  const plan = planTile(config, scope)
  if (plan.kind === 'markdown') return { kind: 'text', text: plan.text }
  if (plan.kind === 'none' || !config) {
    return { kind: 'none', reason: plan.kind === 'none' ? plan.reason : 'This tile has no configuration.' }
  }
  if (plan.rows?.kind === 'event_patterns') return { kind: 'none', reason: 'Shared links do not show patterns.' }
  if (config.displayType === 'heatmap') return { kind: 'none', reason: 'Shared links do not show heatmaps.' }
  const source = sources.find(({ id }) => id === plan.requests[0]?.query.series[0]?.sourceId)
  if (plan.rows) return rowsOf(plan, plan.rows.select, source)
  return chartOf(config, plan, sources, (item) => automaticUnit(item, source, units.get(source?.id ?? '') ?? new Map()))
}

function rowsOf({ requests }: QueryPlan, select: string, source: Source | undefined): SharedTile['content'] {
  const series = requests[0]?.query.series[0]
  if (!source || !series) return { kind: 'none', reason: 'Source not found. It may have been deleted.' }
  const columns = columnsOf(select, source)
  const whereLanguage = series.whereLanguage ?? 'lucene'
  const where = writtenCondition(series.where ?? '', whereLanguage)
  return {
    kind: 'rows',
    columns,
    search: { sourceId: source.id, where, whereLanguage, select: selectOf(columns, source), maxResults: maxRows },
  }
}

function chartOf(
  config: TileConfig,
  plan: QueryPlan,
  sources: readonly Source[],
  unitOf: (item: SelectItem) => unknown,
): SharedTile['content'] {
  const { alignment, aggFns, combinations, notes } = plan
  const items = Array.isArray(config.select) ? config.select : []
  return {
    kind: 'chart',
    config: drawnConfig(config, items),
    units: items.map(unitOf),
    alignment,
    aggFns,
    combinations,
    notes,
    before: config.displayType === 'number',
    requests: plan.requests.map(({ first, earlier, query }) => {
      const { series, seriesReturnType, topGroups } = portableQuery(query, sources)
      return {
        first,
        earlier: earlier > 0,
        query: {
          // With the defaults of the contract.
          series: series.map(({ where = '', whereLanguage = 'lucene', groupBy = [], ...one }) => ({
            ...one,
            where,
            whereLanguage,
            groupBy,
          })),
          ...(seriesReturnType && { seriesReturnType }),
          ...(topGroups !== undefined && { topGroups }),
        },
      }
    }),
  }
}

/** The part of a configuration that is drawn, and not how it is asked for: series have the names that their conditions may give them. */
function drawnConfig(config: TileConfig, items: readonly SelectItem[]): Record<string, unknown> {
  const {
    sourceId: _source,
    where: _where,
    whereLanguage: _language,
    sqlTemplate: _sql,
    select: _select,
    ...shown
  } = config
  const names = seriesNames(items)
  return {
    ...shown,
    select: items.map(({ aggFn, level, metricName, metricType, numberFormat }, at) => ({
      aggFn,
      level,
      metricName,
      metricType,
      numberFormat,
      alias: names[at],
    })),
  }
}
