/** The older form of a tile, `series`: still accepted and stored as `config` (docs/DEPLOYMENTS.md#tiles). */
import { z } from 'zod'
import { aggFns } from '../charts.ts'
import { metricTypes } from '../sources.ts'
import type { StrictTileConfig } from './tileConfigs.ts'
import { expression, numberFormat, objectId, whereLanguage } from './tileParts.ts'

const measured = {
  sourceId: objectId,
  aggFn: z.enum(aggFns),
  level: z.number().min(0).max(1).optional(),
  field: expression.optional(),
  alias: expression.optional(),
  where: expression,
  whereLanguage: whereLanguage.optional(),
  numberFormat: numberFormat.optional(),
  metricDataType: z.enum(metricTypes).optional(),
  metricName: expression.optional(),
}
const grouped = { groupBy: z.array(z.string()).max(10) }

const time = z.object({
  type: z.literal('time'),
  ...measured,
  ...grouped,
  displayType: z.enum(['stacked_bar', 'line']).optional(),
})
/** `sortOrder` is accepted without effect, because it has no column. */
const table = z.object({
  type: z.literal('table'),
  ...measured,
  ...grouped,
  sortOrder: z.enum(['asc', 'desc']).optional(),
})
const number = z.object({ type: z.literal('number'), ...measured })
const search = z.object({
  type: z.literal('search'),
  sourceId: objectId,
  fields: z.array(z.string()),
  where: expression,
  whereLanguage: whereLanguage.optional(),
})
const markdown = z.object({ type: z.literal('markdown'), content: z.string().max(100_000) })

const legacySeriesItem = z.discriminatedUnion('type', [time, table, number, search, markdown])
type LegacySeries = z.output<typeof legacySeriesItem>

export const legacySeries = z
  .array(legacySeriesItem)
  .min(1)
  .refine((series) => new Set(series.map(({ type }) => type)).size <= 1, 'All series must have the same type')

/** Converts a tile to the current form. Common fields are taken from the first series. */
export function configOf(series: readonly LegacySeries[], asRatio = false): StrictTileConfig {
  const [first] = series
  if (!first) throw new TypeError('a tile has at least one series')
  switch (first.type) {
    case 'time': {
      const config = { ...overGroups(first, series), asRatio, fillNulls: true }
      return first.displayType === 'stacked_bar'
        ? { displayType: 'stacked_bar', ...config }
        : { displayType: 'line', ...config }
    }
    case 'table':
      return { displayType: 'table', ...overGroups(first, series), asRatio }
    case 'number':
      return { displayType: 'number', sourceId: first.sourceId, select: [selectItem(first)], ...format(first) }
    case 'search': {
      const { sourceId, fields, where, whereLanguage = 'lucene' } = first
      return { displayType: 'search', sourceId, select: fields.join(','), where, whereLanguage }
    }
    case 'markdown':
      return { displayType: 'markdown', markdown: first.content }
  }
}

function overGroups(first: z.output<typeof time | typeof table>, series: readonly LegacySeries[]) {
  return {
    sourceId: first.sourceId,
    select: series.flatMap((item) => ('aggFn' in item ? [selectItem(item)] : [])),
    ...(first.groupBy.length > 0 && { groupBy: first.groupBy.join(',') }),
    ...format(first),
  }
}

function selectItem(series: Extract<LegacySeries, { aggFn: string }>) {
  return {
    aggFn: series.aggFn,
    valueExpression: series.aggFn === 'count' ? '' : series.field,
    where: series.where,
    whereLanguage: series.whereLanguage ?? ('lucene' as const),
    ...(series.alias !== undefined && { alias: series.alias }),
    ...(series.level !== undefined && { level: series.level }),
    ...(series.metricDataType !== undefined && { metricType: series.metricDataType }),
    ...(series.metricName !== undefined && { metricName: series.metricName }),
  }
}

function format(series: Extract<LegacySeries, { aggFn: string }>) {
  return series.numberFormat && { numberFormat: series.numberFormat }
}
