/** SQL where the API of a deployment has no route for it: the tables that there are, statements that people write, and Raw SQL tiles. */
import { dashboards, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { SqlRows } from '#contract/stack/deploymentTools.ts'
import { LosslessNumber } from '#contract/wire/json.ts'
import { sources as sourceEndpoints, type Source } from '#contract/stack/sources.ts'
import {
  maxSqlRows,
  sql,
  type ExplainKind,
  type SqlResult,
  type SqlTable,
  type SqlTileRead,
} from '#contract/stack/sql.ts'
import { ExecutionError } from '#domain/alerting/executionError.ts'
import { sourceTable, tileStatement } from '#domain/alerting/sqlTemplate.ts'
import { readStatement } from '#domain/query/statementText.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { readJson } from '#node/upstream/untrustedJson.ts'
import type { Operation } from '#node/upstream/operation.ts'
import type { SqlWay } from './sqlWays.ts'
import type { ReadApi, ReadResult } from './toolClient.ts'
import { statementProblem } from './toolStatement.ts'

/** @param databaseId the deployment's connection to a database; undefined for the one that most sources read from */
type SqlRead = (way: SqlWay, operation: Operation, readApi: ReadApi, databaseId?: string) => Promise<ReadResult>

/** Calls for the list of tables, which has `pageSize` characters for each. A table with more than `largeTable` may exceed that: it has its own. */
const maxTablePages = 8
const pageSize = 40_000
const largeTable = 5_000

/** The columns of the list of tables; the tool adds one to a row that it cuts. */
const tableColumns = [
  'database',
  'name',
  'engine',
  'sorting_key',
  'rows',
  'bytes',
  'columns',
  'last_page',
  'tables',
] as const

/**
 * One row for a table, its columns in one text; so many tables that the tool, which cuts large results, returns all of them.
 * Pages are numbered without gaps.
 */
const tablesStatement = (page: number): string => `SELECT ${tableColumns.join(', ')} FROM (
  SELECT *, max(page) OVER () AS last_page, count() OVER () AS tables FROM (
    SELECT *, dense_rank() OVER (ORDER BY intDiv(before, ${pageSize}),
      size > ${largeTable} AND intDiv(before + size, ${pageSize}) > intDiv(before, ${pageSize})) - 1 AS page
    FROM (
      SELECT *, sum(size) OVER (
        ORDER BY database, name ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - size AS before
      FROM (
        SELECT t.database AS database, t.name AS name, t.engine AS engine, t.sorting_key AS sorting_key,
          t.total_rows AS rows, t.total_bytes AS bytes, c.columns AS columns,
          toUInt64(1.2 * length(columns)) + length(sorting_key) + 300 AS size
        FROM system.tables AS t INNER JOIN (
          SELECT database, table, arrayStringConcat(groupArray(concat(name, '\\t', type)), '\\n') AS columns
          FROM (SELECT database, table, name, type FROM system.columns ORDER BY database, table, position)
          GROUP BY database, table
        ) AS c ON c.database = t.database AND c.table = t.name
        WHERE t.database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') AND NOT t.is_temporary
      )
    )
  )
) WHERE page = ${page} ORDER BY database, name`

const explaining: Record<ExplainKind, string> = {
  plan: 'EXPLAIN ',
  indexes: 'EXPLAIN indexes = 1 ',
  estimate: 'EXPLAIN ESTIMATE ',
}

const readTables: SqlRead = async (way) => {
  const rows: SqlRows['data'] = []
  let lastPage = 0
  for (let page = 0; page <= lastPage && page < maxTablePages; page++) {
    rows.push(...(await way.run(tablesStatement(page))).data)
    lastPage = Number(rows[0]?.['last_page'] ?? 0)
  }
  const all = Number(rows[0]?.['tables'] ?? rows.length)
  const some = all > rows.length ? ` These are ${rows.length} of ${all} tables.` : ''
  const cut = rows.filter(isCut)
  const without = cut.length > 0 ? ` It cuts the columns of large tables, which are left out: ${namesOf(cut)}.` : ''
  return { result: rows.map(tableOf), origin: `${way.origin}.${some}${without}` }
}

/** Whether the tool replaced values of a row: it marks the row with a column of its own. */
const isCut = (row: SqlRows['data'][number]): boolean => !hasExactly(row, tableColumns)

/** The names of tables; of many, the first ones. */
function namesOf(rows: SqlRows['data']): string {
  const names = rows.slice(0, 5).map((row) => `${textOf(row['database'])}.${textOf(row['name'])}`)
  return names.join(', ') + (rows.length > names.length ? ` and ${rows.length - names.length} more` : '')
}

const runStatement: SqlRead = async (way, { body }, _, databaseId) => {
  const { statement, maxRows, explain } = sql.run.body.parse(readJson(body ?? ''))
  const checked = checkedStatement(statement, explain)
  return { result: await rowsOf(way, maxRows, checked, databaseId), origin: `${way.origin}${way.cuts}.` }
}

/**
 * The tile is read from the API and its statement checked as one that a person sends: the endpoint’s own tool for tiles would
 * run it unchecked, with whatever functions somebody saved in it.
 */
const readTile: SqlRead = async (way, { body }, readApi) => {
  const read = sql.tile.body.parse(readJson(body ?? ''))
  const { tiles } = await readApi(dashboards.get, { dashboardId: read.dashboardId })
  const tile = tiles.find(({ id }) => id === read.tileId)
  if (!tile) throw failure('notFound', 'The dashboard has no such tile.')
  const { config } = tile
  const isOfSource = /\$__sourceTable\b/.test(config?.sqlTemplate ?? '')
  const known = isOfSource ? await readApi(sourceEndpoints.list, {}) : []
  const source = known.find(({ id }) => id === config?.sourceId)
  const checked = checkedStatement(filledStatement(tile, read, source))
  const connectionId = config?.['connectionId']
  const databaseId = typeof connectionId === 'string' ? connectionId : undefined
  return { result: await rowsOf(way, maxSqlRows, checked, databaseId), origin: `${way.origin}.` }
}

export const sqlReads: ReadonlyMap<Endpoint, SqlRead> = new Map<Endpoint, SqlRead>([
  [sql.tables, readTables],
  [sql.run, runStatement],
  [sql.tile, readTile],
])

/** The statement of a Raw SQL tile for a range. @throws ApiFailure `invalid` for one that cannot be filled */
export function filledStatement(
  tile: Pick<Tile, 'config'>,
  read: Omit<SqlTileRead, 'dashboardId' | 'tileId'>,
  source: Pick<Source, 'from' | 'metricTables'> | undefined,
): string {
  try {
    return tileStatement(tile, read, (metricType) => quotedTable(sourceTable(source, metricType)))
  } catch (error) {
    throw error instanceof ExecutionError ? failure('invalid', error.message) : error
  }
}

/** The name of a table in a statement. */
const quotedTable = ({ database, table }: { database: string; table: string }): string =>
  database ? `${quoted(database)}.${quoted(table)}` : quoted(table)

const quoted = (name: string): string => `\`${name.replaceAll(/[\\`]/g, (character) => `\\${character}`)}\``

