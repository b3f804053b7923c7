/** The interface of engine drivers: connections, each of which runs one statement at a time. */
import type { NativeBlock } from '../native/nativeBlock.ts'
import type { Dialect } from './dialect.ts'
import type { Params } from './params.ts'

export interface EngineConfig {
  /** The embedded engine keeps its files in `engine` below this directory. */
  dataDir?: string
  /** The only folder that the embedded engine writes backups to and reads them from. Default: `backups` below `dataDir`. */
  backups?: string
  /** Put a folder aside that cannot be opened, and begin with an empty one. */
  acceptDataLoss?: boolean
  /** A server or service instead, `http(s)://user:password@host:8123/database`. */
  url?: string
  /** The cluster that the server at the URL belongs to: tables are made on all of its servers. */
  cluster?: string | undefined
  /** Concurrent queries. Default 7, which leaves some to light ones and to alerts while heavy ones run. */
  connections?: number
  /** Concurrent inserts. Default 2. */
  insertConnections?: number
  /** Memory limit of the embedded engine in bytes; a query gets half. Default: 40 % of the machine's memory, 1 to 4 GiB. */
  maxMemory?: number
}

/** A result as the driver returns it. */
export interface Table {
  names: string[]
  /** The engine's names of the columns' types. */
  types: string[]
  rows: unknown[][]
  /** Read by the engine for it. */
  read: { rows: number; bytes: number }
}

/** The share of the engine that one query may use. Without it, a query has all threads and half of the memory, and waits for no other. */
export interface QueryShare {
  /** Threads; undefined for as many as the machine has. */
  threads?: number
  /** While a query with a smaller number runs, this one pauses. */
  priority: number
  /** Bytes of memory that the engine uses, where it runs in this process. */
  memory: number
}

/** Rows that are sent with a statement. */
export interface SentRows {
  /** Names and types as the engine spells them: `id UInt64, text String`. */
  structure: string
  /** JSON objects, each followed by a line break. */
  lines: readonly Uint8Array[]
}

/** How a query is sent. */
interface QueryMode {
  /** Its `log_comment`, by which it is found while it runs. */
  mark?: string
  /** Whether it sees all rows that were stored before, whichever replica answers. */
  sequential?: boolean
  /** The share of the engine that it may use. Default: all threads, and half of the memory. */
  share?: QueryShare
}

/** One connection of the driver: it runs one statement at a time. */
export interface Connection {
  query(sql: string, params: Params, maxSeconds: number, how?: QueryMode): Promise<Table>
  /** @param mark the statement's `log_comment`, by which it is found while it runs */
  command(sql: string, params: Params, mark?: string): Promise<void>
  /** @param statement creates the SQL from the table function that reads the rows */
  sendRows(rows: SentRows, statement: (source: string) => string, params: Params, mark?: string): Promise<void>
  insert(table: string, rows: readonly object[]): Promise<void>
  insertBlocks(table: string, blocks: readonly NativeBlock[]): Promise<void>
  /** Called after a failed statement, before the connection is used again. */
  recover?(): Promise<void>
}

export interface Driver {
  dialect: Dialect
  database: string
  /** The folder that backups are written to; null where the engine's own configuration decides. */
  backups: string | null
  queries: Connection[]
  inserts: Connection[]
  /** Opens the connections for long statements, which few stacks need. */
  openLoads(): Connection[]
  /** Reserved for stopping queries. */
  control: Connection
  close(): Promise<void>
}
