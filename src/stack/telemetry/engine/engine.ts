/** The telemetry engine: ClickHouse in this process, on a server, or a cluster of them. */
import type { NativeBlock } from '../native/nativeBlock.ts'
import { systemTable, type Dialect } from './dialect.ts'
import type { Params } from './params.ts'
import { EngineConnections } from './engineConnections.ts'
import { untilAborted } from './engineError.ts'
import type { Connection, Driver, EngineConfig, QueryShare, SentRows, Table } from './engineDriver.ts'
import { openRemote } from './engineRemote.ts'
import { openEmbedded } from './engineEmbedded.ts'
import { UnstoppableStatements } from './unstoppable.ts'

export interface QueryOptions {
  /** Values of the `{name:Type}` placeholders in the SQL. */
  params?: Params
  /** Stops the query in the engine. The promise is rejected with EngineAborted immediately. */
  signal?: AbortSignal
  /** Time limit in seconds. Default 30. */
  maxSeconds?: number
  /** Whether the query sees all rows that were stored before, whichever replica answers. It costs more on a service of replicas. */
  sequential?: boolean
  /** The unique `log_comment` of the statement, by which `progressOf` finds it. */
  mark?: string
  /** The share of the engine that the query may use. Default: all threads, and half of the memory. */
  share?: QueryShare
  /** Whether it reads the rows of a table, so that it waits for its turn where queries are scheduled. */
  scans?: boolean
}

/** How far a running statement is. */
interface StatementProgress {
  mark: string
  rowsRead: number
  /** As far as the engine knows. */
  rowsTotal: number
}

interface LoadOptions extends Pick<QueryOptions, 'params' | 'signal'> {
  /** The unique `log_comment` of the statement, which the engine's list of statements shows. */
  mark?: string
}

export interface Engine {
  /** One object in all forms of one engine. */
  identity: object
  kind: 'embedded' | 'remote'
  /** The kind of server, and the form of statements for it. */
  dialect: Dialect
  /** The database with the telemetry tables. */
  database: string
  /** The folder that backups are written to; null for a server, which is backed up by those who run it. */
  backups: string | null
  /** Rows as objects. 64-bit integers are text, NaN and infinities are null. Rejects with EngineError. */
  query<Row>(sql: string, options?: QueryOptions): Promise<Row[]>
  /** Rows with the types of the columns, which may share names, and the amount that was read. */
  queryTable(sql: string, options?: QueryOptions): Promise<Table>
  /** The progress of the statements that run at the moment. */
  progressOf(marks: readonly string[]): Promise<StatementProgress[]>
  /** How many queries run at the same time. Others wait. */
  queryConnections: number
  /** Resolves once the rows are on disk. All rows are stored, or none. */
  insert(table: string, rows: readonly object[]): Promise<void>
  /** Resolves once the rows are on disk. All of them are stored, or none. The blocks have the same columns. */
  insertBlocks(table: string, blocks: readonly NativeBlock[]): Promise<void>
  /** How many inserts run at the same time. Others wait. */
  insertConnections: number
  /** A statement without a result, such as DDL. */
  command(sql: string, options?: Pick<QueryOptions, 'params'>): Promise<void>
  /**
   * A long statement, such as an INSERT … SELECT, on a separate connection. When the signal fires it is
   * stopped, and the promise is rejected with EngineAborted only after the engine is done with it.
   */
  load(sql: string, options?: LoadOptions): Promise<void>
  /**
   * A `load` that reads rows which are sent with it.
   * @param statement creates the SQL from the table function that reads the rows
   * @returns how long the engine worked on it, in milliseconds
   */
  loadRows(rows: SentRows, statement: (source: string) => string, options?: LoadOptions): Promise<number>
  /**
   * False after a fatal error of the embedded engine, which refuses every statement until its process is restarted, and when
   * nearly all of its connections are kept by statements that it cannot stop.
   */
  isAlive(): boolean
  /** Refuses new work, waits for running statements, and releases the data directory. */
  close(): Promise<void>
}

const defaultMaxSeconds = 30

