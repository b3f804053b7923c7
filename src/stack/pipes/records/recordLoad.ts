/**
 * Loads batches of records into the table of a pipe. The offsets that a batch covers are stored in the transaction that
 * completes its load, so a batch whose load was interrupted is read and loaded again, and no other is.
 */
import { destinationTableOf, engineTypes, loadColumn, prepareDestination } from '../loads/destinationTable.ts'
import { isDataError } from '../loads/dataErrors.ts'
import { mappedFields } from '../loads/fieldMapping.ts'
import { runLoad, RowCountMismatch, type LoadParts, type LoadPlan } from '../loads/loads.ts'
import { addToTotals, countBadRecords } from '../loads/loadTotals.ts'
import { identifier, qualified } from '../loads/sqlNames.ts'
import { definitionOf } from '../loads/tableDefinition.ts'
import { sizeOf, type PipeDocument } from '../model/pipeDocument.ts'
import type { Queries } from '../../store/store.ts'
import { separateBadRows, separateOtherJson } from './badRows.ts'
import { ensureErrorTable, errorTableOf, insertBadRecords, type PlaceTypes } from './errorTable.ts'
import type { RecordBuffer } from './recordBuffer.ts'

export interface RecordLoader {
  /** The names of the fields that become columns. */
  fields: readonly string[]
  /**
   * Loads a batch.
   * @param whenDone writes of the transaction that completes the load
   * @param turn resolves once the load may be completed. Default: at once
   * @returns how long the engine worked, in milliseconds
   */
  load(batch: RecordBuffer, whenDone: WhenDone, signal: AbortSignal, turn?: Turn): Promise<number>
  /** Loads records that were bad before. They are not counted again, neither as read nor as bad. */
  loadAgain(batch: RecordBuffer, whenDone: WhenDone, signal: AbortSignal): Promise<number>
}

type WhenDone = (transaction: Queries) => Promise<void>
type Turn = NonNullable<LoadPlan['turn']>

/** Creates the table of the pipe. @param topic the name of the stream, for the error table */
export async function recordLoader(
  parts: LoadParts,
  pipe: PipeDocument,
  topic: string,
  pipeWord: string,
  places: PlaceTypes = { partition: 'UInt32', offset: 'UInt64' },
): Promise<RecordLoader> {
  const { engine, store } = parts
  const definition = definitionOf(pipe)
  const target = destinationTableOf(pipe)
  const errorTable = errorTableOf(target, pipeWord)
  await prepareDestination(pipe, engine)
  const fields = mappedFields(pipe, await engineTypes(definition.columns, engine))
  const structure = [...new Map(fields.map(({ source, type }) => [source, type]))]
    .map(([name, type]) => `${identifier(name)} ${type}`)
    .join(', ')
  const settings = statementSettings(pipe)
  const statement: LoadPlan['statement'] = (load, source) => ({
    sql: `INSERT INTO ${qualified(target.database, target.table)}
      (${[...fields.map((field) => field.destination), loadColumn].map(identifier).join(', ')})
      SELECT ${fields.map((field) => identifier(field.source)).join(', ')}, ${load} FROM ${source} SETTINGS ${settings}`,
    params: {},
  })
  /** Other tables may have fewer rows than were inserted. */
  const keepsRows = pipe.destination?.managedTable === true && definition.engine === 'MergeTree'

  async function insert(
    batch: RecordBuffer,
    whenDone: WhenDone,
    again: boolean,
    turn: Turn,
    signal: AbortSignal,
  ): Promise<number> {
    if (batch.badCount > 0) {
      await ensureErrorTable(errorTable, engine, places)
      await insertBadRecords(engine, errorTable, pipe, topic, batch)
    }
    const records = {
      readRecords: again ? 0 : batch.readRecords,
      readBytes: again ? 0 : batch.readBytes,
      sentBytes: batch.bytes,
    }
    const bytes = again ? 0 : batch.wireBytes
    const complete = async (transaction: Queries) => {
      if (batch.badCount > 0 && !again) await countBadRecords(transaction, pipe.id, batch.badCount)
      await whenDone(transaction)
    }
    if (batch.rows === 0) {
      await turn()
      await store.write(async (transaction) => {
        await addToTotals(transaction, pipe.id, target, { rows: 0, bytes, ...records })
        await complete(transaction)
      })
      return 0
    }
    const plan: LoadPlan = {
      pipeId: pipe.id,
      target,
      bytes,
      rows: { structure, lines: batch.lines() },
      ...(keepsRows && { expectedRows: batch.rows }),
      records,
      statement,
      whenDone: complete,
      turn,
    }
    const { engineMs } = await runLoad(parts, plan, signal)
    return engineMs
  }

  async function loadWith(
    batch: RecordBuffer,
    whenDone: WhenDone,
    again: boolean,
    signal: AbortSignal,
    turn: Turn,
  ): Promise<number> {
    const begun = performance.now()
    let waitedMs = 0
    const timedTurn = async () => {
      const since = performance.now()
      await turn()
      waitedMs += performance.now() - since
    }
    // Where the number of rows does not tell whether each record became one, every record is checked.
    if (!keepsRows) separateOtherJson(batch)
    try {
      return await insert(batch, whenDone, again, timedTurn, signal)
    } catch (error) {
      if (signal.aborted || !(isDataError(error) || error instanceof RowCountMismatch)) throw error
    }
    await separateBadRows(batch, structure, settings, engine, signal)
    await insert(batch, whenDone, again, timedTurn, signal)
    return performance.now() - begun - waitedMs
  }

  return {
    fields: fields.map((field) => field.source),
    load: (batch, whenDone, signal, turn = atOnce) => loadWith(batch, whenDone, false, signal, turn),
    loadAgain: (batch, whenDone, signal) => loadWith(batch, whenDone, true, signal, atOnce),
  }
}

const atOnce = async () => undefined

/** The share of a replica's memory that its statement may use. The rest is for records that it read and has not loaded. */
const statementShare = 3 / 4

function statementSettings(pipe: PipeDocument): string {
  const { replicaCpuMillicores, replicaMemoryGb } = sizeOf(pipe)
  const threads = Math.max(1, Math.floor(replicaCpuMillicores / 1000))
  return [
    'insert_allow_materialized_columns = 1',
    `max_threads = ${threads}`,
    'max_insert_threads = 1',
    `max_memory_usage = ${Math.floor(replicaMemoryGb * 2 ** 30 * statementShare)}`,
    // A batch is read as fast by one thread, with a quarter less work.
    'input_format_parallel_parsing = 0',
    'input_format_skip_unknown_fields = 1',
    'input_format_allow_errors_num = 0',
    'input_format_allow_errors_ratio = 0',
    "date_time_input_format = 'best_effort'",
  ].join(', ')
}
