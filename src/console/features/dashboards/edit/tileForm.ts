/**
 * A tile's configuration as fields of a form, and back. Only fields that were changed are written: everything else of the
 * configuration, known or not, stays as it was read.
 */
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import { writtenCondition } from '#console/charting/freeText.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { numberOf } from '#console/charting/series/groupValues.ts'
import { type JsonObject, sameJson } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { type NumberFormatForm, readNumberFormatForm, writeNumberFormat } from '../model/numberFormatForm.ts'

interface SeriesForm {
  /** Place of the series in the configuration that was read; -1 for a new one. */
  origin: number
  aggFn: string
  valueExpression: string
  alias: string
  level: string
  where: string
  whereLanguage: string
  metricName: string
  metricType: string
}

interface FormulaForm {
  origin: number
  expression: string
  alias: string
}

export interface TileForm extends NumberFormatForm {
  name: string
  description: string
  kind: string
  sourceId: string
  series: SeriesForm[]
  formulas: FormulaForm[]
  groupBy: string
  /** Columns of a search tile. */
  columns: string
  where: string
  whereLanguage: string
  having: string
  orderBy: string
  limit: number | null
  seriesLimit: number | null
  asRatio: boolean
  showOperandSeries: boolean
  fillNulls: boolean
  compareToPreviousPeriod: boolean
  fitYAxisToData: boolean
  lineInterpolation: string
  alignDateRangeToGranularity: boolean
  groupByColumnsOnLeft: boolean
  markdown: string
  color: string
  sqlTemplate: string
  connectionId: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export function readForm(tile: Pick<Tile, 'name' | 'description' | 'config'>): TileForm {
  const config: JsonObject = tile.config ?? {}
  return {
    name: tile.name ?? '',
    description: tile.description ?? '',
    kind: text(config.displayType),
    sourceId: text(config.sourceId),
    series: listOf(config.select).map(readSeries),
    formulas: listOf(config.formulas).map((formula, origin) => ({
      origin,
      expression: text(formula.expression),
      alias: text(formula.alias),
    })),
    groupBy: text(config.groupBy),
    columns: text(config.select),
    where: text(config.where),
    whereLanguage: text(config.whereLanguage) || 'lucene',
    having: text(config.having),
    orderBy: text(config.orderBy),
    limit: numberOf(config.limit),
    seriesLimit: numberOf(config.seriesLimit),
    asRatio: config.asRatio === true,
    showOperandSeries: config.showOperandSeries === true,
    fillNulls: config.fillNulls !== false,
    compareToPreviousPeriod: config.compareToPreviousPeriod === true,
    fitYAxisToData: config.fitYAxisToData === true,
    lineInterpolation: text(config.lineInterpolation),
    alignDateRangeToGranularity: config.alignDateRangeToGranularity !== false,
    groupByColumnsOnLeft: config.groupByColumnsOnLeft === true,
    markdown: text(config.markdown),
    ...readNumberFormatForm(config.numberFormat),
    color: text(config.color),
    sqlTemplate: text(config.sqlTemplate),
    connectionId: text(config.connectionId),
  }
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isPlainObject) : [])

function readSeries(item: JsonObject, origin: number): SeriesForm {
  return {
    origin,
    aggFn: text(item.aggFn) || 'count',
    valueExpression: text(item.valueExpression),
    alias: text(item.alias),
    level: item.level === undefined ? '' : String(numberOf(item.level) ?? ''),
    where: text(item.where),
    whereLanguage: text(item.whereLanguage) || 'lucene',
    metricName: text(item.metricName),
    metricType: text(item.metricType),
  }
}

export const newSeries: SeriesForm = readSeries({ aggFn: 'count' }, -1)

/** Configuration fields that a form field of the same name contains unchanged. */
const plain = [
  'sourceId',
  'groupBy',
  'where',
  'whereLanguage',
  'having',
  'orderBy',
  'limit',
  'seriesLimit',
  'asRatio',
  'showOperandSeries',
  'fillNulls',
  'compareToPreviousPeriod',
  'fitYAxisToData',
  'lineInterpolation',
  'alignDateRangeToGranularity',
  'groupByColumnsOnLeft',
  'markdown',
  'color',
  'sqlTemplate',
  'connectionId',
] as const satisfies readonly (keyof TileForm)[]

/** Applies the form to the tile that it was read from. */
export function writeForm<T extends Pick<Tile, 'name' | 'description' | 'config'>>(tile: T, form: TileForm): T {
  const initial = readForm(tile)
  const config = writeConfig(tile.config ?? {}, initial, form)
  return {
    ...tile,
    ...(form.name !== initial.name && { name: form.name }),
    ...(form.description !== initial.description && { description: form.description }),
    ...(!sameJson(config, tile.config ?? {}) && { config }),
  }
}