/** Opens the configured engine. @throws EngineMissing if the embedded one is not installed, else EngineError */
export async function openEngine(config: EngineConfig): Promise<Engine> {
  const driver = await (config.url ? openRemote(config.url, config) : openEmbedded(config))
  return engineOver(driver)
}

/** @param unstoppable for tests */
export function engineOver(driver: Driver, unstoppable = new UnstoppableStatements(driver.queries.length)): Engine {
  const { dialect } = driver
  const connections = new EngineConnections(driver)

  async function queryTable(sql: string, options: QueryOptions = {}): Promise<Table> {
    const { params = {}, signal, maxSeconds = defaultMaxSeconds, sequential = false, mark, share } = options
    const start = (connection: Connection, usedMark: string) =>
      unstoppable.follow(maxSeconds, signal, () =>
        connection.query(sql, params, maxSeconds, { mark: usedMark, sequential, ...(share && { share }) }),
      )
    return untilAborted(connections.stoppable('queries', signal, start, mark), signal)
  }

  async function query<Row>(sql: string, options?: QueryOptions): Promise<Row[]> {
    return toRows<Row>(await queryTable(sql, options))
  }

  async function progressOf(marks: readonly string[]): Promise<StatementProgress[]> {
    if (marks.length === 0 || connections.isClosed) return []
    const sql = `SELECT Settings['log_comment'] AS mark, toUInt64(read_rows) AS read, toUInt64(greatest(read_rows, total_rows_approx)) AS total
      FROM ${systemTable(dialect, 'processes')} WHERE mark IN {marks:Array(String)} AND is_initial_query`
    const table = await connections.onControl((connection) => connection.query(sql, { marks }, defaultMaxSeconds))
    return toRows<{ mark: string; read: string; total: string }>(table).map(({ mark, read, total }) => ({
      mark,
      rowsRead: Number(read),
      rowsTotal: Number(total),
    }))
  }

  function load(sql: string, { params = {}, signal, mark }: LoadOptions = {}): Promise<void> {
    const start = (connection: Connection, usedMark: string) => connection.command(sql, params, usedMark)
    return connections.stoppable('loads', signal, start, mark)
  }

  function loadRows(
    rows: SentRows,
    statement: (source: string) => string,
    { params = {}, signal, mark }: LoadOptions = {},
  ): Promise<number> {
    const start = async (connection: Connection, usedMark: string) => {
      const begun = performance.now()
      await connection.sendRows(rows, statement, params, usedMark)
      return performance.now() - begun
    }
    return connections.stoppable('loads', signal, start, mark)
  }

  return {
    identity: driver,
    kind: connections.kind,
    dialect,
    database: driver.database,
    backups: driver.backups,
    query,
    queryTable,
    progressOf,
    queryConnections: driver.queries.length,
    load,
    loadRows,
    insert: (table, rows) =>
      rows.length === 0
        ? Promise.resolve()
        : connections.run('inserts', (connection) => connection.insert(table, rows)),
    insertConnections: driver.inserts.length,
    insertBlocks: (table, blocks) =>
      blocks.length === 0
        ? Promise.resolve()
        : connections.run('inserts', (connection) => connection.insertBlocks(table, blocks)),
    command: (sql, { params = {} } = {}) => connections.run('queries', (connection) => connection.command(sql, params)),
    isAlive: () => connections.isAlive && !(connections.kind === 'embedded' && unstoppable.areTooMany),
    close: () => connections.close(),
  }
}

function toRows<Row>({ names, rows }: Table): Row[] {
  // As a key that is assigned, it would be the prototype.
  const toObject = names.includes('__proto__') ? fromEntries : fromColumns
  // The caller knows the type of the rows of its SELECT.
  return rows.map((row) => toObject(names, row) as Row)
}

const fromEntries = (names: readonly string[], row: readonly unknown[]) =>
  Object.fromEntries(names.map((name, at) => [name, row[at]]))

/** `fromEntries` five times as fast, which a chart of tens of thousands of points notices. */
function fromColumns(names: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  names.forEach((name, at) => {
    object[name] = row[at]
  })
  return object
}
