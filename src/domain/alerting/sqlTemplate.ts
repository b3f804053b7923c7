/** Fills the macros and parameters of Raw SQL tiles: docs/DEPLOYMENTS.md#filters-of-dashboards. */
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { SqlFilters, SqlTileRead } from '#contract/stack/sql.ts'
import { fillSql, VariableError, type MacroCall } from '../query/fillSql.ts'
import { variableRules } from '../query/filterVariables.ts'
import { checkLexically, ExpressionError } from '../query/sqlLexical.ts'
import { joinedSql } from '../query/sqlParts.ts'
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
  /** Filters of the dashboard; absent for alerts, which have none. */
  filters?: SqlFilters | undefined
}

/** Placeholders that divide the range of the query into intervals. */
const intervalPattern = /\{\s*interval(?:Seconds|Milliseconds)\s*:|\$__(?:timeInterval|timeInterval_ms|interval_s)\b/

/** Whether the buckets of a statement are those of its range. */
export const usesInterval = (template: string): boolean => intervalPattern.test(template)

/** The filters of a dashboard that a statement uses. */
interface FilterUse {
  /** Whether it has `$__filters`. */
  takesConditions: boolean
  /** The filters that it has room for; undefined if it uses none. */
  filters: SqlFilters | undefined
}

export function usedFilters(template: string, { conditions, variables }: SqlFilters): FilterUse {
  const { takesConditions, names } = filterNamesIn(template)
  if (!takesConditions && names.size === 0) return { takesConditions, filters: undefined }
  return {
    takesConditions,
    filters: {
      conditions: takesConditions ? conditions : [],
      variables: variables.filter(({ name }) => names.has(name)),
    },
  }
}

/** The names of variables in a statement, and whether it takes conditions. One that cannot be read has those before the fault. */
function filterNamesIn(template: string): { takesConditions: boolean; names: ReadonlySet<string> } {
  const names = new Set<string>()
  let takesConditions = false
  const macro = ({ name, parts, fill }: MacroCall) => {
    if (name === 'filters') takesConditions = true
    if (name === 'filter' || name === 'conditionalAll') names.add(parts.at(-1)?.replace(/^\$/, '') ?? '')
    parts.forEach(fill)
    return '1'
  }
  const variable = (name: string) => {
    names.add(name)
    return '1'
  }
  try {
    fillSql(template, { macro, variable })
  } catch (error) {
    if (!(error instanceof VariableError)) throw error
  }
  return { takesConditions, names }
}

/** The table that `$__sourceTable` stands for. @throws ExecutionError for a source without one */
export function sourceTable(source: Pick<Source, 'from' | 'metricTables'> | undefined, metricType: string | undefined) {
  const type = metricType?.replaceAll(/['"]/g, '')
  const ofMetrics = Object.entries(source?.metricTables ?? {}).find(([name]) => name === type)
  const table = type === undefined ? source?.from?.tableName : ofMetrics?.[1]
  if (table) return { database: source?.from?.databaseName ?? '', table }
  throw invalidAlert('The SQL uses $__sourceTable, but the tile has no source with such a table.')
}

/**
 * The statement of a Raw SQL tile for a range, with the filters of its dashboard where it has room for them.
 * @throws ExecutionError for a tile without a statement, and as `fillTemplate`
 */
export function tileStatement(
  { config }: Pick<Tile, 'config'>,
  { startTime, endTime, intervalSeconds, filters = noFilters }: Omit<SqlTileRead, 'dashboardId' | 'tileId'>,
  table: TemplateScope['table'],
): string {
  if (config?.configType !== 'sql' || !config.sqlTemplate) throw invalidAlert('The tile has no SQL.')
  const phase = Math.floor(startTime / 1000) % intervalSeconds
  const scope = { start: startTime, end: endTime, seconds: intervalSeconds, phase, table, filters }
  return fillTemplate(config.sqlTemplate, scope)
}

const noFilters: SqlFilters = { conditions: [], variables: [] }

/**
 * Fills a statement in one pass.
 * @throws ExecutionError for a macro or a parameter that is not known, for a condition that is more than one, and for a
 * statement that gets too long
 */
export function fillTemplate(template: string, scope: TemplateScope): string {
  const { start, end, seconds, filters } = scope
  const parameters: Record<string, number> = {
    startDateMilliseconds: start,
    endDateMilliseconds: end,
    intervalSeconds: seconds,
    intervalMilliseconds: seconds * 1000,
  }
  const variables = filters && variableRules(filters.variables)
  try {
    return fillSql(template, {
      parameter: (name) => {
        const value = parameters[name]
        if (value === undefined) throw invalidAlert(`The parameter ${name} of the SQL is not known.`)
        return `toInt64(${value})`
      },
      macro: (call) => variables?.macro?.(call) ?? macro(call, scope),
      ...(variables?.variable && { variable: variables.variable }),
    })
  } catch (error) {
    throw error instanceof VariableError ? invalidAlert(error.message) : error
  }
}

/** Macros that may stand in quotes: they have no quotes themselves. */
const plainMacros: readonly string[] = ['fromTime', 'toTime', 'fromTime_ms', 'toTime_ms', 'interval_s']

function macro({ name, parts, place, fill }: MacroCall, scope: TemplateScope): string | undefined {
  if (place === 'quotes' && !plainMacros.includes(name)) return inQuotes(name)
  const { start, end, seconds, phase } = scope
  const from = `fromUnixTimestamp64Milli(toInt64(${start}))`
  const to = `fromUnixTimestamp64Milli(toInt64(${end}))`
  const [first, second] = [fill(parts[0] ?? ''), fill(parts[1] ?? '')]
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
      return conditionsSql(scope.filters)
    case 'sourceTable':
      return scope.table(parts[0])
    case 'filter':
    case 'conditionalAll':
      throw invalidAlert(
        `The macro $__${name} of the SQL needs a value of a dashboard’s filter, which is not known here.`,
      )
    default:
      throw invalidAlert(`The macro $__${name} of the SQL is not known.`)
  }
}

/** Text that only looks like a macro stays. @throws ExecutionError for macros with code */
function inQuotes(name: string): undefined {
  if (
    !/^(?:(?:time|date|dateTime)Filter|timeFilter_ms|dt|timeInterval|timeInterval_ms|filters|sourceTable)$/.test(name)
  ) {
    return undefined
  }
  throw invalidAlert(`The macro $__${name} of the SQL cannot be in quotes.`)
}

/** All conditions that apply. Each is checked, because anybody may have sent them. @throws ExecutionError */
function conditionsSql({ conditions }: SqlFilters = noFilters): string {
  for (const condition of conditions) checkCondition(condition)
  return conditions.length > 0 ? `(${joinedSql(conditions)})` : '(1 = 1)'
}

function checkCondition(condition: string): void {
  try {
    checkLexically(condition)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw invalidAlert(`A filter of the dashboard is not one condition: ${error.message}`)
  }
}
