/** Converts the responses of a tile's queries to lines over time or one total per group. */
import type { ChartPoint } from '#contract/stack/charts.ts'
import { evaluateFormula, type Formula, FormulaError, parseFormula } from '#contract/stack/dashboards/formulas.ts'
import { movedBucket } from '#domain/time/localBuckets.ts'
import { formulaUnit } from '#domain/series/seriesUnits.ts'
import { readNumberFormat } from '#domain/charts/numberFormat.ts'
import type { Unit } from '#domain/charts/units.ts'
import type { Span } from '#domain/time/span.ts'
import { accumulates, combineBuckets, formulaAccumulates, valueWithoutRows } from '../series/combineBuckets.ts'
import { addPoints, type Groups, type GroupValues, numberOf } from '../series/groupValues.ts'
import { groupOrder, lineId, othersLineId, seriesNames } from '#console/charting/series/seriesNames.ts'
import type { SelectItem, TileConfig } from './tileConfig.ts'
import { listsRows, type QueryPlan } from './tileQuery.ts'

/** The unit of a series that has no number format, and whose tile has none. */
export type AutomaticUnit = (item: SelectItem) => Unit

/** A bucket: its start in epoch milliseconds, and its value. */
type TilePoint = readonly [time: number, value: number | null]

/** One line of a tile: a series of its `select` or a formula, for one group. */
export interface TileLine {
  id: string
  label: string
  group: readonly string[]
  /** It is of all groups but the largest. */
  others: boolean
  /** Place among the tile's values: of `select`, or behind it for formulas. */
  value: number
  points: readonly TilePoint[]
  unit: Unit
  /** Whether values grow while their bucket lasts. */
  accumulates: boolean
  /** Whether this line is of the range before, moved onto this one. */
  previous?: boolean
}

/** One row of a total: a group and its values, one for each column. */
interface TileRow {
  group: readonly string[]
  /** The number of groups that the row combines. Only the last row, “Other”, has it. */
  others?: number | undefined
  values: readonly (number | null)[]
}

interface TileColumn {
  name: string
  /** The range spans buckets whose values cannot be put together exactly. */
  approximate: boolean
  unit: Unit
}

export interface TileTotal {
  columns: readonly TileColumn[]
  rows: readonly TileRow[]
}

/**
 * A tile's lines over time, ordered by group, then by value: the API answers groups in any order, and a line keeps its
 * colour only while it keeps its place. `answers` belong to `plan.asks`, one by one.
 */
export function tileLines(
  config: TileConfig,
  plan: QueryPlan,
  answers: readonly (readonly ChartPoint[])[],
  automatic: AutomaticUnit = plainNumber,
): TileLine[] {
  const columns = columnsOf(config, automatic)
  return [...new Set(plan.requests.map(({ earlier }) => earlier))].flatMap((earlier) => {
    const groups = gather(plan, answers, earlier)
    const lines = [...groups.values()].toSorted(inGroupOrder).flatMap(({ group, others, values }) =>
      columns.map((column): TileLine => {
        const times = [...new Set(values.flatMap((value) => [...value.keys()]))].toSorted((a, b) => a - b)
        const label = [...group, ...(columns.length > 1 || group.length === 0 ? [column.name] : [])].join(' · ')
        return {
          id: `${others ? othersLineId(column.index) : lineId(column.index, group)}${earlier ? '/previous' : ''}`,
          label: earlier ? `${label} (previous)` : label,
          group,
          others: others !== undefined,
          value: column.index,
          unit: column.unit,
          accumulates: column.accumulates,
          points: times.map((time) => [movedBucket(time, earlier, plan.bucketMs, plan.zone), column.at(values, time)]),
          ...(earlier > 0 && { previous: true }),
        }
      }),
    )
    return limited(lines, config.seriesLimit)
  })
}

const inGroupOrder = (a: GroupValues, b: GroupValues) =>
  Number(a.others !== undefined) - Number(b.others !== undefined) ||
  groupOrder.compare(a.group.join('\0'), b.group.join('\0'))

/** The value of a tile without groups over the range of its plan; undefined if it has no row. */
export const firstTotal = (config: TileConfig, plan: QueryPlan, answers: readonly (readonly ChartPoint[])[]) =>
  tileTotal(config, plan, answers, plan.span).rows[0]?.values[0]

