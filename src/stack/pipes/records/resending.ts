/**
 * Loads bad records of a stream again, once their cause is fixed: they are read from the stream at their places. The request
 * and how far it is are in the store, and each load moves them in its transaction, so a kill neither loses nor doubles a row.
 * Records that are bad again, or that the stream no longer has, stay in the table of bad records, with a newer time than the
 * request. Records whose own batch was not loaded when it was asked for are left out, and so are those that the pipe reads
 * again by itself (`unloadedRecords.ts`).
 */
import { currentIsoTime } from '#node/clock/wallClock.ts'
import type { Queries, Store } from '../../store/store.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import { countResent } from '../loads/loadTotals.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import { qualified } from '../loads/sqlNames.ts'
import { mutateRows } from '../../telemetry/engine/storedRows.ts'
import type { BadRecord, RecordBuffer } from './recordBuffer.ts'
import type { RecordLoader } from './recordLoad.ts'
import { hasErrors, streamCondition, type ErrorsOf, type Params, type Places } from './streamErrors.ts'
import { isUnloaded } from './unloadedRecords.ts'

const prefix = 'resend:'
const requestCursor = `${prefix}request`
const placeCursor = `${prefix}place`
const endsCursor = `${prefix}ends`
/** How often a request is looked for. */
const checkMs = 1000

/**
 * Notes that the bad records up to now are to be loaded again. The pipe does it while it runs.
 * @param endsOf a text of how far the pipe has loaded its stream
 * @returns the time of the request, or of the one that is not carried out yet
 */
export function requestResend(
  store: Store,
  pipeId: string,
  endsOf: (transaction: Queries) => Promise<string>,
): Promise<string> {
  return store.write(async (transaction) => {
    const cursors = cursorsOf(pipeId)
    const earlier = await cursors.get(transaction, requestCursor)
    if (earlier !== null) return earlier
    const at = currentIsoTime()
    await cursors.set(transaction, requestCursor, at)
    await cursors.set(transaction, endsCursor, await endsOf(transaction))
    return at
  })
}

export interface ResendDependencies extends ErrorsOf {
  store: Store
  loader: RecordLoader
}

/** How the bad records of a kind of stream are found and read again. */
export interface ResendSource<Row> {
  /** @param ends as the request stored them */
  loaded(ends: string): Places
  /** A condition on those that can be read again, if it is not all. */
  readable?: string
  /**
   * The next rows after a place.
   * @param rows a table of those that the request covers
   * @param place as `readAgain` returned it; null for the beginning
   */
  next(rows: string, place: string | null): { sql: string; params: Params }
  /** Reads records from the stream. @returns the place of the last one */
  readAgain(rows: readonly Row[], signal: AbortSignal): Promise<{ batch: RecordBuffer; last: string }>
}

/** Carries out requests until the signal fires. */
export async function keepResending<Row>(
  signal: AbortSignal,
  store: Store,
  pipeId: string,
  partsOf: () => Promise<ResendDependencies & { source: ResendSource<Row> }>,
): Promise<void> {
  while (!signal.aborted) {
    const requested = await cursorsOf(pipeId).get(store, requestCursor)
    if (requested !== null) {
      const { source, ...parts } = await partsOf()
      await resendBadRecords(parts, source, requested, signal)
    }
    await abortableSleep(checkMs, signal)
  }
}

async function resendBadRecords<Row>(
  parts: ResendDependencies,
  source: ResendSource<Row>,
  requested: string,
  signal: AbortSignal,
): Promise<void> {
  const { store, engine, pipeId, topic, errorTable, loader } = parts
  const cursors = cursorsOf(pipeId)
  const ends = await cursors.get(store, endsCursor)
  if (ends !== null && (await hasErrors(parts))) {
    const loaded = source.loaded(ends)
    const covered = `${streamCondition} AND at <= {at:String} AND NOT ${isUnloaded} AND ${loaded.condition} AND ${source.readable ?? '1'}`
    const params = { ...loaded.params, pipeId, topic, at: requested.replace('T', ' ').slice(0, -1) }
    const name = qualified(errorTable.database, errorTable.table)
    const rows = `(SELECT * FROM (SELECT * FROM ${name} FINAL WHERE ${streamCondition}) WHERE ${covered})`
    for (;;) {
      const next = source.next(rows, await cursors.get(store, placeCursor))
      const records = await engine.query<Row>(next.sql, { params: { ...params, ...next.params }, signal })
      if (records.length === 0) break
      const { batch, last } = await source.readAgain(records, signal)
      await loader.loadAgain(
        batch,
        async (transaction) => {
          await countResent(transaction, pipeId, batch.rows)
          await cursors.set(transaction, placeCursor, last)
        },
        signal,
      )
    }
    // Records that are bad again have a newer row, which stays.
    await mutateRows(engine, errorTable, 'DELETE', covered, params)
  }
  await store.write((transaction) => cursors.removeBelow(transaction, prefix))
}

/** A record of the table of bad records, as far as it is stored. */
export interface StoredBadRecord {
  reason: string
  raw: string
  raw_bytes: string
}

/** A record that cannot be read again, such as one that its stream no longer has, stays as the table has it. */
export function lostRecord(
  { reason, raw, raw_bytes }: StoredBadRecord,
  place: Pick<BadRecord, 'partition' | 'offset'>,
  stream: 'topic' | 'stream',
): BadRecord {
  const lost = `. It cannot be read from the ${stream} again`
  return {
    ...place,
    reason: reason.endsWith(lost) ? reason : reason + lost,
    raw: Buffer.from(raw),
    rawBytes: Number(raw_bytes),
  }
}
