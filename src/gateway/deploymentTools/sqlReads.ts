/** SQL with the tool of a deployment: the tables that there are, and statements that people write. */
import type { ToolOutput } from '#contract/deploymentTools.ts'
import { LosslessNumber } from '#contract/json.ts'
import { sql, type ExplainKind, type SqlResult, type SqlTable } from '#contract/sql.ts'
import { readStatement } from '#domain/query/statementText.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { readJson } from '#node/upstream/untrustedJson.ts'
import { toolOrigin, type CallTool, type ToolRead } from './toolClient.ts'
import { statementProblem } from './toolStatement.ts'

const origin = `${toolOrigin}, which leaves out rows of results that have more than 50,000 characters.`

/** Tables that are listed. */
const maxTables = 500

/** One row for a table; its columns in one text, because the tool cuts results of more than 50,000 characters. */
const tablesStatement = `SELECT t.database AS database, t.name AS name, t.engine AS engine, t.sorting_key AS sorting_key,
  t.total_rows AS rows, t.total_bytes AS bytes, c.columns AS columns
FROM system.tables AS t INNER JOIN (
  SELECT database, table, arrayStringConcat(groupArray(concat(name, '\\t', type)), '\\n') AS columns
  FROM (SELECT database, table, name, type FROM system.columns ORDER BY database, table, position)
  GROUP BY database, table
) AS c ON c.database = t.database AND c.table = t.name
WHERE t.database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') AND NOT t.is_temporary
ORDER BY database, name LIMIT ${maxTables}`

/** Texts for integers of 64 bits, infinities and NaN, and times in UTC, as in the results of the stack. */
const settings =
  "SETTINGS output_format_json_quote_64bit_integers = 1, output_format_json_quote_denormals = 1, date_time_output_format = 'iso'"

const explaining: Record<ExplainKind, string> = {
  plan: 'EXPLAIN ',
  indexes: 'EXPLAIN indexes = 1 ',
  estimate: 'EXPLAIN ESTIMATE ',
}

export const readSqlTables: ToolRead = async (call) => {
  const { result } = await run(call, tablesStatement)
  return { result: result.data.map(tableOf), origin }
}

export const runSqlStatement: ToolRead = async (call, { body }) => {
  const { statement, maxRows, explain } = sql.run.body.parse(readJson(body ?? ''))
  const text = readStatement(statement)
  const problem = statementProblem(text.select)
  if (problem !== null) throw failure('invalid', problem)
  const kind = explain ?? text.explain
  const inner = kind ? `${explaining[kind]}${text.select}` : text.select
  const begun = performance.now()
  const { result } = await run(call, `SELECT * FROM (\n${inner}\n) LIMIT ${maxRows + 1}`)
  return { result: resultOf(result, maxRows, Math.round(performance.now() - begun)), origin }
}

type ToolResult = ToolOutput<'sql'>['result']

/** On the database that most sources read from. */
async function run(call: CallTool, statement: string): Promise<ToolOutput<'sql'>> {
  const { sources, connections } = await call('listSources', {})
  const uses = (id: string) => sources.filter(({ connectionId }) => connectionId === id).length
  const [most] = connections.toSorted((a, b) => uses(b.id) - uses(a.id))
  if (!most) throw failure('invalid', 'The deployment has no connection to a database.')
  return call('sql', { connectionId: most.id, sql: `${statement}\n${settings}` })
}

function tableOf(row: ToolResult['data'][number]): SqlTable {
  const columns = textOf(row['columns'])
    .split('\n')
    .flatMap((line) => {
      const [name, type] = line.split('\t')
      return name !== undefined && type !== undefined ? [{ name, type }] : []
    })
  const sortingKey = textOf(row['sorting_key'])
  return {
    database: textOf(row['database']),
    name: textOf(row['name']),
    engine: textOf(row['engine']),
    ...(sortingKey !== '' && { sortingKey }),
    ...counted('rows', row['rows']),
    ...counted('bytes', row['bytes']),
    columns,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Absent where the engine does not count them. */
function counted<K extends string>(name: K, value: unknown): { [P in K]?: number } {
  const number = value === null || value === undefined || value === '' ? Number.NaN : Number(value)
  // The computed key is K, which TypeScript widens to string.
  return Number.isFinite(number) ? ({ [name]: number } as { [P in K]: number }) : {}
}

function resultOf(result: ToolResult, maxRows: number, milliseconds: number): SqlResult {
  const { data, statistics, meta } = result
  const columns = meta ?? Object.keys(data[0] ?? {}).map((name) => ({ name, type: '' }))
  const twice = columns.find(({ name }, at) => columns.findIndex((other) => other.name === name) !== at)
  // The tool returns one value for both.
  if (twice) throw failure('invalid', `two columns are called ${twice.name}: give them different names`)
  const rows = data.map((row) => columns.map(({ name }) => withoutLoss(valueOf(row, name))))
  return {
    columns,
    rows: rows.slice(0, maxRows),
    isTruncated: rows.length > maxRows || isShort(result),
    ...counted('rowsRead', statistics?.rows_read),
    ...counted('bytesRead', statistics?.bytes_read),
    milliseconds,
  }
}

/** @throws ApiFailure for a row without it: the tool cuts rows, too */
function valueOf(row: ToolResult['data'][number], name: string): unknown {
  if (Object.hasOwn(row, name)) return row[name]
  throw failure('invalid', `a row is too large for the tool, which left out its column ${name}: select less of it`)
}

/** Whether the tool left out rows, because there were too many. */
const isShort = ({ data, rows }: ToolResult): boolean => rows !== undefined && data.length < rows

/** Numbers that JavaScript would change are texts. */
function withoutLoss(value: unknown): unknown {
  if (value instanceof LosslessNumber) return value.value
  if (Array.isArray(value)) return value.map(withoutLoss)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutLoss(item)]))
}
