/** The content of a shared link, taken from a page: its tiles with their queries, without the times of these. */
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { portableQuery } from '#console/charting/chartRequest.ts'
import { writtenCondition } from '#console/charting/freeText.ts'
import { columnsOf, selectOf } from '#console/charting/rows/columns.ts'
import { maxMessages, messageColumns } from '#console/charting/rows/messageRows.ts'
import { seriesNames } from '#console/charting/series/seriesNames.ts'
import { distributionConfig, heatmapValue, scaleKind } from '#console/charting/tiles/heatmapCounts.ts'
import { sqlAlignment } from '#console/charting/tiles/sqlTile.ts'
import { sqlTileFilters } from '#console/charting/tiles/sqlTileFilters.ts'
import type { SelectItem, TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { planTile, type QueryPlan, type TileRows, type TileScope } from '#console/charting/tiles/tileQuery.ts'
import type { ChartQuery } from '#contract/stack/charts.ts'
import type { Dashboard, Tile } from '#contract/stack/dashboards/dashboards.ts'
import type { SharedContent, SharedTile } from '#contract/console/sharedLinks.ts'
import { sources as sourceEndpoints, type Source } from '#contract/stack/sources.ts'
import type { SqlFilters } from '#contract/stack/sql.ts'
import { ExecutionError } from '#domain/alerting/executionError.ts'
import { sourceTable, tileStatement } from '#domain/alerting/sqlTemplate.ts'
import { heatmapScale } from '#domain/series/heatmap.ts'
import { readNumberFormat } from '#domain/charts/numberFormat.ts'
import { automaticUnit, unitsByKey, type MetricUnits } from '#domain/series/seriesUnits.ts'
import { ianaName, type Zone } from '#domain/time/zone.ts'
import { clampPosition } from '#domain/dashboards/gridPositions.ts'

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
  /** Why Raw SQL tiles cannot be shown; undefined if they can. */
  sqlRefused?: string | undefined
}

/** The content of a link that shows the tiles as the page does now, with its conditions and filters. */
export async function recordContent(recorded: Recorded) {
  const { connectionId, sources, scope, tiles, containers = [], nameOf, sqlRefused } = recorded
  const zone = zoneName(scope.zone)
  const units = new Map<string, MetricUnits>()
  for (const source of sources.filter(({ kind, id }) => kind === 'metric' && tiles.some(reads(scope, id)))) {
    units.set(source.id, await metricUnits(connectionId, source.id))
  }
  const place = { sources, scope: { ...scope, zone, forVisitors: true }, units, sqlRefused }
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
        ...clampPosition(tile),
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
  /** Why Raw SQL tiles are not shown; undefined if they are. */
  sqlRefused: string | undefined
}

type Content = SharedTile['content']

function contentOf(config: TileConfig | undefined, place: Place): Content {
  const { sources, scope, units } = place
  if (config?.configType === 'sql') return sqlOf(config, place)
  const plan = planTile(config, scope)
  if (plan.kind === 'markdown') return { kind: 'text', text: plan.text }
  if (plan.kind === 'none' || !config) {
    return { kind: 'none', reason: plan.kind === 'none' ? plan.reason : 'This tile has no configuration.' }
  }
  const source = sources.find(({ id }) => id === plan.requests[0]?.query.series[0]?.sourceId)
  if (plan.rows) return rowsOf(plan, plan.rows, source)
  const unitOf = (item: SelectItem) => automaticUnit(item, source, units.get(source?.id ?? '') ?? new Map())
  return config.displayType === 'heatmap'
    ? heatmapOf(config, plan, place, unitOf)
    : chartOf(config, plan, sources, unitOf)
}

function rowsOf({ requests }: QueryPlan, { kind, select }: TileRows, source: Source | undefined): Content {
  const series = requests[0]?.query.series[0]
  if (!source || !series) return { kind: 'none', reason: 'Source not found. It may have been deleted.' }
  const columns = kind === 'search' ? columnsOf(select, source) : messageColumns(source)
  const whereLanguage = series.whereLanguage ?? 'lucene'
  const where = writtenCondition(series.where ?? '', whereLanguage)
  const search = { sourceId: source.id, where, whereLanguage, select: selectOf(columns, source) }
  return kind === 'search'
    ? { kind: 'rows', columns, search: { ...search, maxResults: maxRows } }
    : { kind: 'patterns', search: { ...search, maxResults: maxMessages } }
}

