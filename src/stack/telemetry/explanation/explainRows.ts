/** Counts the attributes of the rows in a part of a chart and around it, in the engine. */
import { sum } from 'd3-array'
import { z } from 'zod'
import type { ExplanationCounts, ExplanationQuery } from '#contract/stack/explanation.ts'
import { attributeOf } from '#domain/query/sqlValues.ts'
import { othersOf } from '#domain/explanation/countAttributes.ts'
import type { AttributeCounts } from '#domain/explanation/attributeCounts.ts'
import { rangeCounts } from '#domain/explanation/valueRanges.ts'
import type { Span } from '#domain/time/span.ts'
import type { Engine } from '../engine/engine.ts'
import type { Table } from '../engine/engineDriver.ts'
import { at, ChartError } from '../series/chartError.ts'
import { planOf, StatementBuilder, type ParsedChartQuery } from '../series/seriesPlan.ts'
import type { Readable } from '../series/seriesQuery.ts'
import { everyRow, explainedColumns, type ExplainedColumn } from './explainedColumns.ts'
import { countsStatement, maxAttributes, valuesStatement, type ExplainedRows } from './explanationStatements.ts'
import { sampleWindows } from './sampleWindows.ts'

/** Rows that are compared of each side, more or less; fewer where they have many attributes. */
export const maxRows = 20_000
/** Attributes of all rows that are compared, together. */
const maxPairs = 1_000_000
/** Buckets in which rows are counted. */
const buckets = 10_000

/**
 * Two statements, each in its turn: the first one reads the times of all rows, and what the conditions need, the second one the attributes of
 * all rows, or of a sample of each side.
 * @throws ChartError for errors of the query, EngineError for errors of the engine (EngineAborted after `signal`)
 */
export async function explainRows(
  engine: Engine,
  query: ExplanationQuery,
  readable: Readable,
  signal: AbortSignal,
): Promise<ExplanationCounts> {
  const begun = performance.now()
  const { rows, columns, bindings } = await rowsOf(engine, query, readable).catch((error: unknown) => {
    throw inQuery(error)
  })
  const whole = { from: query.startTime, to: query.endTime }
  const bucketMs = Math.max(1, Math.ceil((whole.to - whole.from) / buckets))
  const run = (sql: string) => at('', () => engine.queryTable(sql, { params: bindings.params, signal, scans: true }))
  const counted = await run(countsStatement(rows, columns, { from: whole.from, bucketMs }))
  const { inside, outside, pairs } = countsOf(counted, whole, bucketMs)
  const total = { inside: sum(inside.values()), outside: sum(outside.values()) }
  const read = { rows: counted.read.rows, bytes: counted.read.bytes }
  let found: Found = { rows: total, attributes: [], clocks: [], leftOut: 0 }
  if (total.inside > 0 && total.outside > 0) {
    const each = Math.max(1, Math.floor(Math.min(maxRows, maxPairs / 2 / (pairs / (total.inside + total.outside)))))
    const windows = {
      inside: sampleWindows(inside, whole, bucketMs, each),
      outside: sampleWindows(outside, whole, bucketMs, each),
    }
    const values = await run(valuesStatement(rows, columns, windows))
    read.rows += values.read.rows
    read.bytes += values.read.bytes
    found = foundIn(values, columns)
  }
  return {
    ...found,
    // Rows may have come since they were counted.
    total: {
      inside: Math.max(total.inside, found.rows.inside),
      outside: Math.max(total.outside, found.rows.outside),
    },
    rowsRead: read.rows,
    bytesRead: read.bytes,
    milliseconds: Math.round(performance.now() - begun),
  }
}

/** Errors of the one series with the names that the query has. */
function inQuery(error: unknown): unknown {
  const path = error instanceof ChartError ? /^series\.0\.(.*)$/.exec(error.path)?.[1] : undefined
  return error instanceof ChartError && path ? new ChartError(error.status, path, error.reason) : error
}

