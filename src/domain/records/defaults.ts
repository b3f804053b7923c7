/**
 * A record as a deployment returns it after it was written: with the defaults of what was left out, and without what has no
 * effect (docs/DEPLOYMENTS.md#dashboards, #sources, #saved-searches). A file or another deployment may have it otherwise, which is no difference.
 */
import type { JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'

const rules: Partial<Record<RecordKind, (record: JsonObject) => JsonObject>> = {
  sources: source,
  savedSearches: (record) => ({ ...withLanguage(record), ...eachOf(record, 'filters', withType) }),
  dashboards: dashboard,
  alerts: alert,
}

/** @param record with names or ids of others */
export function withDefaults(kind: RecordKind, record: JsonObject): JsonObject {
  return rules[kind]?.(record) ?? record
}

function source(record: JsonObject): JsonObject {
  const rollups = record['metadataMaterializedViews']
  return {
    ...withAbsent(record, { disabled: false, ...(record['kind'] === 'trace' && { durationPrecision: 3 }) }),
    ...eachOf(record, 'materializedViews', (view) => shortened(view, 'minGranularity')),
    ...(isPlainObject(rollups) && { metadataMaterializedViews: shortened(rollups, 'granularity') }),
  }
}

const units: Readonly<Record<string, string>> = { second: 's', minute: 'm', hour: 'h', day: 'd' }

/** `5 minute` is returned as `5m`. */
function shortened(holder: JsonObject, name: string): JsonObject {
  const value = holder[name]
  if (typeof value !== 'string') return holder
  return {
    ...holder,
    [name]: value.replace(/^(\d+) (second|minute|hour|day)$/, (_, count, unit) => count + units[unit]),
  }
}

function dashboard(record: JsonObject): JsonObject {
  const { tags, savedQuery } = record
  return {
    ...(typeof savedQuery === 'string' && savedQuery !== ''
      ? withAbsent(record, { savedQueryLanguage: 'lucene' })
      : record),
    ...(Array.isArray(tags) && { tags: [...new Set(tags)] }),
    ...eachOf(record, 'savedFilterValues', withType),
    ...eachOf(record, 'filters', filter),
    ...eachOf(record, 'tiles', (tile) =>
      isPlainObject(tile['config']) ? { ...tile, config: tileConfig(tile['config']) } : tile,
    ),
  }
}

/** Without what its mode ignores. */
function filter(record: JsonObject): JsonObject {
  return omitFields(record, [
    ...(record['isVariableEnabled'] === true || record['type'] === 'STATIC_LIST' ? [] : ['variableName']),
    ...(record['isBroadcastEnabled'] === false ? ['appliesToSources', 'appliesToSourceIds'] : []),
  ])
}

function tileConfig(config: JsonObject): JsonObject {
  const isOverTime = config['displayType'] === 'line' || config['displayType'] === 'stacked_bar'
  if (config['configType'] === 'sql') return isOverTime ? withAbsent(config, { fillNulls: true }) : config
  switch (config['displayType']) {
    case 'line':
    case 'stacked_bar':
    case 'table':
      return withAbsent(withSeries(config), { asRatio: false, ...(isOverTime && { fillNulls: true }) })
    case 'number':
      return omitFields(withSeries(config), ['showOperandSeries'])
    case 'pie':
    case 'bar':
      return withSeries(config)
    case 'heatmap':
    case 'search':
    case 'event_patterns':
      return withLanguage(config)
    default:
      return config
  }
}

function withSeries(config: JsonObject): JsonObject {
  const { formulas } = config
  const hasFormulas = Array.isArray(formulas) && formulas.length > 0
  return { ...omitFields(config, hasFormulas ? [] : ['showOperandSeries']), ...eachOf(config, 'select', withLanguage) }
}

function alert(record: JsonObject): JsonObject {
  const { source: watched, scheduleStartAt: start } = record
  const time = typeof start === 'string' ? Date.parse(start) : Number.NaN
  return {
    ...(watched === 'tile' ? omitFields(record, ['groupBy']) : record),
    ...(!Number.isNaN(time) && { scheduleStartAt: new Date(time).toISOString() }),
  }
}

function withLanguage(record: JsonObject): JsonObject {
  return withAbsent(record, { whereLanguage: 'lucene' })
}

function withType(record: JsonObject): JsonObject {
  return withAbsent(record, { type: 'sql' })
}

/** The record with values for the fields that are absent or null. */
function withAbsent(record: JsonObject, values: JsonObject): JsonObject {
  const absent = Object.entries(values).filter(([name]) => record[name] === undefined || record[name] === null)
  return absent.length === 0 ? record : { ...record, ...Object.fromEntries(absent) }
}

function omitFields(record: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

/** The list with each of its objects changed, as the fields of a record that has it. */
function eachOf(record: JsonObject, list: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const items = record[list]
  if (!Array.isArray(items)) return {}
  return { [list]: items.map((item: unknown) => (isPlainObject(item) ? change(item) : item)) }
}
