/**
 * Bad records of loads that were not completed: they are stored before their load is, so a pipe that was killed in between
 * reads them again, and so does one whose offsets were reset. Until then they stay listed, with a note, and are not loaded by
 * request, since the pipe does it. One that is good when it is read again is listed no longer. One that is bad again replaces
 * its row. One that the pipe has passed without reading it, because its stream lost it or somebody moved the offsets beyond
 * it, is an ordinary bad record again.
 */
import type { Queries, Store } from '../../store/store.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import { literal, qualified } from '../loads/sqlNames.ts'
import type { RecordBuffer, RecordPlace } from './recordBuffer.ts'
import { changeRows, hasErrors, streamCondition, type ErrorsOf, type Places } from './streamErrors.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'

const note = '. Its load was not completed, so the pipe reads it again'
/** The condition on rows with the note. */
export const isUnloaded = `endsWith(reason, ${literal(note)})`
/** The reason of a row without the note. */
const withoutNote = `if(${isUnloaded}, substr(reason, 1, length(reason) - ${note.length}), reason)`
const unlistedPrefix = 'unlisted:'
/** So many rows are removed by a statement, whose parameters a cluster gets in an address. */
const rowsAtOnce = 1000

export interface UnloadedDependencies extends ErrorsOf {
  store: Store
  /** A number of the column `offset` that says which record comes first, as an expression. */
  positionSql: string
  /** The number that `positionSql` has for a place. */
  positionOf(offset: RecordPlace['offset']): bigint
}

/** The order of records whose offsets are numbers. */
export const byOffset = {
  positionSql: 'toUInt256(offset)',
  positionOf: (offset: RecordPlace['offset']) => BigInt(offset),
}

export interface UnloadedRecords {
  /**
   * Loads a batch, and removes the records from the list that are good now.
   * @param whenDone writes of the transaction that completes the load
   * @param load loads the batch with further writes
   */
  load(
    batch: RecordBuffer,
    whenDone: (transaction: Queries) => Promise<void>,
    load: (whenDone: (transaction: Queries) => Promise<void>) => Promise<number>,
  ): Promise<number>
}

/**
 * Marks the records that the pipe will read again. Call this before the pipe reads.
 * @param loaded the places up to which the pipe has loaded its stream
 */
export async function markUnloaded(parts: UnloadedDependencies, loaded: Places): Promise<UnloadedRecords> {
  const { store, engine, pipeId, topic, errorTable, positionSql } = parts
  if (!(await hasErrors(parts))) return new MarkedRecords(parts, new Map())
  const prefix = unlistedCursor(topic, '')
  const unlisted = await cursorsOf(pipeId).below(store, prefix)
  for (const rest of unlisted.keys()) await unlist(parts, `${prefix}${rest}`)
  const { condition, params } = loaded
  await changeRows(parts, `UPDATE reason = ${withoutNote}`, { condition: `${isUnloaded} AND (${condition})`, params })
  await changeRows(parts, `UPDATE reason = concat(reason, ${literal(note)})`, {
    condition: `NOT ${isUnloaded} AND NOT (${condition})`,
    params,
  })
  const ends = await engine.query<{ place: string; end: string }>(
    `SELECT toString(partition) AS place, toString(max(${positionSql})) AS end FROM ${qualified(errorTable.database, errorTable.table)}
     WHERE ${streamCondition} AND ${isUnloaded} GROUP BY place`,
    { params: { pipeId, topic } },
  )
  return new MarkedRecords(parts, new Map(ends.map(({ place, end }) => [place, BigInt(end)])))
}

class MarkedRecords implements UnloadedRecords {
  readonly #parts: UnloadedDependencies
  /** Up to which position records of a partition are marked. */
  readonly #ends: ReadonlyMap<string, bigint>
  #loads = 0

  constructor(parts: UnloadedDependencies, ends: ReadonlyMap<string, bigint>) {
    this.#parts = parts
    this.#ends = ends
  }

