/**
 * Loads batches of records into the table of a pipe. The offsets that a batch covers are stored in the transaction that
 * completes its load, so a batch whose load was interrupted is read and loaded again, and no other is.
 */
import { destinationTableOf, prepareDestination, type DestinationTable } from '../loads/destinationTable.ts'
import { mappedFields, type MappedField } from '../loads/fieldMapping.ts'
import { LoadStopped } from '../loads/loadStopped.ts'
import { runLoad, type LoadDependencies, type LoadPlan } from '../loads/loads.ts'
import { addToTotals, countBadRecords, countNulls } from '../loads/loadTotals.ts'
import { definitionOf } from '../loads/tableDefinition.ts'
import { sizeOf, type PipeDocument } from '../model/pipeDocument.ts'
import type { Queries } from '../../store/store.ts'
import { separateBadValues, separateMissingValues, separateOtherJson, separateUnreadable } from './badRows.ts'
import { ensureErrorTable, errorTableOf, insertBadRecords, type PlaceTypes, type RecordPlaces } from './errorTable.ts'
import { countedNulls, nullFinder, separateNulls } from './nullValues.ts'
import type { RecordBuffer, RecordPlace } from './recordBuffer.ts'
import { loadedColumns } from '../values/loadedColumns.ts'
import { recordStatements, type Reading } from './recordStatements.ts'
import { isRefusal, separateRefused, trialOf } from './refusedRows.ts'

type WhenDone = (transaction: Queries) => Promise<void>
type Turn = NonNullable<LoadPlan['turn']>

/** Creates the table of the pipe. @param topic the name of the stream, for the error table */
export async function recordLoader(
  parts: LoadDependencies,
  pipe: PipeDocument,
  topic: string,
  pipeWord: string,
  places: RecordPlaces = topicPlaces,
): Promise<RecordLoader> {
  const { engine } = parts
  const definition = definitionOf(pipe)
  const target = destinationTableOf(pipe)
  await prepareDestination(pipe, engine)
  return new RecordLoader(parts, {
    pipe,
    target,
    errorTable: errorTableOf(target, pipeWord),
    topic,
    places,
    placeName: (place) => places.describe(place, topic),
    fields: mappedFields(pipe, await loadedColumns(pipe, engine)),
    nulls: pipe.settings?.['reject_null_values'] === true ? 'bad' : 'counted',
    settings: replicaSettings(pipe),
    keepsRows: pipe.destination?.managedTable === true && definition.engine === 'MergeTree',
  })
}

/** Where records go, and what is known of them. */
interface LoaderPlan {
  pipe: PipeDocument
  target: DestinationTable
  errorTable: DestinationTable
  /** The origin of the records, for the error table. */
  topic: string
  places: PlaceTypes
  /** The readable name of a place. */
  placeName(place: RecordPlace): string
  fields: readonly MappedField[]
  /** Settings of the statements besides those of all. */
  settings: readonly string[]
  /** Whether the table has as many rows of a load as were inserted. Others may have fewer. */
  keepsRows: boolean
  /** The substitute of nulls in columns that have none. Default: nobody looks for them. */
  nulls?: 'counted' | 'bad'
  /** Whether records are known to be JSON. */
  isJson?: boolean
  /** Called before records are written to the error table. If it rejects, nothing of the batch is stored. */
  beforeBad?(): Promise<void>
}

/** Loads records into a table that exists. */
export class RecordLoader {
  /** The names of the fields that become columns. */
  readonly fields: readonly string[]
  readonly #dependencies: LoadDependencies
  readonly #plan: LoaderPlan
  readonly #statements: ReturnType<typeof recordStatements>
  readonly #nullsIn: ReturnType<typeof nullFinder>
  /** How many further batches are parsed record by record, because the checked statement refused one whose values were all good. */
  #batchesToParse = 0
  /** A record that was loaded. */
  #known: Buffer | null = null

  constructor(dependencies: LoadDependencies, plan: LoaderPlan) {
    const { target, fields, settings, nulls } = plan
    this.fields = fields.map((field) => field.source)
    this.#dependencies = dependencies
    this.#plan = plan
    this.#statements = recordStatements(target, fields, [...settings, ...readingSettings].join(', '))
    this.#nullsIn = nullFinder(nulls ? fields : [])
  }

  /**
   * Loads a batch.
   * @param whenDone writes of the transaction that completes the load
   * @param turn resolves once the load may be completed. Default: at once
   * @returns how long the engine worked, in milliseconds
   */
  load(batch: RecordBuffer, whenDone: WhenDone, signal: AbortSignal, turn: Turn = atOnce): Promise<number> {
    return this.#loadWith(batch, { whenDone, again: false, turn, signal })
  }

  /** Loads records that were bad before. They are not counted again, neither as read nor as bad. */
  loadAgain(batch: RecordBuffer, whenDone: WhenDone, signal: AbortSignal): Promise<number> {
    return this.#loadWith(batch, { whenDone, again: true, turn: atOnce, signal })
  }

  async #loadWith(batch: RecordBuffer, work: LoadWork): Promise<number> {
    const begun = performance.now()
    let waitedMs = 0
    const turn = async () => {
      const since = performance.now()
      await work.turn()
      waitedMs += performance.now() - since
    }
    const first = batch.first()
    try {
      const ms = await this.#loadGood(batch, { ...work, turn })
      if (batch.rows > 0) this.#known = withBreak(batch.line(batch.rows - 1))
      return ms ?? performance.now() - begun - waitedMs
    } catch (error) {
      if (work.signal.aborted || !(error instanceof Error) || first === null) throw error
      throw new LoadStopped(this.#plan.placeName(batch.placeOf(first)), error)
    }
  }

