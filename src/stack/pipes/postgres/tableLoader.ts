/**
 * Loads rows of a source table, each with the key that people know it by, into its destination. Those that do not fit
 * become bad records.
 */
import { escapeIdentifier } from 'pg'
import { deletedColumn, versionColumn, type DestinationTable } from '../loads/destinationTable.ts'
import type { MappedField } from '../loads/fieldMapping.ts'
import { errorTableOf } from '../records/errorTable.ts'
import { RecordLoader } from '../records/recordLoad.ts'
import type { PostgresRun } from './postgresRun.ts'
import { definitionFor, describeTable, type SourceTable } from './source/postgresTables.ts'
import { RecordBuffer } from '../records/recordBuffer.ts'

/** A table of the source was changed while its rows were read: they are read again. */
export class TableChanged extends Error {
  override name = 'TableChanged'
}

export interface TableLoader extends Pick<RecordLoader, 'load'> {
  newBatch(): RowBatch
}

/** @param target the table that is loaded into, which exists */
export async function tableLoader(
  run: PostgresRun,
  table: SourceTable,
  target: DestinationTable = table.target,
): Promise<TableLoader> {
  const { parts, pipe, pipeWord } = run
  const keyNames = table.primaryKey.map(({ name }) => name).join(', ')
  const loader = new RecordLoader(parts, {
    pipe,
    target,
    errorTable: errorTableOf(table.target, pipeWord),
    topic: table.name,
    places: { partition: 'String', offset: 'String' },
    placeName: ({ offset }) => `the row of ${table.name} with the key ${offset}`,
    fields: await fieldsOf(run, table, target),
    settings: [],
    keepsRows: definitionFor(pipe, table).engine === 'MergeTree',
    isJson: true,
    // Values of a new type may only seem to be bad.
    beforeBad: () => refuseChanged(run, table),
  })
  return {
    load: (...work) => loader.load(...work),
    newBatch: () => newRowBatch(keyNames),
  }
}

/** The columns of the destination that get values, with the types that they have there. */
async function fieldsOf({ parts }: PostgresRun, table: SourceTable, target: DestinationTable): Promise<MappedField[]> {
  const own = [versionColumn, deletedColumn]
  const wanted = new Set([...table.columns.map(({ name }) => name), ...own])
  const columns = await parts.engine.query<{ name: string; type: string }>(
    'SELECT name, type FROM system.columns WHERE database = {database:String} AND table = {table:String} ORDER BY position',
    { params: { ...target } },
  )
  return columns
    .filter(({ name }) => wanted.has(name))
    .map(({ name, type }) => ({ source: name, destination: name, type }))
}

/** Whether the columns of a table are not those that were read. */
export async function hasOtherColumns({ pipe, server }: PostgresRun, table: SourceTable): Promise<boolean> {
  const now = await describeTable(pipe, table.mapping, server)
  return now?.oid !== table.oid || JSON.stringify(now.columns) !== JSON.stringify(table.columns)
}

/** @throws TableChanged if the columns of the table are not those that were read */
async function refuseChanged(run: PostgresRun, table: SourceTable): Promise<void> {
  if (await hasOtherColumns(run, table)) throw new TableChanged(`${table.name} was changed at the source`)
}

/** The key of a row as people know it: the value of its column, or a JSON list of several. */
export function placeOf({ primaryKey, hasAddresses }: SourceTable, from: string): string {
  const values = primaryKey.map(({ name }) => `${from}.${escapeIdentifier(name)}`)
  const [only] = values
  if (only === undefined) return hasAddresses ? `concat('row ', ${from}.ctid)` : `''`
  return values.length === 1 ? `${only}::text` : `json_build_array(${values.join(', ')})::text`
}

/** A row as the server writes it. */
export interface JsonRow extends Record<string, string | null> {
  /** A JSON object with its columns. */
  row: string
  /** Its key, for people. */
  place: string | null
}

interface RowBatch {
  records: RecordBuffer
  /** @param more members in front of those of the row, such as `"_pipe_version":7` */
  add(row: JsonRow, more?: string): void
  isFull(): boolean
}

/** The limits of a batch. */
const maxRows = 100_000
const maxBytes = 16 * 2 ** 20

/** @param keyNames the names of the key's columns, for the error table */
function newRowBatch(keyNames: string): RowBatch {
  const places: string[] = []
  const records = new RecordBuffer(({ offset }) => ({ partition: keyNames, offset: places[offset] ?? '' }))
  return {
    records,
    add({ row, place }, more) {
      const json = Buffer.from(row)
      records.addJson(0, places.push(place ?? '') - 1, json, 0, json.length, more)
    },
    isFull: () => records.rows + records.badCount >= maxRows || records.bytes >= maxBytes,
  }
}

/** The size of a row in memory, about. */
export const bytesOfRow = ({ row, place }: JsonRow) => row.length + (place?.length ?? 0)
