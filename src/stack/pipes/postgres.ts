/**
 * Postgres pipes: the mapped tables are copied, then new rows are fetched by a key that grows, every `syncIntervalSeconds`.
 * This is polling, not logical replication: new rows arrive, changes of old rows and deletions do not. A pipe says so.
 *
 * A row may become visible after one with a higher key. So the highest key is read first, then it is waited until every
 * transaction has ended that was writing to the table at that time, and only then is everything up to that key fetched.
 */
import type { TableMapping } from '#contract/pipeSources.ts'
import { refuse } from '../errors.ts'
import type { Queries, Store } from '../store/store.ts'
import { EngineError } from '../telemetry/engineError.ts'
import { runLoad } from './loads.ts'
import { pause } from './pause.ts'
import type { PipeDocument } from './pipeDocument.ts'
import { describeTable, tableCall, writersOf, type SourceTable } from './postgresTables.ts'
import { refuseHost } from './reach.ts'
import { resyncPipe } from './resync.ts'
import type { Outcome, PipeRunner, Report, RunnerParts } from './runner.ts'
import { identifier, qualified } from './sql.ts'
import { databaseOf, ensureTable, loadColumn, type Target } from './target.ts'

const lookForWritersMs = 200
/** A table is copied in ranges of its key: at most this many. */
const maxRanges = 1000

