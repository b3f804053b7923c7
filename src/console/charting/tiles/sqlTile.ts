/** Converts the result of a Raw SQL tile to what its kind draws. */
import { readNumberFormat } from '#domain/charts/numberFormat.ts'
import type { Unit } from '#domain/charts/units.ts'
import { chartOf, kindOf, numberIn, type ResultSeries } from '#console/charting/sqlResult/resultSeries.ts'
import { textOf } from '#console/charting/sqlResult/resultFiles.ts'
import type { Alignment } from '#contract/stack/chartAlignment.ts'
import type { SqlResult } from '#contract/stack/sql.ts'
import type { AlignedRange } from '#domain/series/bucketAlignment.ts'
import { numberOf } from '../series/groupValues.ts'
import type { TileConfig } from './tileConfig.ts'
import type { TileTotal } from './tileData.ts'
import type { TileScope } from './tileQuery.ts'

interface Refused {
  /** Why nothing can be drawn: a sentence. */
  refused: string
}

type Rows = Pick<SqlResult, 'columns' | 'rows' | 'isTruncated'>

interface SqlChart {
  series: (ResultSeries & { unit: Unit })[]
  /** Milliseconds. */
  bucketMs: number
  /** A statement that makes buckets of another length than the page knows has gaps, and not zeros, between them. */
  missing: 'gap' | 'zero'
}

const overTime: readonly unknown[] = ['line', 'stacked_bar']

/** Whether the rows of a tile are drawn over time. */
export const isOverTime = ({ displayType }: TileConfig): boolean => overTime.includes(displayType)

/** How the range of a tile's statement follows from that of the view. */
export function sqlAlignment(
  config: TileConfig,
  { granularity = 'auto', zone }: Pick<TileScope, 'granularity' | 'zone'>,
): Alignment {
  const hasBuckets = isOverTime(config) && config['alignDateRangeToGranularity'] !== false
  return { kind: hasBuckets ? 'buckets' : 'none', granularity, zone }
}

/**
 * The series of a tile over time.
 *
 * @param bucketMs the buckets of the view
 * @param usesInterval whether the statement makes these buckets. Otherwise their length is read from the rows
 */
export function sqlChart(
  config: TileConfig,
  result: Rows,
  { bucketMs, usesInterval }: Pick<AlignedRange, 'bucketMs'> & { usesInterval: boolean },
): SqlChart | Refused {
  if (result.isTruncated) return tooManyRows
  if (result.rows.length === 0) return { series: [], bucketMs, missing: 'gap' }
  const chart = chartOf(result)
  if ('refused' in chart) return chart
  const unit = unitOf(config)
  return {
    series: limited(chart.series, numberOf(config['seriesLimit'])).map((resultSeries) => ({ ...resultSeries, unit })),
    bucketMs: usesInterval ? bucketMs : chart.bucketMs,
    missing: usesInterval && config['fillNulls'] !== false ? 'zero' : 'gap',
  }
}

/** The value of each group: the first column with numbers, by those with texts. A number is that of the first row. */
export function sqlTotal(
  config: TileConfig,
  { columns, rows, isTruncated }: Rows,
): { total: TileTotal; groupNames: string[] } | Refused {
  const value = columns.findIndex(({ type }) => kindOf(type) === 'number')
  const name = columns[value]?.name
  if (name === undefined) return { refused: 'The statement has no column with numbers.' }
  const column = { name, unit: unitOf(config), approximate: false }
  if (config.displayType === 'number') {
    const values = rows.slice(0, 1).map((row) => ({ group: [], values: [numberIn(row[value])] }))
    return { total: { columns: [column], rows: values }, groupNames: [] }
  }
  if (isTruncated) return tooManyRows
  const groups = columns.flatMap(({ type }, at) => (kindOf(type) === 'number' ? [] : [at]))
  const values = rows.map((row) => ({
    group: groups.map((at) => (row[at] === null ? 'NULL' : textOf(row[at]))),
    values: [numberIn(row[value])],
  }))
  if (new Set(values.map(({ group }) => JSON.stringify(group))).size < values.length) {
    return { refused: 'Several rows have the same group: the statement must have one row for each.' }
  }
  return { total: { columns: [column], rows: values }, groupNames: groups.map((at) => columns[at]?.name ?? '') }
}

const tooManyRows: Refused = {
  refused:
    'The statement has more rows than can be read, so the chart would lack some: choose a shorter range, or group by less.',
}

/** The unit of the numbers of a tile. */
export const unitOf = ({ numberFormat }: TileConfig): Unit => readNumberFormat(numberFormat) ?? 'number'

/** The `most` series with the largest absolute sums, in their order. */
function limited(series: readonly ResultSeries[], most: number | null): readonly ResultSeries[] {
  if (most === null || most <= 0 || series.length <= most) return series
  const size = ({ points }: ResultSeries) => points.reduce((sum, [, value]) => sum + Math.abs(value ?? 0), 0)
  const largest = new Set(series.toSorted((a, b) => size(b) - size(a)).slice(0, most))
  return series.filter((resultSeries) => largest.has(resultSeries))
}