/** A tile's totals over the whole range, one row a group. */
export function tileTotal(
  config: TileConfig,
  plan: QueryPlan,
  answers: readonly (readonly ChartPoint[])[],
  span: Span,
  automatic: AutomaticUnit = plainNumber,
): TileTotal {
  const groups = gather(plan, answers, 0)
  const columns = columnsOf(config, automatic)
  // A group that only one series has counts as no records for the others.
  const total = (values: ReadonlyMap<number, number | null>, index: number) => {
    const combination = plan.combinations[index]
    if (values.size === 0 || !combination) return valueWithoutRows(plan.aggFns[index] ?? 'count')
    return combineBuckets(values, combination, { bucketMs: plan.bucketMs, span })
  }
  let buckets = 1
  const rows = [...groups.values()].map(({ group, others, values }): TileRow => {
    buckets = Math.max(buckets, ...values.map((value) => value.size))
    return { ...rowOf(group, columns, values.map(total)), others }
  })
  if (rows.length === 0 && !hasGroups(config)) rows.push(rowOf([], columns, plan.aggFns.map(valueWithoutRows)))
  return {
    columns: columns.map(({ name, unit, operands }) => ({
      name,
      unit,
      approximate: buckets > 1 && !operands.every((place) => plan.combinations[place]?.exact),
    })),
    rows: sorted(rows, config, columns),
  }
}

const plainNumber: AutomaticUnit = () => 'number'

const hasGroups = (config: TileConfig): boolean => typeof config.groupBy === 'string' && config.groupBy.trim() !== ''

function rowOf(group: string[], columns: readonly Column[], totals: readonly (number | null)[]): TileRow {
  const values = totals.map((total) => new Map([[0, total]]))
  return { group, values: columns.map((column) => column.at(values, 0)) }
}

/** Values of every group, series by series, bucket by bucket. */
function gather(plan: QueryPlan, answers: readonly (readonly ChartPoint[])[], earlier: number): Groups {
  const groups: Groups = new Map()
  plan.requests.forEach((request, at) => {
    if (request.earlier !== earlier) return
    const { first, query } = request
    addPoints(groups, answers[at] ?? [], { first, count: query.series.length, total: plan.aggFns.length })
  })
  return groups
}

interface Column {
  index: number
  /** Places of the series that it is computed from. */
  operands: readonly number[]
  name: string
  unit: Unit
  accumulates: boolean
  at: (values: readonly ReadonlyMap<number, number | null>[], time: number) => number | null
}

/** The values of a tile: its series, or its ratio or formulas over them. */
function columnsOf(config: TileConfig, automatic: AutomaticUnit): Column[] {
  const formatOf = (format: unknown) => readNumberFormat(format) ?? readNumberFormat(config.numberFormat)
  const items: readonly SelectItem[] =
    !listsRows(config) && Array.isArray(config.select) ? config.select : [{ aggFn: 'count', alias: 'matching rows' }]
  const automaticAt = (index: number): Unit => (items[index] ? automatic(items[index]) : 'number')
  const names = seriesNames(items)
  const aggFns = items.map(({ aggFn = 'count' }) => aggFn)
  /** The operands of a formula. */
  const operandAt = (values: Parameters<Column['at']>[0], place: number, time: number) =>
    values[place]?.get(time) ?? valueWithoutRows(aggFns[place] ?? '')
  const series = items.map((item, index): Column => ({
    index,
    operands: [index],
    name: names[index] ?? '',
    unit: formatOf(item.numberFormat) ?? automatic(item),
    accumulates: accumulates(aggFns[index] ?? ''),
    at: (values, time) => values[index]?.get(time) ?? null,
  }))
  const formulas = formulasOf(config).map(({ expression, alias, format }, index): Column => {
    const formula = readFormula(expression)
    return {
      index: items.length + index,
      operands: formula ? operandsOf(formula) : [],
      name: alias || expression,
      unit: formatOf(format) ?? (formula ? formulaUnit(formula, automaticAt) : 'number'),
      accumulates: formula !== null && formulaAccumulates(formula, aggFns),
      at: (values, time) => (formula ? evaluateFormula(formula, (place) => operandAt(values, place, time)) : null),
    }
  })
  if (config.asRatio === true && series.length === 2) {
    const [a, b] = series
    const formula = parseFormula('A / B')
    return [
      {
        index: 2,
        operands: [0, 1],
        name: `${a?.name} / ${b?.name}`,
        unit: formatOf(undefined) ?? formulaUnit(formula, automaticAt),
        accumulates: formulaAccumulates(formula, aggFns),
        at: (values, time) => ratio(operandAt(values, 0, time), operandAt(values, 1, time)),
      },
    ]
  }
  if (formulas.length === 0) return series
  return config.showOperandSeries === true ? [...series, ...formulas] : formulas
}