export function postgresRunner(parts: RunnerParts): PipeRunner {
  const { store, engine, reach } = parts

  const mappingsOf = (pipe: PipeDocument): TableMapping[] => pipe.source?.postgres?.tableMappings ?? []

  const refuseServer = (pipe: PipeDocument) =>
    refuseHost('source.postgres.host', pipe.source?.postgres?.host ?? '', reach)

  async function check(pipe: PipeDocument): Promise<void> {
    await refuseServer(pipe)
    for (const mapping of mappingsOf(pipe)) {
      try {
        const table = await describeTable(pipe, mapping, engine)
        const known = new Set(table.columns.map((column) => column.name))
        const missing = mapping.sortingKeys?.find((name) => !known.has(name))
        if (missing) throw refuse(`source.postgres.tableMappings: ${table.name} has no column ${missing}`)
        if (known.size === 0) throw refuse(`source.postgres.tableMappings: no column of ${table.name} is left`)
      } catch (error) {
        if (error instanceof EngineError) throw refuse(`failed to establish connection: ${error.message}`)
        throw error
      }
    }
  }

  async function run(
    pipe: PipeDocument,
    report: (report: Report) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Outcome | null> {
    await refuseServer(pipe)
    if (pipe.internal.resync) await resyncPipe(store, engine, pipe)
    const tables = await Promise.all(mappingsOf(pipe).map((mapping) => describeTable(pipe, mapping, engine)))
    const { replicationMode = 'cdc', syncIntervalSeconds } = pipe.source?.postgres?.settings ?? {}
    for (const table of tables) {
      await ensureTable(targetFor(pipe, table), definitionFor(pipe, table), engine)
      if (await cursorOf(store, pipe, copiedMark(table))) continue
      await report({ state: 'Snapshot', detail: `copying ${table.name}` })
      await fetchNew(pipe, table, true, signal)
    }
    if (replicationMode === 'snapshot') {
      return { state: 'Completed', detail: `${counted(tables)} copied once, as its replication mode says` }
    }
    const detail = modeDetail(tables, Number(syncIntervalSeconds ?? 60))
    for (;;) {
      await report({ state: 'Running', detail })
      for (const table of tables) if (table.growingKey) await fetchNew(pipe, table, false, signal)
      await pause(Number(syncIntervalSeconds ?? 60) * 1000, signal)
    }
  }

  /** Fetches what is not here yet: in ranges of the growing key, or as a whole where there is none. */
  async function fetchNew(
    pipe: PipeDocument,
    table: SourceTable,
    initial: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const key = table.growingKey
    if (key === null) {
      await load(pipe, table, null, signal)
    } else {
      const bounds = await keysAfter(pipe, table, key, signal)
      if (bounds) await fetchRanges(pipe, table, bounds, signal)
    }
    if (initial) await store.write((transaction) => setCursor(transaction, pipe, copiedMark(table), 'yes'))
  }

  async function fetchRanges(
    pipe: PipeDocument,
    table: SourceTable,
    { from, to }: { from: bigint; to: bigint },
    signal: AbortSignal,
  ): Promise<void> {
    const rows = BigInt(pipe.source?.postgres?.settings?.snapshotNumRowsPerPartition ?? 100_000)
    const wide = (to - from) / BigInt(maxRanges) + 1n
    const step = wide > rows ? wide : rows
    for (let after = from; after < to; after += step) {
      const upTo = after + step < to ? after + step : to
      await load(pipe, table, { after, upTo }, signal)
    }
  }

  /** The keys of rows that are not here yet, `from` left out; null when there are none. Every row up to `to` is visible. */
  async function keysAfter(pipe: PipeDocument, table: SourceTable, key: string, signal: AbortSignal) {
    const cursor = await cursorOf(store, pipe, table.name)
    const { call, params } = tableCall(pipe, table.mapping.sourceSchemaName, table.mapping.sourceTable)
    const column = identifier(key)
    const [row] = await engine.query<{ least: string; most: string; rows: string }>(
      `SELECT min(${column}) AS least, max(${column}) AS most, count() AS rows FROM ${call} ${cursor === null ? '' : `WHERE ${column} > {cursor:Int64}`}`,
      { params: { ...params, ...(cursor !== null && { cursor }) }, signal, maxSeconds: 600 },
    )
    if (!row || Number(row.rows) === 0) return null
    const writers = await writersOf(pipe, table, engine)
    const anyLeft = async () => {
      const now = await writersOf(pipe, table, engine)
      return [...writers].some((writer) => now.has(writer))
    }
    while (writers.size > 0 && (await anyLeft())) await pause(lookForWritersMs, signal)
    // A row that was not visible yet may be lower than the lowest that was.
    return { from: cursor === null ? BigInt(row.least) - 1n : BigInt(cursor), to: BigInt(row.most) }
  }

  async function load(
    pipe: PipeDocument,
    table: SourceTable,
    range: { after: bigint; upTo: bigint } | null,
    signal: AbortSignal,
  ): Promise<void> {
    const target = targetFor(pipe, table)
    const { call, params } = tableCall(pipe, table.mapping.sourceSchemaName, table.mapping.sourceTable)
    const names = table.columns.map((column) => identifier(column.name)).join(', ')
    const key = table.growingKey && identifier(table.growingKey)
    const where = range && key ? `WHERE ${key} > {after:Int64} AND ${key} <= {up_to:Int64}` : ''
    const limits = range && { after: String(range.after), up_to: String(range.upTo) }
    await runLoad(
      parts,
      {
        pipeId: pipe.id,
        target,
        bytes: 0,
        statement: (number) => ({
          sql: `INSERT INTO ${qualified(target.database, target.table)} (${names}, ${loadColumn})
            SELECT ${names}, ${number} FROM ${call} ${where}
            SETTINGS insert_allow_materialized_columns = 1, insert_null_as_default = 1`,
          params: { ...params, ...limits },
        }),
        whenDone: async (transaction) => {
          if (range) await setCursor(transaction, pipe, table.name, String(range.upTo))
          else await setCursor(transaction, pipe, copiedMark(table), 'yes')
        },
      },
      signal,
    )
  }

  return { check, run }
}

function targetFor(pipe: PipeDocument, table: SourceTable): Target {
  return {
    database: databaseOf(pipe.serviceId, pipe.destination?.database ?? 'default'),
    table: table.mapping.targetTable,
  }
}

function definitionFor(pipe: PipeDocument, { columns, mapping, primaryKey }: SourceTable) {
  const sortingKey = mapping.useCustomSortingKey ? (mapping.sortingKeys ?? []) : primaryKey
  const allowNullable = pipe.source?.postgres?.settings?.allowNullableColumns ?? false
  const plain = (type: string) => /^Nullable\((.*)\)$/s.exec(type)?.[1] ?? type
  return {
    engine: mapping.tableEngine ?? (sortingKey.length > 0 ? 'ReplacingMergeTree' : 'MergeTree'),
    columns: columns.map(({ name, type }) => ({ name, type: allowNullable ? type : plain(type) })),
    sortingKey,
  }
}

function modeDetail(tables: readonly SourceTable[], seconds: number): string {
  const polled = tables.filter((table) => table.growingKey)
  const once = tables.filter((table) => !table.growingKey).map((table) => table.name)
  const sentences = [
    ...(polled.length > 0
      ? [
          `polling ${counted(polled)} for new rows every ${seconds} s by ${polled.length === 1 ? 'its' : 'their'} key; changed and deleted rows are not followed`,
        ]
      : []),
    ...(once.length > 0 ? [`copied once, having no key that grows: ${once.join(', ')}`] : []),
  ]
  return sentences.join('. ')
}

function counted(tables: readonly SourceTable[]): string {
  return tables.length === 1 ? (tables[0]?.name ?? '') : `${tables.length} tables`
}

/** The name under which it is kept that a table was copied as a whole. */
function copiedMark(table: SourceTable): string {
  return `${table.name} copied`
}

async function cursorOf(store: Store, pipe: PipeDocument, source: string): Promise<string | null> {
  const [row] = await store.rows('SELECT cursor FROM pipe_cursors WHERE pipe_id = ? AND source = ?', [pipe.id, source])
  return row ? String(row['cursor']) : null
}

async function setCursor(queries: Queries, pipe: PipeDocument, source: string, cursor: string): Promise<void> {
  await queries.run(
    'INSERT INTO pipe_cursors (pipe_id, source, cursor) VALUES (?, ?, ?) ON CONFLICT (pipe_id, source) DO UPDATE SET cursor = excluded.cursor',
    [pipe.id, source, cursor],
  )
}