  /** @returns how long the engine worked; null if all of the time was work */
  async #loadGood(batch: RecordBuffer, work: LoadWork): Promise<number | null> {
    const { pipe, target, keepsRows, nulls, isJson } = this.#plan
    const { checked, plain, into, types } = this.#statements
    const { engine } = this.#dependencies
    if (nulls === 'bad') separateNulls(batch, this.#nullsIn)
    if (checked && this.#batchesToParse === 0) {
      // Where the number of rows does not tell whether each record became one, every record is parsed.
      if (!isJson) (keepsRows ? separateMissingValues : separateOtherJson)(batch)
      const result = await this.#attempt(batch, checked, work)
      if (typeof result === 'number') return result
    }
    this.#batchesToParse = Math.max(0, this.#batchesToParse - 1)
    const before = batch.badCount
    separateBadValues(batch, types)
    const direct = await this.#attempt(batch, plain, work)
    if (typeof direct === 'number') {
      if (checked && batch.badCount === before && this.#batchesToParse === 0)
        this.#batchesToParse = parsedAfterFalseAlarm
      return null
    }
    await separateUnreadable(batch, plain, engine, work.signal)
    const readable = await this.#attempt(batch, plain, work)
    if (typeof readable === 'number') return null
    const tried = trialOf(
      this.#dependencies,
      { pipeId: pipe.id, target, bytes: 0, statement: into, rowsFrom: plain.rowsFrom },
      plain.structure,
      keepsRows,
      work.signal,
    )
    if (!(await separateRefused(batch, tried, this.#known))) throw readable
    await this.#insert(batch, plain, work)
    return null
  }

  /** @returns the error if records may be its cause */
  async #attempt(batch: RecordBuffer, reading: Reading, work: LoadWork): Promise<number | Error> {
    try {
      return await this.#insert(batch, reading, work)
    } catch (error) {
      if (work.signal.aborted || !isRefusal(error)) throw error
      return error
    }
  }

  async #insert(batch: RecordBuffer, { structure, rowsFrom }: Reading, work: LoadWork): Promise<number> {
    const { pipe, target, keepsRows } = this.#plan
    const { again, turn, signal } = work
    if (batch.badCount > 0) await this.#insertBad(batch)
    const records = {
      readRecords: again ? 0 : batch.readRecords,
      readBytes: again ? 0 : batch.readBytes,
      sentBytes: batch.bytes,
    }
    const bytes = again ? 0 : batch.wireBytes
    const complete = this.#completionOf(batch, work)
    if (batch.rows === 0) {
      await turn()
      await this.#dependencies.store.write(async (transaction) => {
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
      rowsFrom,
      ...(keepsRows && { expectedRows: batch.rows }),
      records,
      statement: this.#statements.into,
      whenDone: complete,
      turn,
    }
    const { engineMs } = await runLoad(this.#dependencies, plan, signal)
    return engineMs
  }

  async #insertBad(batch: RecordBuffer): Promise<void> {
    const { pipe, errorTable, topic, places } = this.#plan
    const { engine } = this.#dependencies
    await this.#plan.beforeBad?.()
    await ensureErrorTable(errorTable, engine, places)
    await insertBadRecords(engine, errorTable, pipe, topic, batch)
  }

  /** The writes of the transaction that completes the load of a batch. */
  #completionOf(batch: RecordBuffer, { whenDone, again }: LoadWork): WhenDone {
    const { id } = this.#plan.pipe
    const nulls = countedNulls(batch, this.#nullsIn)
    return async (transaction) => {
      await countNulls(transaction, id, nulls)
      if (batch.badCount > 0 && !again) await countBadRecords(transaction, id, batch.badCount)
      await whenDone(transaction)
    }
  }
}

interface LoadWork {
  whenDone: WhenDone
  /** Whether the records were counted before. */
  again: boolean
  turn: Turn
  signal: AbortSignal
}

/** Batches that are parsed record by record until the checked statement is tried again. */
const parsedAfterFalseAlarm = 20

/** Places in a topic. */
const topicPlaces: RecordPlaces = {
  partition: 'UInt32',
  offset: 'UInt64',
  describe: ({ partition, offset }, topic) => `offset ${offset} of partition ${partition} of ${topic}`,
}

function withBreak(line: Buffer): Buffer {
  return Buffer.concat([line, Buffer.from('\n')])
}

const atOnce = async () => undefined

/** The share of a replica's memory that its statement may use. The rest is for records that it read and has not loaded. */
const statementShare = 3 / 4

function replicaSettings(pipe: PipeDocument): string[] {
  const { replicaCpuMillicores, replicaMemoryGb } = sizeOf(pipe)
  const threads = Math.max(1, Math.floor(replicaCpuMillicores / 1000))
  return [`max_threads = ${threads}`, `max_memory_usage = ${Math.floor(replicaMemoryGb * 2 ** 30 * statementShare)}`]
}

const readingSettings: readonly string[] = [
  'insert_allow_materialized_columns = 1',
  'max_insert_threads = 1',
  // A batch is read as fast by one thread, with a quarter less work.
  'input_format_parallel_parsing = 0',
  'insert_null_as_default = 1',
  'input_format_skip_unknown_fields = 1',
  'input_format_allow_errors_num = 0',
  'input_format_allow_errors_ratio = 0',
  "date_time_input_format = 'best_effort'",
  "date_time_overflow_behavior = 'throw'",
]
