/**
 * Dashboards as the vendor's page exports them (`version: "0.1.0"`): sources and dashboards by name, and fields of tiles
 * under other names than in the API. Converted by renaming; fields that only the page has are left out and named.
 */
import type { JsonObject } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'

/** The body of a dashboard for the API, with names in the place of source IDs. */
export interface ConvertedTemplate {
  body: JsonObject
  sources: { id: string; name: string; kind: string }[]
  /** Parts that the API has no place for, in words. */
  leftOut: string[]
}

export const isUiTemplate = (file: JsonObject): boolean =>
  typeof file.version === 'string' && typeof file.name === 'string' && Array.isArray(file.tiles)

export function convertTemplate(file: JsonObject): ConvertedTemplate {
  const { version: _, description, tiles, filters, ...rest } = file
  const kinds = new Map<string, string>()
  const leftOut: string[] = []
  const converted = objectsOf(tiles).flatMap((tile) => {
    const config = isPlainObject(tile.config) ? tile.config : {}
    const name = text(config.name) || 'Untitled tile'
    if (config.configType === 'promql') {
      leftOut.push(`${name}: the API has no PromQL tiles`)
      return []
    }
    const source = text(config.source)
    if (source) kinds.set(source, kinds.get(source) || (readsMetrics(config) ? 'metric' : ''))
    const { result, lost } = configOf(config)
    leftOut.push(...lost.map((what) => `${name}: ${what}`))
    return [{ ...tile, name: text(config.name), config: result }]
  })
  if (text(description)) leftOut.push('The description: dashboards have none in the API')
  const body: JsonObject = { ...rest, tiles: converted, filters: objectsOf(filters).map(filterOf) }
  for (const { source } of objectsOf(filters)) if (text(source)) kinds.set(text(source), kinds.get(text(source)) ?? '')
  return { body, sources: [...kinds].map(([name, kind]) => ({ id: name, name, kind })), leftOut }
}

/** Kinds of tiles whose series have a condition each: they have none of their own in the API. */
const ofSeries: readonly unknown[] = ['line', 'stacked_bar', 'table', 'number', 'pie', 'bar']
/** Kinds that the API limits by a number of groups. */
const limited: readonly unknown[] = ['pie', 'bar']
/** Fields that state what is the default in the API, or how the page shows its editor. */
const withoutEffect = ['name', 'granularity', 'limit', 'havingLanguage', 'seriesReturnType', 'implicitColumnExpression']

function configOf(config: JsonObject): { result: JsonObject; lost: string[] } {
  const { displayType, select, where, whereLanguage, source, connection, seriesLimit, groupBy, onClick } = config
  const kept = Object.fromEntries(Object.entries(config).filter(([key]) => !withoutEffect.includes(key)))
  for (const key of ['source', 'connection', 'where', 'whereLanguage', 'select', 'seriesLimit', 'groupBy', 'onClick']) {
    delete kept[key]
  }
  const lost: string[] = []
  const isOfSeries = ofSeries.includes(displayType) && config.configType === undefined
  const own = text(where).trim()
  const series = Array.isArray(select) ? select.filter(isPlainObject).map(selectItem) : []
  const conditioned = isOfSeries && own ? series.map((item) => withCondition(item, own, text(whereLanguage))) : series
  if (conditioned.includes(null)) lost.push(`the condition ${own}, because its series have one in another language`)
  if (typeof groupBy !== 'string' && groupBy !== undefined) lost.push('a grouping that is not a text')
  const result: JsonObject = {
    ...kept,
    ...(text(source) && { sourceId: source }),
    ...(text(connection) && { connectionId: connection }),
    ...(Array.isArray(select)
      ? { select: conditioned.map((item, index) => item ?? series[index]) }
      : typeof select === 'string' && !isOfSeries && displayType !== 'markdown' && { select }),
    ...(!isOfSeries && displayType !== 'markdown' && own && { where, ...(text(whereLanguage) && { whereLanguage }) }),
    ...(typeof groupBy === 'string' && groupBy && { groupBy }),
    ...(config.seriesReturnType === 'ratio' && series.length === 2 && { asRatio: true }),
    ...(seriesLimit !== undefined &&
      seriesLimit !== null &&
      (limited.includes(displayType) ? { limit: seriesLimit } : { seriesLimit })),
    ...(isPlainObject(onClick) && { onClick: clickOf(onClick) }),
  }
  return { result, lost }
}

/** One series, with the names of the API. */
function selectItem(item: JsonObject): JsonObject {
  const { aggCondition, aggConditionLanguage, isDelta, level, valueExpression, ...rest } = item
  return {
    ...rest,
    where: text(aggCondition),
    whereLanguage: text(aggConditionLanguage) || 'lucene',
    // The page leaves the field of a metric empty for its value; the API wants the column's name.
    ...(rest.aggFn !== 'count' && { valueExpression: text(valueExpression) || (text(rest.metricName) ? 'Value' : '') }),
    ...(rest.aggFn === 'quantile' && level !== undefined && { level }),
    ...(isDelta === true && { periodAggFn: 'delta' }),
  }
}

/** The series with one more condition; null if the two are in different languages. */
function withCondition(item: JsonObject, condition: string, language: string): JsonObject | null {
  const own = text(item.where).trim()
  const spelling = language || 'lucene'
  if (!own) return { ...item, where: condition, whereLanguage: spelling }
  return item.whereLanguage === spelling ? { ...item, where: `(${own}) AND (${condition})` } : null
}

/** A click that leads to a dashboard names it; in the API that is a template without variables. */
function clickOf(onClick: JsonObject): JsonObject {
  const { type, target } = onClick
  if (type !== 'dashboard' || !isPlainObject(target) || target.mode !== 'id') return onClick
  return { ...onClick, target: { mode: 'template', template: target.id } }
}

function filterOf({ source, ...filter }: JsonObject): JsonObject {
  return { ...filter, ...(text(source) && { sourceId: source }) }
}

const readsMetrics = ({ select }: JsonObject): boolean =>
  Array.isArray(select) && select.some((item) => isPlainObject(item) && text(item.metricName) !== '')

const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isPlainObject) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