  async load(
    batch: RecordBuffer,
    whenDone: (transaction: Queries) => Promise<void>,
    load: (whenDone: (transaction: Queries) => Promise<void>) => Promise<number>,
  ): Promise<number> {
    const before = this.#ends.size > 0 ? await this.#markedIn(batch) : new Set<string>()
    if (before.size === 0) return load(whenDone)
    const { pipeId, topic } = this.#parts
    const cursor = unlistedCursor(topic, String(this.#loads++))
    const ms = await load(async (transaction) => {
      await whenDone(transaction)
      // A record that is bad again has been taken out of the batch.
      const good = [...batch.places()].map(({ partition, offset }) => `${partition} ${offset}`)
      const places = good.filter((place) => before.has(place))
      if (places.length > 0) await cursorsOf(pipeId).set(transaction, cursor, places.join('\n'))
    })
    await unlist(this.#parts, cursor)
    return ms
  }

  /** The marked places among those that a batch has rows of. */
  async #markedIn(batch: RecordBuffer): Promise<ReadonlySet<string>> {
    const { engine, pipeId, topic, errorTable, positionSql } = this.#parts
    const name = qualified(errorTable.database, errorTable.table)
    const found = new Set<string>()
    for (const [partition, { first, last }] of this.#rangesOf(batch)) {
      if (first > (this.#ends.get(partition) ?? -1n)) continue
      const rows = await engine.query<{ place: string }>(
        `SELECT DISTINCT concat(toString(partition), ' ', toString(offset)) AS place FROM ${name} WHERE ${streamCondition} AND ${isUnloaded}
           AND toString(partition) = {place:String} AND ${positionSql} BETWEEN toUInt256({first:String}) AND toUInt256({last:String})`,
        { params: { pipeId, topic, place: partition, first: String(first), last: String(last) } },
      )
      for (const { place } of rows) found.add(place)
    }
    return found
  }

  /** The first and the last position of a batch in each partition with marked records. */
  #rangesOf(batch: RecordBuffer): Map<string, { first: bigint; last: bigint }> {
    const ranges = new Map<string, { first: bigint; last: bigint }>()
    for (const { partition, offset } of batch.places()) {
      if (!this.#ends.has(String(partition))) continue
      const position = this.#parts.positionOf(offset)
      const range = ranges.get(String(partition)) ?? { first: position, last: position }
      ranges.set(String(partition), range)
      if (position < range.first) range.first = position
      if (position > range.last) range.last = position
    }
    return ranges
  }
}

/** The cursor with the places that a load has found to be good. */
function unlistedCursor(topic: string, load: string): string {
  return `${unlistedPrefix}${topic}\n${load}`
}

/** Removes the rows of records that a load has found to be good. */
async function unlist(parts: UnloadedDependencies, cursor: string): Promise<void> {
  const { store, pipeId } = parts
  const cursors = cursorsOf(pipeId)
  const places = (await cursors.get(store, cursor))?.split('\n') ?? []
  for (let from = 0; from < places.length; from += rowsAtOnce) {
    await changeRows(parts, 'DELETE', {
      condition: `${isUnloaded} AND concat(toString(partition), ' ', toString(offset)) IN {places:Array(String)}`,
      params: { places: places.slice(from, from + rowsAtOnce) },
    })
  }
  await store.write((transaction) => cursors.remove(transaction, cursor))
}

/** The time since which the stream is another one under the same name. */
const earlierCursor = 'earlierStream'
const earlierNote = '. It was in a topic that was deleted'

/**
 * Notes that the bad records up to now are those of a stream that was deleted, and created again under its name. Their places are
 * those of other records now: they stay listed under a name of their own, so that no record of the new stream is taken for one
 * of them.
 */
export function noteEarlierStream(transaction: Queries, pipeId: string): Promise<void> {
  return cursorsOf(pipeId).set(transaction, earlierCursor, currentIsoTime())
}

/** Gives the bad records of an earlier stream its name, if there was one. Call this before the pipe reads. */
export async function keepEarlierRows(parts: ErrorsOf & { store: Store }): Promise<void> {
  const { store, engine, pipeId, topic, errorTable } = parts
  const cursors = cursorsOf(pipeId)
  const until = await cursors.get(store, earlierCursor)
  if (until === null) return
  if (await hasErrors(parts)) {
    const name = qualified(errorTable.database, errorTable.table)
    const before = { condition: 'at <= {until:String}', params: { until: until.replace('T', ' ').slice(0, -1) } }
    await engine.command(
      `INSERT INTO ${name} SELECT at, pipe_id, pipe_name, {earlier:String} AS topic, partition, offset,
         concat(${withoutNote}, ${literal(earlierNote)}) AS reason, raw, raw_bytes
       FROM (SELECT * FROM ${name} FINAL WHERE ${streamCondition}) WHERE ${before.condition}`,
      { params: { ...before.params, pipeId, topic, earlier: `${topic} (deleted before ${until})` } },
    )
    await changeRows(parts, 'DELETE', before)
  }
  await store.write((transaction) => cursors.remove(transaction, earlierCursor))
}
