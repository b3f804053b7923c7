/**
 * The table with the bad records of a pipe, beside its own. A record that is read again replaces its row, so it has no
 * duplicates, read with FINAL. Rows are kept for seven days.
 */
import { shownBadRecords, type BadRecord } from '#contract/cloud/pipes/pipeConsumers.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { untilReplicated } from '../../telemetry/engine/storedRows.ts'
import { createDatabase, createTable, type TableChanger } from '../../telemetry/engine/tableChanges.ts'
import type { DestinationTable } from '../loads/destinationTable.ts'
import { qualified } from '../loads/sqlNames.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import type { RecordBuffer, RecordPlace } from './recordBuffer.ts'

/** @param pipeWord the deployment's word for pipes, such as `datapipes` */
export function errorTableOf(target: DestinationTable, pipeWord: string): DestinationTable {
  return { database: target.database, table: `${target.table}_${pipeWord}_error` }
}

/** The types of the columns that say where a record is in its stream. */
export interface PlaceTypes {
  partition: string
  offset: string
}

/** Where records are in their stream. */
export interface RecordPlaces extends PlaceTypes {
  /** The place of a record for people. */
  describe(place: RecordPlace, topic: string): string
}

export async function ensureErrorTable(
  { database, table }: DestinationTable,
  engine: TableChanger,
  { partition, offset }: PlaceTypes,
): Promise<void> {
  await createDatabase(engine, database)
  await createTable(engine, {
    name: { database, table },
    columns: `at DateTime64(3) DEFAULT now64(3), pipe_id String, pipe_name String, topic String, partition ${partition}, offset ${offset},
    reason String, raw String, raw_bytes UInt64`,
    engine: 'ReplacingMergeTree',
    arguments: 'at',
    clauses: `ORDER BY (pipe_id, topic, partition, offset)
    TTL toDateTime(at) + INTERVAL 7 DAY SETTINGS fsync_after_insert = 1`,
    shardBy: 'cityHash64(pipe_id, topic, partition, offset)',
  })
}

/** The condition on rows that were stored at the same time, for `untilReplicated`. Its parameters are `pipeId` and `at`. */
export const batchCondition = 'pipe_id = {pipeId:String} AND at = {at:String}'

export async function insertBadRecords(
  engine: TableChanger & Pick<Engine, 'insert'>,
  { database, table }: DestinationTable,
  pipe: PipeDocument,
  topic: string,
  { bad, placeOf }: Pick<RecordBuffer, 'bad' | 'placeOf'>,
): Promise<void> {
  const at = currentIsoTime().replace('T', ' ').slice(0, -1)
  const rows = bad.map((record) => ({
    at,
    pipe_id: pipe.id,
    pipe_name: pipe.name,
    topic,
    ...placeOf(record),
    reason: record.reason,
    raw: Buffer.from(record.raw).toString('utf8'),
    raw_bytes: record.rawBytes ?? record.raw.length,
  }))
  await engine.insert(qualified(database, table), rows)
  await untilReplicated(engine, { database, table }, batchCondition, { pipeId: pipe.id, at })
}

interface ErrorRow {
  at: string
  topic: string
  partition: string
  offset: string
  reason: string
  raw: string
  raw_bytes: string
}

/** The latest bad records of a pipe. @param tables that have them, if they exist */
export async function badRecordsOf(
  engine: Pick<Engine, 'query'>,
  tables: readonly DestinationTable[],
  pipeId: string,
  signal: AbortSignal,
): Promise<BadRecord[]> {
  const known = await engine.query<DestinationTable>(
    'SELECT database, name AS table FROM system.tables WHERE has({tables:Array(String)}, name) AND has({databases:Array(String)}, database)',
    {
      params: { tables: tables.map(({ table }) => table), databases: tables.map(({ database }) => database) },
      signal,
    },
  )
  if (known.length === 0) return []
  const each = known.map(
    ({ database, table }) =>
      `SELECT at, topic, toString(partition) AS partition, toString(offset) AS offset, reason, raw, raw_bytes
       FROM ${qualified(database, table)} FINAL WHERE pipe_id = {pipeId:String}`,
  )
  const rows = await engine.query<ErrorRow>(
    `SELECT * FROM (${each.join(' UNION ALL ')}) ORDER BY at DESC LIMIT ${shownBadRecords}`,
    { params: { pipeId }, signal },
  )
  return rows.map(({ raw_bytes, at, ...row }) => ({
    ...row,
    at: `${at.replace(' ', 'T')}Z`,
    rawBytes: Number(raw_bytes),
  }))
}
