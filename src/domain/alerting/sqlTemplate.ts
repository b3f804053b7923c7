/** Fills the macros and parameters of Raw SQL tiles: docs/DEPLOYMENTS.md#filters-of-dashboards. */
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import { readList } from '#contract/stack/expressionLists.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { SqlTileRead } from '#contract/stack/sql.ts'
import { invalidAlert } from './executionError.ts'

export interface TemplateScope {
  /** Epoch milliseconds: [start, end). */
  start: number
  end: number
  /** Length of a window, and where windows begin after a multiple of it, in seconds. */
  seconds: number
  phase: number
  /** The table of the tile's source, for a type of metric. @throws ExecutionError without a source */
  table(metricType: string | undefined): string
}

/** Placeholders that divide the range of the query into intervals. */
const intervalPattern = /\{\s*interval(?:Seconds|Milliseconds)\s*:|\$__(?:timeInterval|timeInterval_ms|interval_s)\b/

/** Whether the buckets of a statement are those of its range. */
export const usesInterval = (template: string): boolean => intervalPattern.test(template)

/** The table that `$__sourceTable` stands for. @throws ExecutionError for a source without one */
export function sourceTable(source: Source | undefined, metricType: string | undefined) {
  const type = metricType?.replaceAll(/['"]/g, '')
  const ofMetrics = Object.entries(source?.metricTables ?? {}).find(([name]) => name === type)
  const table = type === undefined ? source?.from?.tableName : ofMetrics?.[1]
  if (table) return { database: source?.from?.databaseName ?? '', table }
  throw invalidAlert('The SQL uses $__sourceTable, but the tile has no source with such a table.')
}

/**
 * The statement of a Raw SQL tile for a range. The filters of its dashboard are not part of it.
 * @throws ExecutionError for a tile without a statement, and as `fillTemplate`
 */
export function tileStatement(
  { config }: Pick<Tile, 'config'>,
  { startTime, endTime, intervalSeconds }: SqlTileRead,
  table: TemplateScope['table'],
): string {
  if (config?.configType !== 'sql' || !config.sqlTemplate) throw invalidAlert('The tile has no SQL.')
  const phase = Math.floor(startTime / 1000) % intervalSeconds
  return fillTemplate(config.sqlTemplate, { start: startTime, end: endTime, seconds: intervalSeconds, phase, table })
}

/** @throws ExecutionError for a macro or a parameter that is not known */
export function fillTemplate(template: string, scope: TemplateScope): string {
  const { start, end, seconds } = scope
  const parameters: Record<string, number> = {
    startDateMilliseconds: start,
    endDateMilliseconds: end,
    intervalSeconds: seconds,
    intervalMilliseconds: seconds * 1000,
  }
  const filled = template.replaceAll(/\{\s*(\w+)\s*:\s*\w+\s*\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined) throw invalidAlert(`The parameter ${name} of the SQL is not known.`)
    return `toInt64(${value})`
  })
  return fillMacros(filled, scope)
}

function fillMacros(text: string, scope: TemplateScope): string {
  const pattern = /\$__(\w+)/g
  let filled = ''
  let from = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const open = pattern.lastIndex
    const called = text[open] === '('
    const { parts, end } = called ? readList(text, open + 1, ')') : { parts: [], end: open - 1 }
    if (called && end < 0) throw invalidAlert(`The macro $__${match[1]} of the SQL is not closed.`)
    filled += text.slice(from, match.index) + macro(match[1] ?? '', parts, scope)
    from = end + 1
    pattern.lastIndex = from
  }
  return filled + text.slice(from)
}

function macro(name: string, macroArguments: readonly string[], scope: TemplateScope): string {
  const { start, end, seconds, phase } = scope
  const from = `fromUnixTimestamp64Milli(toInt64(${start}))`
  const to = `fromUnixTimestamp64Milli(toInt64(${end}))`
  const [first = '', second = ''] = macroArguments
  const inRange = (column: string) => `(${column} >= ${from} AND ${column} < ${to})`
  const onDates = (column: string) => `(${column} >= toDate(${from}) AND ${column} <= toDate(${to}))`
  switch (name) {
    case 'fromTime':
      return `toDateTime(${from})`
    case 'toTime':
      return `toDateTime(${to})`
    case 'fromTime_ms':
      return from
    case 'toTime_ms':
      return to
    case 'timeFilter':
    case 'timeFilter_ms':
      return inRange(first)
    case 'dateFilter':
      return onDates(first)
    case 'dateTimeFilter':
    case 'dt':
      return `(${onDates(first)} AND ${inRange(second)})`
    case 'timeInterval':
    case 'timeInterval_ms':
      return `(toStartOfInterval(toDateTime(${first}) - toIntervalSecond(${phase}), toIntervalSecond(${seconds})) + toIntervalSecond(${phase}))`
    case 'interval_s':
      return String(seconds)
    case 'filters':
      return '(1 = 1)'
    case 'sourceTable':
      return scope.table(macroArguments[0])
    case 'filter':
    case 'conditionalAll':
      throw invalidAlert(
        `The macro $__${name} of the SQL needs a value of a dashboard’s filter, which is not known here.`,
      )
    default:
      throw invalidAlert(`The macro $__${name} of the SQL is not known.`)
  }
}
