/** Connections of both engines: statements over the ClickHouse client, always with all settings. */
import { randomUUID } from 'node:crypto'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { Connection, QueryShare, SentRows } from './engineDriver.ts'
import type { NativeBlock } from '../native/nativeBlock.ts'
import { dialectSettings, onceSettings, sequentialSettings, type Dialect } from './dialect.ts'
import type { Params } from './params.ts'

interface ConnectionOptions {
  dialect: Dialect
  /** Settings that only this engine needs. */
  engineSettings: ClickHouseSettings
  /** Bytes that all queries have together, where the stack divides them. */
  memory?: number
  /** How parameters are sent. */
  bind(sql: string, params: Params): { query: string; query_params?: Record<string, unknown> }
  /** Sends blocks of rows. */
  insertBlocks(table: string, blocks: readonly NativeBlock[], settings: ClickHouseSettings): Promise<unknown>
  /** Runs a statement that reads rows. */
  sendRows(
    rows: SentRows,
    statement: (source: string) => string,
    params: Params,
    settings: ClickHouseSettings,
  ): Promise<unknown>
  /** The result of a failed statement stays in its connection, and would be added to that of the next one. */
  keepsResults?: boolean
}

/** The maximum number of groups of a query, so that a wrong `groupBy` is an error and does not use all memory. */
const maxGroups = '2000000'

/** A setting of one statement stays with its connection, so all statements send the same list. */
const settings: ClickHouseSettings = {
  timeout_overflow_mode: 'throw',
  max_rows_to_group_by: maxGroups,
  group_by_overflow_mode: 'throw',
  // For all rows of a block, so that an expression cannot fill the memory with arrays.
  function_range_max_elements_in_block: '10000000',
  max_query_size: '1048576',
  session_timezone: 'UTC',
  output_format_json_quote_64bit_integers: 1,
  // Numbers of JSON are doubles, which have no room for all digits.
  output_format_json_quote_decimals: 1,
  output_format_json_quote_denormals: 0,
  max_partitions_per_insert_block: '1000',
  async_insert: 0,
}

/** How long a query with a lower priority pauses at a time, milliseconds, so that it goes on slowly beside many others. */
const longestPause = '250'

function settingsOf({ threads, priority, memory: part }: QueryShare, memory: number | undefined): ClickHouseSettings {
  return {
    priority: String(priority),
    low_priority_query_wait_time_ms: longestPause,
    ...(threads !== undefined && { max_threads: threads }),
    ...(memory !== undefined && { max_memory_usage: String(Math.floor(memory * part)) }),
  }
}

export function clientConnection(
  client: ClickHouseClient,
  { dialect, engineSettings, memory, bind, insertBlocks, sendRows, keepsResults = false }: ConnectionOptions,
): Connection {
  const all = (maxSeconds: number, mark = ''): ClickHouseSettings => ({
    ...settings,
    ...dialectSettings(dialect),
    ...engineSettings,
    max_execution_time: maxSeconds,
    log_comment: mark,
  })
  /** Settings of a statement that may read the rows it stores. */
  const changing = (mark?: string) => ({ ...all(0, mark), ...sequentialSettings(dialect) })
  /** Settings of an insert. The token lets the engine drop a copy that a proxy sends again. */
  const once = (token: string) => ({ ...all(0), ...onceSettings(dialect, token) })
  return {
    async query(sql, params, maxSeconds, { mark, sequential = false, share } = {}) {
      const answer = await client.query({
        ...bind(sql, params),
        // One document, so that an error in the middle of the response is noticed.
        format: 'JSONCompact',
        clickhouse_settings: {
          ...all(maxSeconds, mark),
          ...(sequential && sequentialSettings(dialect)),
          ...(share && settingsOf(share, memory)),
        },
      })
      const { meta = [], data, statistics } = await answer.json<unknown[]>()
      return {
        names: meta.map(({ name }) => name),
        types: meta.map(({ type }) => type),
        rows: data,
        read: { rows: statistics?.rows_read ?? 0, bytes: statistics?.bytes_read ?? 0 },
      }
    },
    async command(sql, params, mark) {
      await client.command({ ...bind(sql, params), clickhouse_settings: changing(mark) })
    },
    async sendRows(rows, statement, params, mark = '') {
      await sendRows(rows, statement, params, { ...changing(mark), ...onceSettings(dialect, mark || randomUUID()) })
    },
    async insert(table, rows) {
      await client.insert({ table, values: rows, format: 'JSONEachRow', clickhouse_settings: once(randomUUID()) })
    },
    async insertBlocks(table, blocks) {
      await insertBlocks(table, blocks, once(randomUUID()))
    },
    async recover() {
      if (keepsResults) await client.command({ query: 'SELECT 1', clickhouse_settings: all(0) })
    },
  }
}
