/** What an engine's driver offers: connections, each of which runs one statement at a time. */
import type { Params } from './params.ts'

export interface EngineConfig {
  /** The embedded engine keeps its files in `engine` below this directory. */
  dataDir?: string
  /** A cluster instead, `http(s)://user:password@host:8123/database`. */
  url?: string
  /** Queries that run side by side. Default 4. */
  connections?: number
  /** Inserts that run side by side. Default 2. */
  insertConnections?: number
  /** Bytes that the embedded engine may take in all; one query gets half. Default: 40 % of the machine's, 1 to 4 GiB. */
  maxMemory?: number
}

/** An answer as it comes off the wire. */
export interface Table {
  names: string[]
  rows: unknown[][]
}

/** One connection of the driver: it runs one statement at a time. */
export interface Connection {
  /** @param mark the statement's `log_comment`, by which it is found while it runs */
  query(sql: string, params: Params, maxSeconds: number, mark?: string): Promise<Table>
  command(sql: string, params: Params, mark?: string): Promise<void>
  insert(table: string, rows: readonly object[]): Promise<void>
}

export interface Driver {
  kind: 'embedded' | 'cluster'
  database: string
  queries: Connection[]
  inserts: Connection[]
  /** Opens the connections for statements that take long: few stacks need them. */
  openLoads(): Connection[]
  /** Kept free of other work, so that a query can always be stopped. */
  control: Connection
  close(): Promise<void>
}
