/** The statements of a chart as people read and run them. */
import type { ChartStatement } from '#contract/stack/charts.ts'
import type { Engine } from '../engine/engine.ts'
import { ExpressionError } from '#domain/query/sqlLexical.ts'
import { checkStatement } from '../expression/selectStatement.ts'
import type { ReadableDatabases } from '../readableTables.ts'
import { quoted } from '../engine/tableName.ts'
import { readableSql } from '../sql/readableSql.ts'
import { statementsOfRows, type Readable } from './seriesQuery.ts'
import { maxPoints, names, type ParsedChartQuery, type Run, type Statement } from './seriesPlan.ts'

/**
 * One statement for each table that the series read, over its rows and with all groups. Throws as `querySeries` does.
 *
 * A statement over counters runs once, because its conditions depend on which time series begin in the range.
 */
export async function readableStatements(
  engine: Engine,
  query: ParsedChartQuery,
  readable: Readable,
  signal: AbortSignal,
): Promise<ChartStatement[]> {
  const run: Run = (sql, params) => engine.query(sql, { params, signal, scans: true })
  const statements = await statementsOfRows(engine, query, readable, signal)
  return Promise.all(
    statements.map(async (first) => {
      const statement = await decided(first, run)
      const sql = await readableSql(engine, withReadableNames(statement), statement.bindings, signal)
      const refused = await refusalOf(engine, sql, readable.databases)
      return { statement: sql, series: statement.plans.map(({ index }) => index), ...(refused && { refused }) }
    }),
  )
}

async function decided(statement: Statement, run: Run): Promise<Statement> {
  if (!statement.again || !statement.sql.includes(names.undecided)) return statement
  const rows = await run(`${statement.sql} LIMIT ${maxPoints + 1}`, statement.bindings.params)
  return (await statement.again(rows, run)) ?? statement
}

/** Why the statement cannot be run as one that people write: the growth of counters needs windows. */
async function refusalOf(engine: Engine, sql: string, databases: ReadableDatabases): Promise<string | undefined> {
  try {
    await checkStatement(engine, sql, databases)
    return undefined
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

/** Times as times, groups under their expressions, series under the letters that formulas use. */
function withReadableNames({ sql, plans }: Statement): string {
  const groups = plans[0]?.series.groupBy ?? []
  const columns = [
    `toDateTime(${names.bucket}, 'UTC') AS time`,
    ...groups.map(
      (text, at) => `${names.group(at)} AS ${quoted(groups.indexOf(text) < at ? `${text} ${at + 1}` : text)}`,
    ),
    ...plans.map(({ index }) => `${names.value(index)} AS ${String.fromCharCode(65 + index)}`),
  ]
  const present = sql.includes(names.absent) ? ` WHERE NOT ${names.absent}` : ''
  return `SELECT ${columns.join(', ')} FROM (${sql})${present} ORDER BY time`
}