function writeConfig(before: TileConfig, initial: TileForm, form: TileForm): TileConfig {
  const retype = form.kind !== initial.kind
  const config: JsonObject = retype ? convertConfig(before, form.kind) : { ...before }
  for (const key of plain) {
    if (form[key] === initial[key]) continue
    if (form[key] === '' || form[key] === null) delete config[key]
    else config[key] = key === 'where' ? writtenCondition(form.where, form.whereLanguage) : form[key]
  }
  if (form.kind === 'search' || form.kind === 'event_patterns') {
    if (form.columns !== initial.columns || (retype && !('select' in config))) config.select = form.columns
  } else if (!sameJson(form.series, initial.series) || (retype && takesSeries(form.kind) && !('select' in config))) {
    config.select = form.series.map((seriesForm) =>
      writeSeries(listOf(before.select)[seriesForm.origin] ?? {}, seriesForm),
    )
  }
  if (!sameJson(form.formulas, initial.formulas)) {
    config.formulas = form.formulas.map(({ origin, expression, alias }) =>
      setOrDelete({ ...listOf(before.formulas)[origin], expression }, 'alias', alias),
    )
    if (form.formulas.length === 0) delete config.formulas
  }
  const format = writeNumberFormat(config.numberFormat, initial, form)
  if (format === undefined) delete config.numberFormat
  else config.numberFormat = format
  return config as TileConfig // fields of a configuration, set from the form's
}

/** Kinds that draw a list of series. */
export const takesSeries = (kind: string): boolean =>
  ['line', 'stacked_bar', 'table', 'number', 'pie', 'bar', 'heatmap'].includes(kind)

const fieldsOf: Record<string, readonly string[]> = {
  line: [
    'groupBy',
    'asRatio',
    'fillNulls',
    'formulas',
    'showOperandSeries',
    'compareToPreviousPeriod',
    'fitYAxisToData',
    'lineInterpolation',
    'seriesLimit',
    'alignDateRangeToGranularity',
  ],
  stacked_bar: [
    'groupBy',
    'asRatio',
    'fillNulls',
    'formulas',
    'showOperandSeries',
    'lineInterpolation',
    'seriesLimit',
    'alignDateRangeToGranularity',
  ],
  table: [
    'groupBy',
    'having',
    'orderBy',
    'asRatio',
    'formulas',
    'showOperandSeries',
    'groupByColumnsOnLeft',
    'onClick',
  ],
  number: ['formulas', 'color', 'colorRules', 'backgroundChart'],
  pie: ['groupBy', 'orderBy', 'limit'],
  bar: ['groupBy', 'orderBy', 'limit'],
  heatmap: ['where', 'whereLanguage'],
  search: ['where', 'whereLanguage'],
  event_patterns: ['where', 'whereLanguage'],
  markdown: ['markdown'],
}

/** Whether a tile type has the field; an unknown type may have any. */
export function hasField(kind: string, field: string): boolean {
  return fieldsOf[kind]?.includes(field) ?? true
}

/** A configuration of another kind: fields that the new kind does not have are dropped. */
function convertConfig(config: TileConfig, kind: string): JsonObject {
  const known = new Set(Object.values(fieldsOf).flat())
  const remaining = Object.entries(config).filter(([key]) => !known.has(key) || hasField(kind, key))
  const next: JsonObject = { ...Object.fromEntries(remaining), displayType: kind }
  if (kind === 'markdown')
    return { displayType: kind, ...(config.markdown !== undefined && { markdown: config.markdown }) }
  if (takesSeries(kind) !== Array.isArray(config.select)) delete next.select
  return next
}

function writeSeries(before: JsonObject, form: SeriesForm): JsonObject {
  const initial = form.origin < 0 ? null : readSeries(before, form.origin)
  let item: JsonObject = { ...before }
  const keys = ['aggFn', 'valueExpression', 'alias', 'where', 'whereLanguage', 'metricName', 'metricType'] as const
  for (const key of keys) {
    if (initial && form[key] === initial[key]) continue
    item = setOrDelete(item, key, key === 'where' ? writtenCondition(form.where, form.whereLanguage) : form[key])
  }
  if (!initial || form.level !== initial.level)
    item = setOrDelete(item, 'level', form.level === '' ? '' : Number(form.level))
  if (isOfMetricAlone(form) && !(initial && isOfMetricAlone(initial) && initial.aggFn === form.aggFn))
    item.valueExpression = 'Value'
  if (form.aggFn === 'count' && item.valueExpression) delete item.valueExpression
  if (form.aggFn !== 'quantile') delete item.level
  return item
}

/** Whether the series is the metric itself, without an expression: deployments require the column name of its values. */
const isOfMetricAlone = ({ aggFn, metricName, valueExpression }: SeriesForm): boolean =>
  aggFn !== 'count' && metricName !== '' && valueExpression.trim() === ''

function setOrDelete(object: JsonObject, key: string, value: unknown): JsonObject {
  const { [key]: _before, ...rest } = object
  return value === '' || value === null || value === undefined ? rest : { ...object, [key]: value }
}