/** The statement is filled by whoever runs it: its tables are named as they are now. */
function sqlOf(config: TileConfig, { sources, scope, sqlRefused }: Place): Content {
  if (sqlRefused !== undefined) return { kind: 'none', reason: 'Its SQL may not be shared.' }
  const filtered = sqlTileFilters(config, scope)
  if ('refused' in filtered) return { kind: 'none', reason: filtered.refused }
  const { sqlTemplate: template = '', sourceId, connectionId: databaseId } = config
  if (template.trim() === '') return { kind: 'none', reason: 'This tile has no SQL.' }
  const source = sources.find(({ id }) => id === sourceId)
  const { databaseName, tableName } = source?.from ?? {}
  // A broken statement affects this tile only.
  if (!canBeFilled(config, filtered.filters, source)) return { kind: 'none', reason: 'Its SQL cannot be run.' }
  return {
    kind: 'sql',
    config: drawnSql(config),
    notes: filtered.notes,
    alignment: sqlAlignment(config, scope),
    template,
    ...(filtered.filters && { filters: filtered.filters }),
    ...(source && {
      source: {
        ...(databaseName !== undefined && tableName !== undefined && { from: { databaseName, tableName } }),
        ...(source.metricTables && { metricTables: source.metricTables }),
      },
    }),
    ...(typeof databaseId === 'string' && databaseId !== '' && { databaseId }),
  }
}

function canBeFilled(config: TileConfig, filters: SqlFilters | undefined, source: Source | undefined): boolean {
  const times = { startTime: 0, endTime: 60_000, intervalSeconds: 60 }
  try {
    tileStatement({ config }, { ...times, ...(filters && { filters }) }, (type) => sourceTable(source, type).table)
    return true
  } catch (error) {
    if (error instanceof ExecutionError) return false
    throw error
  }
}

/** The part of a configuration that is drawn. */
function drawnSql(config: TileConfig): Record<string, unknown> {
  const { sqlTemplate: _sql, sourceId: _source, connectionId: _database, ...drawn } = config
  return drawn
}

/** @param plan that of its bounds */
function heatmapOf(
  config: TileConfig,
  plan: QueryPlan,
  { sources, scope }: Place,
  unitOf: (item: SelectItem) => unknown,
): Content {
  const maps = scope.mapsOf?.(scope.sourceId(config.sourceId ?? '') ?? '') ?? []
  // The groups of the counts follow from the bounds, which whoever reads them knows.
  const counts = planTile(distributionConfig(config, heatmapScale('log', { low: 1, high: 2 }), maps), scope)
  if (counts.kind !== 'query') return { kind: 'none', reason: 'This heatmap cannot be drawn.' }
  const named = Array.isArray(config.select) ? config.select[0]?.valueExpression : undefined
  return {
    kind: 'heatmap',
    value: heatmapValue(config, maps),
    scale: scaleKind(config),
    unit:
      readNumberFormat(config.numberFormat) ??
      unitOf({ aggFn: 'min', ...(named !== undefined && { valueExpression: named }) }),
    notes: plan.notes,
    bounds: { alignment: plan.alignment, query: queryOf(plan, sources) },
    counts: { alignment: counts.alignment, query: queryOf(counts, sources) },
  }
}

/** The only query of a plan. */
const queryOf = ({ requests }: QueryPlan, sources: readonly Source[]) => sharedQueryOf(requests[0]!.query, sources)

/** A query as it is sent, without its times, with the defaults of the contract. */
function sharedQueryOf(query: ChartQuery, sources: readonly Source[]) {
  const { series, seriesReturnType, topGroups } = portableQuery(query, sources)
  return {
    series: series.map(({ where = '', whereLanguage = 'lucene' as const, groupBy = [], ...one }) => ({
      ...one,
      where,
      whereLanguage,
      groupBy,
    })),
    ...(seriesReturnType && { seriesReturnType }),
    ...(topGroups !== undefined && { topGroups }),
  }
}

function chartOf(
  config: TileConfig,
  plan: QueryPlan,
  sources: readonly Source[],
  unitOf: (item: SelectItem) => unknown,
): Content {
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
    requests: plan.requests.map(({ first, earlier, query }) => ({
      first,
      earlier: earlier > 0,
      query: sharedQueryOf(query, sources),
    })),
  }
}

/** The part of a configuration that is drawn, and not how it is asked for: series have the names that their conditions may give them. */
function drawnConfig(config: TileConfig, items: readonly SelectItem[]): Record<string, unknown> {
  const {
    sourceId: _source,
    where: _where,
    whereLanguage: _language,
    having: _having,
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
