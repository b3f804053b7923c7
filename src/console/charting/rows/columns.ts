/** The columns of a result, and how they are requested. */
import { withoutEnd } from '#domain/text/withoutEnd.ts'
import type { SearchRow } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import { bodyExpressions, timeExpressions } from '#contract/stack/sourceExpressions.ts'
import { millisecondsOf } from './rowTime.ts'

export interface ResultColumn {
  /** The expression, and the title of the column. */
  expression: string
  /** Takes the room that is left. */
  wide: boolean
  role?: 'severity' | 'duration'
}

/** The columns that a source lists, without the time. A list of all columns is none: it would have no room. */
function listedColumns(source: Source): string[] {
  const { durationExpression: duration } = source
  return splitExpressions(text(source, 'defaultTableSelectExpression') ?? '').flatMap((expression) => {
    const column = withoutAlias(expression)
    if (column === '*') return []
    return duration !== undefined && isInOtherUnit(column, duration) ? duration : expression
  })
}

/** `round(Duration/1e6)`: durations are drawn with their unit. */
function isInOtherUnit(expression: string, duration: string): boolean {
  return expression.includes(duration) && /^(?:round|floor)?[\s\d()/.,e]*$/.test(expression.replace(duration, ''))
}

/** The columns of a source that lists none. */
function defaultColumns(source: Source): string[] {
  const names =
    source.kind === 'trace'
      ? [
          source.serviceNameExpression ?? 'ServiceName',
          text(source, 'statusCodeExpression') ?? 'StatusCode',
          source.durationExpression ?? 'Duration',
          text(source, 'spanNameExpression') ?? 'SpanName',
        ]
      : [
          source.serviceNameExpression ?? 'ServiceName',
          source.severityTextExpression ?? 'SeverityText',
          ...bodyFields(source),
        ]
  return [...new Set(names)]
}

export function text(source: Source, field: string): string | undefined {
  const value = source[field] // sources have further texts beside those of the schema
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The field whose values color rows and histogram. */
export function severityField(source: Source): string {
  if (source.kind === 'trace') return text(source, 'statusCodeExpression') ?? 'StatusCode'
  return source.severityTextExpression ?? 'SeverityText'
}

/**
 * The time that rows show. Of several, such as the date of a partition and the time itself, the most exact one: which that
 * is, is not known here, but the others are rounded down.
 */
export function timeField(source: Source): string {
  const times = splitExpressions(text(source, 'displayedTimestampValueExpression') ?? '')
  const [first = 'Timestamp', ...others] = times.length > 0 ? times : timeExpressions(source)
  if (others.length === 0) return first
  return `greatest(${[first, ...others].map((time) => `toDateTime64(${time}, 9)`).join(', ')})`
}

/** The columns of the text of a record of logs. */
export function bodyFields(source: Source): [string, ...string[]] {
  const [first = 'Body', ...others] = bodyExpressions(source)
  return [first, ...others]
}

/** The chosen columns. The time is always the first one and not among them. */
export function columnsOf(chosen: string, source: Source): ResultColumn[] {
  const times = [timeField(source), ...timeExpressions(source)]
  const withoutTime = (listed: readonly string[]) => listed.filter((column) => !times.includes(withoutAlias(column)))
  const lists = [splitExpressions(chosen), listedColumns(source), defaultColumns(source)].map(withoutTime)
  const names = [...new Set(lists.find((list) => list.length > 0))]
  const wide = names.find((name) => withoutAlias(name) === bodyFields(source)[0]) ?? names.at(-1)
  return names.map((expression) => ({
    expression,
    wide: expression === wide,
    ...(expression === severityField(source) && { role: 'severity' as const }),
    ...(expression === source.durationExpression && { role: 'duration' as const }),
  }))
}

/** Names in the answer that no column of a table has. */
const names = { time: '__t', trace: '__trace', span: '__span', column: (at: number) => `__c${at}` }

/** `select` of the request: every column under a name of our own, whatever the engine calls it. */
export function selectOf(columns: readonly ResultColumn[], source: Source): string {
  return [
    `${timeField(source)} AS ${names.time}`,
    `${text(source, 'traceIdExpression') ?? "''"} AS ${names.trace}`,
    `${text(source, 'spanIdExpression') ?? "''"} AS ${names.span}`,
    ...columns.map(({ expression }, at) => `${withoutAlias(expression)} AS ${names.column(at)}`),
  ].join(', ')
}

/** An expression without ` AS name` at its end. */
export function withoutAlias(expression: string): string {
  const head = withoutEnd(expression, /[\w`"]/)
  const keyword = head.trimEnd()
  const hasAlias = head !== expression && keyword !== head && /\sAS$/i.test(keyword)
  return hasAlias ? keyword.slice(0, -2).trimEnd() : expression
}

/** One row of the result. */
export interface ResultRow {
  /** Stable for the same row in any search. */
  key: string
  /** The time as the deployment writes it: `rowTime.ts`. */
  time: string
  /** Epoch milliseconds. */
  at: number
  traceId: string
  spanId: string
  /** By the columns, in their order. */
  values: string[]
}

export function readRow(row: SearchRow, columns: readonly ResultColumn[]): ResultRow {
  const time = valueText(row[names.time])
  const [traceId, spanId] = [valueText(row[names.trace]), valueText(row[names.span])]
  const values = columns.map((_, at) => valueText(row[names.column(at)]))
  // The same for both ways of writing a time, so that links stay valid.
  const key = `${time.replaceAll(/[^\d.]/g, '')}${spanId.replaceAll(/\W/g, '')}`
  return { key, time, at: millisecondsOf(time), traceId, spanId, values }
}

/** A value of the answer as text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