function formulasOf(config: TileConfig): { expression: string; alias?: string; format?: unknown }[] {
  if (!Array.isArray(config.formulas)) return []
  return config.formulas.flatMap((formula: unknown) => {
    const { expression, alias, numberFormat: format } = (formula ?? {}) as Record<string, unknown> // each is checked below
    if (typeof expression !== 'string') return []
    return [{ expression, format, ...(typeof alias === 'string' && { alias }) }]
  })
}

function readFormula(expression: string): Formula | null {
  try {
    return parseFormula(expression)
  } catch (error) {
    if (error instanceof FormulaError) return null
    throw error
  }
}

function operandsOf(formula: Formula): number[] {
  switch (formula.kind) {
    case 'number':
      return []
    case 'series':
      return [formula.index]
    case 'negation':
      return operandsOf(formula.operand)
    case 'operation':
      return [...operandsOf(formula.left), ...operandsOf(formula.right)]
  }
}

function ratio(a: number | null, b: number | null): number | null {
  return a === null || b === null || b === 0 ? null : a / b
}

/** Top groups by size, and what a deployment answers of all others; absent or 0 keeps all. */
function limited(lines: TileLine[], limit: unknown): TileLine[] {
  const most = numberOf(limit)
  if (most === null || most <= 0) return lines
  const size = (line: TileLine) => line.points.reduce((sum, [, value]) => sum + Math.abs(value ?? 0), 0)
  const sizes = new Map<string, number>()
  for (const line of lines) {
    if (line.others) continue
    const key = JSON.stringify(line.group)
    sizes.set(key, (sizes.get(key) ?? 0) + size(line))
  }
  const topGroups = new Set(
    [...sizes]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, most)
      .map(([key]) => key),
  )
  return lines.filter((line) => line.others || topGroups.has(JSON.stringify(line.group)))
}

/** Whether a row is of one group, and not of all others. */
export const isGroup = ({ others }: TileRow): boolean => others === undefined

/** In the order of the tile: by its groups, by one of its columns, or by the first column, descending. */
function sorted(rows: TileRow[], config: TileConfig, columns: readonly Column[]): TileRow[] {
  const order = typeof config.orderBy === 'string' ? config.orderBy.trim() : ''
  const [direction = ''] = /\s(?:asc|desc)$/i.exec(order) ?? []
  const subject = order.slice(0, order.length - direction.length).trimEnd()
  const byGroup = order !== '' && subject === config.groupBy
  const named = columns.findIndex(({ name }) => name === unquoted(subject))
  const ascends = /\sasc$/i.test(order) || ((byGroup || named >= 0) && !/\sdesc$/i.test(order))
  const sign = ascends ? -1 : 1
  const [groups, others] = [rows.filter(isGroup), rows.filter((row) => !isGroup(row))]
  const valueOf = ({ values }: TileRow) => values[Math.max(0, named)] ?? -Infinity
  const ranked = groups.toSorted((a, b) =>
    byGroup
      ? sign * b.group.join('\0').localeCompare(a.group.join('\0'), 'en', { numeric: true })
      : sign * (valueOf(b) - valueOf(a)),
  )
  const limit = numberOf(config.limit)
  return [...(limit !== null && limit > 0 ? ranked.slice(0, limit) : ranked), ...others]
}

/** A column's name without the quotes that SQL puts around it. */
const unquoted = (name: string): string => /^(["`])(.*)\1$/.exec(name)?.[2] ?? name