/** The rows of the chart in SQL, and the columns that are compared. */
async function rowsOf(engine: Engine, query: ExplanationQuery, { sources, databases }: Readable) {
  const { sourceId, where, whereLanguage, startTime, endTime, inside, value } = query
  const source = sources.find(({ id }) => id === sourceId)
  if (!source) throw new ChartError(404, 'sourceId', 'Source not found')
  if (source.kind !== 'log' && source.kind !== 'trace') {
    throw new ChartError(400, 'sourceId', `${source.name} has no rows to compare: use a source of logs or traces`)
  }
  const series = { sourceId, aggFn: 'count' as const, where, whereLanguage, groupBy: [] }
  const chart: ParsedChartQuery = { startTime, endTime, granularity: '1d', series: [series] }
  const plan = await planOf(engine, 0, series, source, databases)
  const builder = new StatementBuilder(engine, chart, plan)
  const times = await builder.times()
  const condition = await builder.where(plan)
  const number = value && (await builder.value(value.expression, 'value.expression'))
  if (number && number.type.kind !== 'number') {
    throw new ChartError(400, 'value.expression', 'the value of a heatmap must be a number')
  }
  const time = `toUnixTimestamp64Milli(toDateTime64(${times.main.sql}, 9))`
  const moments = `${time} >= ${inside.startTime} AND ${time} < ${inside.endTime}`
  const bounds = number && value ? boundsSql(number.sql, value) : []
  const rows: ExplainedRows = {
    table: builder.table,
    where: [
      builder.inRange(times),
      `${time} < ${endTime}`,
      ...(condition === undefined ? [] : [`(${condition})`]),
      ...(number ? [`ifNull(isFinite(${number.sql}), 0)`] : []),
    ].join(' AND '),
    inside: `(${[moments, ...bounds].join(' AND ')})`,
    at: time,
    around: ({ from, to }) => builder.inRange(times, from, to),
  }
  const columns = await explainedColumns(engine, plan.table, source)
  return { rows, columns, bindings: builder.bindings }
}

/** Numbers of the query, as they are written in SQL. */
function boundsSql(number: string, { from, to }: NonNullable<ExplanationQuery['value']>): string[] {
  return [
    ...(from === null ? [] : [`assumeNotNull(${number}) >= toFloat64(${from})`]),
    ...(to === null ? [] : [`assumeNotNull(${number}) < toFloat64(${to})`]),
  ]
}

type Counts = Map<number, number>

/** Rows of each side by the start of their bucket, and how many attributes all of them have. */
function countsOf({ rows }: Table, { from }: Span, bucketMs: number) {
  const sides: { inside: Counts; outside: Counts } = { inside: new Map(), outside: new Map() }
  let pairs = 0
  for (const [bucket, isInside, count, attributes] of rows) {
    sides[Number(isInside) === 1 ? 'inside' : 'outside'].set(from + Number(bucket) * bucketMs, Number(count))
    pairs += Number(attributes)
  }
  return { ...sides, pairs }
}

type Found = Pick<ExplanationCounts, 'rows' | 'attributes' | 'clocks' | 'leftOut'>

/** The answer of `valuesStatement`. */
function foundIn({ rows }: Table, columns: readonly ExplainedColumn[]): Found {
  const found: Found = { rows: { inside: 0, outside: 0 }, attributes: [], clocks: [], leftOut: 0 }
  for (const [place, key, values, inside, outside, listed, ranges, isClock, attributes] of rows) {
    const all = { values: Number(values), inside: Number(inside), outside: Number(outside) }
    found.leftOut = Math.max(0, Number(attributes) - 1 - maxAttributes)
    const column = columns[Number(place)]
    if (Number(place) === everyRow) found.rows = { inside: all.inside, outside: all.outside }
    if (!column) continue
    const attribute = hasKeys(column) ? attributeOf(column.name, String(key)) : column.name
    if (Number(isClock) === 1) found.clocks.push(attribute)
    else found.attributes.push(...countsOfAttribute(attribute, column, { all, listed, ranges }))
  }
  return found
}

const hasKeys = ({ type }: ExplainedColumn): boolean => type.kind === 'map' || type.kind === 'json'

interface Counted {
  all: AttributeCounts['others']
  /** Values with their rows. */
  listed: unknown
  /** The first and the last number of each range, with its rows. */
  ranges: unknown
}

const counted = z.object({
  listed: z.array(z.tuple([z.string(), z.coerce.number(), z.coerce.number()])),
  ranges: z.array(z.tuple([z.coerce.number(), z.coerce.number(), z.coerce.number(), z.coerce.number()])),
})

/** The counts of an attribute by value and, of many numbers, by range. */
function countsOfAttribute(
  attribute: string,
  { type }: ExplainedColumn,
  { all, ...lists }: Counted,
): ExplanationCounts['attributes'] {
  const { listed, ranges } = counted.parse(lists)
  // Floating numbers are written as JSON has them.
  const textOf = (text: string) => (type.kind === 'number' && type.floating ? String(Number(text)) : text)
  const values = listed.map(([text, inside, outside]) => ({
    value: { kind: 'text' as const, text: textOf(text) },
    inside,
    outside,
  }))
  const byValue = { attribute, values, others: othersOf(values, all) }
  if (ranges.length === 0) return [byValue]
  const byRange = rangeCounts(ranges.map(([from, to, inside, outside]) => ({ from, to, inside, outside })))
  return [byValue, { attribute, values: byRange, others: { values: 0, inside: 0, outside: 0 } }]
}