/** The statement without its comments. @throws ApiFailure `invalid` for one that must not be sent */
function checkedStatement(statement: string, explain?: ExplainKind): string {
  const text = readStatement(statement)
  const problem = statementProblem(text.select)
  if (problem !== null) throw failure('invalid', problem)
  const kind = explain ?? text.explain
  return kind ? `${explaining[kind]}${text.select}` : text.select
}

async function rowsOf(
  way: SqlWay,
  maxRows: number,
  statement: string,
  databaseId: string | undefined,
): Promise<SqlResult> {
  const begun = performance.now()
  // One row more says that there are more.
  const most = Math.min(maxRows, way.maxRows - 1)
  const rows = await way.run(`SELECT * FROM (\n${statement}\n) LIMIT ${most + 1}`, databaseId)
  return resultOf(rows, most, Math.round(performance.now() - begun))
}

/** Without columns if the tool cut them. */
function tableOf(row: SqlRows['data'][number]): SqlTable {
  const columns = (isCut(row) ? '' : textOf(row['columns'])).split('\n').flatMap((line) => {
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

function resultOf(result: SqlRows, maxRows: number, milliseconds: number): SqlResult {
  const { data, statistics, meta } = result
  const columns = meta ?? Object.keys(data[0] ?? {}).map((name) => ({ name, type: '' }))
  const twice = columns.find(({ name }, at) => columns.findIndex((other) => other.name === name) !== at)
  // The result has one value for both.
  if (twice) throw failure('invalid', `two columns are called ${twice.name}: give them different names`)
  const rows = data.map((row) => valuesOf(row, columns))
  return {
    columns,
    rows: rows.slice(0, maxRows),
    isTruncated: rows.length > maxRows || isShort(result),
    ...counted('rowsRead', statistics?.rows_read),
    ...counted('bytesRead', statistics?.bytes_read),
    milliseconds,
  }
}

/** @throws ApiFailure for a row that the tool cut, too: a mark of its own is then among the columns, or one of them is missing */
function valuesOf(row: SqlRows['data'][number], columns: readonly { name: string }[]): unknown[] {
  const names = columns.map(({ name }) => name)
  if (!hasExactly(row, names)) {
    throw failure('invalid', 'a row is too large for the deployment, which cut its values: select less of it')
  }
  return names.map((name) => withoutLoss(row[name]))
}

const hasExactly = (row: SqlRows['data'][number], names: readonly string[]): boolean =>
  Object.keys(row).length === names.length && names.every((name) => Object.hasOwn(row, name))

/** Whether the tool left out rows, because there were too many. */
const isShort = ({ data, rows }: SqlRows): boolean => rows !== undefined && data.length < rows

/** Numbers that JavaScript would change are texts. */
function withoutLoss(value: unknown): unknown {
  if (value instanceof LosslessNumber) return value.value
  if (Array.isArray(value)) return value.map(withoutLoss)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutLoss(item)]))
}
