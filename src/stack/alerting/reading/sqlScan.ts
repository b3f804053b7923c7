/** Answers a query in Raw SQL: docs/DEPLOYMENTS.md#alert-evaluation. */
import type { AlertSqlQuery } from '#domain/alerting/alertQuery.ts'
import type { GroupValue } from '#domain/alerting/evaluateWindow.ts'
import { ExecutionError, invalidAlert } from '#domain/alerting/executionError.ts'
import type { AlertWindow } from '#domain/alerting/schedule.ts'
import { fillTemplate, sourceTable } from '#domain/alerting/sqlTemplate.ts'
import { groupOf, type Reading } from '#domain/alerting/tally.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { ExpressionError } from '#domain/query/sqlLexical.ts'
import { checkSelect, type CheckedSelect } from '../../telemetry/expression/selectStatement.ts'
import { names, type Run } from '../../telemetry/series/seriesPlan.ts'
import type { Readable } from '../../telemetry/series/seriesQuery.ts'
import { quoted, tableSql } from '../../telemetry/engine/tableName.ts'
import { maxScanRows } from './eventScan.ts'
import type { WindowQuery } from './scan.ts'
import { tooManyGroups } from './singleScan.ts'

/** Reads a statement over time once, and one without a time for each window. */
export async function sqlScan(
  engine: Engine,
  { alertQuery, span }: WindowQuery<AlertSqlQuery>,
  source: Source | undefined,
  { databases }: Pick<Readable, 'databases'>,
  run: Run,
): Promise<Reading> {
  const { windows } = span
  const statement = async (start: number, end: number) => {
    const seconds = ((windows[0]?.end ?? 0) - (windows[0]?.start ?? 0)) / 1000
    const table = (metricType: string | undefined) => {
      const named = sourceTable(source, metricType)
      return tableSql({ ...named, database: databases.resolve(named.database) })
    }
    const text = fillTemplate(alertQuery.template, { start, end, seconds, phase: span.phase / 1000, table })
    return checkSelect(engine, text, databases).catch((error: unknown) => {
      if (error instanceof ExpressionError) throw new ExecutionError('QUERY_ERROR', `SQL: ${error.message}`)
      throw error
    })
  }
  if (alertQuery.overTime) {
    return overTime(await statement(windows[0]?.start ?? 0, windows.at(-1)?.end ?? 0), windows, run)
  }
  const values: Reading['windows'] = []
  for (const window of windows) {
    const value = await firstValue(await statement(window.start, window.end), run)
    values.push({ ...window, values: value === null ? [] : [{ key: '', group: null, value }] })
  }
  return { windows: values, grouped: false }
}

/** The time is the first column with a date, the value the last number. Columns that are neither are the group. */
async function overTime(select: CheckedSelect, windows: readonly AlertWindow[], run: Run): Promise<Reading> {
  const time = select.columns.find(({ type }) => plainType(type).startsWith('Date'))
  if (!time) throw invalidAlert('The SQL has no column with a time. Select $__timeInterval(…) of the timestamp column.')
  const value = valueColumn(select)
  const groups = select.columns.filter((column) => column !== time && !isNumber(column.type))
  const columns = groups.map(({ name }, at) => `, toString(${quoted(name)}) AS ${names.group(at)}`).join('')
  const rows = await run(
    `SELECT toUnixTimestamp(toDateTime(${quoted(time.name)})) AS ${names.bucket}, toFloat64(${quoted(value)}) AS ${names.value(0)}${columns}
     FROM ${select.sql} LIMIT ${maxScanRows + 1}`,
    {},
  )
  if (rows.length > maxScanRows) throw tooManyGroups()
  const read = windows.map((window) => ({ ...window, values: [] as GroupValue[] }))
  for (const row of rows) {
    const at = Number(row[names.bucket]) * 1000
    const window = read.find(({ start, end }) => start <= at && at < end)
    const number = row[names.value(0)]
    if (!window || typeof number !== 'number') continue
    const group = groupOf(
      groups.map(({ name }) => name),
      groups.map((_, at) => row[names.group(at)]),
    )
    window.values.push({ ...group, value: number })
  }
  return { windows: read, grouped: groups.length > 0 }
}

/** The last number of the first row; null without one. */
async function firstValue(select: CheckedSelect, run: Run): Promise<number | null> {
  const value = quoted(valueColumn(select))
  const [row] = await run(`SELECT toFloat64(${value}) AS ${names.value(0)} FROM ${select.sql} LIMIT 1`, {})
  const number = row?.[names.value(0)]
  return typeof number === 'number' ? number : null
}

function valueColumn({ columns }: CheckedSelect): string {
  const value = columns.findLast(({ type }) => isNumber(type))
  if (value) return value.name
  const decimal = columns.findLast(({ type }) => plainType(type).startsWith('Decimal'))
  throw invalidAlert(
    decimal
      ? `The value ${decimal.name} of the SQL has the type ${decimal.type}. Convert it with toFloat64(${decimal.name}).`
      : 'The SQL has no column with a number.',
  )
}

const isNumber = (type: string): boolean => /^U?Int|^Float|^BFloat/.test(plainType(type))

function plainType(type: string): string {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1]
  return inner === undefined ? type : plainType(inner)
}
