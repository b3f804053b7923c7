/**
 * Loads bad records again, once their cause is fixed: they are read from the topic at their offsets. The request and how far
 * it is are in the store, and each load moves them in its transaction, so a kill neither loses nor doubles a row. Records that
 * are bad again, or that the broker no longer has, stay in the table of bad records, with a newer time than the request.
 * Records whose own batch was not loaded when it was asked for are left out: the pipe reads them again if that load fails.
 */
import { z } from 'zod'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import { qualified } from '../loads/sqlNames.ts'
import type { DestinationTable } from '../loads/destinationTable.ts'
import type { LoadEngine } from '../loads/loads.ts'
import { countResent } from '../loads/loadTotals.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import { RecordBuffer } from '../records/recordBuffer.ts'
import type { RecordLoader } from '../records/recordLoad.ts'
import type { Store } from '../../store/store.ts'
import { byLeader, problemOf, type Cluster, type Topic } from './cluster.ts'
import type { BatchLimits } from './kafkaSettings.ts'
import { wholeBatchReason, type ReadPartition, type Wanted } from './readPartition.ts'
import { loadedOffsets } from './storedOffsets.ts'

const prefix = 'resend:'
const requestCursor = `${prefix}request`
const placeCursor = `${prefix}place`
const endsCursor = `${prefix}ends`
const recordsAtOnce = 1000
/** How often a request is looked for. */
const checkMs = 1000
const fetchWaitMs = 1000
const offsetOutOfRange = 1

/**
 * Notes that the bad records up to now are to be loaded again. The pipe does it while it runs.
 * @returns the time of the request, or of the one that is not carried out yet
 */
export function requestResend(store: Store, pipeId: string): Promise<string> {
  return store.write(async (transaction) => {
    const cursors = cursorsOf(pipeId)
    const earlier = await cursors.get(transaction, requestCursor)
    if (earlier !== null) return earlier
    const at = currentIsoTime()
    await cursors.set(transaction, requestCursor, at)
    const ends = await loadedOffsets(transaction, pipeId)
    await cursors.set(transaction, endsCursor, JSON.stringify([...ends]))
    return at
  })
}

const storedEnds = z.array(z.tuple([z.int(), z.int()]))

/** The rows that a request covers: older than it, of batches that were loaded then. */
const covered = `pipe_id = {pipeId:String} AND topic = {topic:String} AND at <= {at:String}
  AND offset < transform(toUInt64(partition), {partitions:Array(UInt64)}, {ends:Array(UInt64)}, toUInt64(0))
  AND NOT startsWith(reason, '${wholeBatchReason}')`

interface ResendParts {
  store: Store
  engine: LoadEngine
  pipeId: string
  cluster: Cluster
  topic: Topic
  errorTable: DestinationTable
  loader: RecordLoader
  limits: BatchLimits
  readPartition: ReadPartition
}

interface StoredRecord {
  partition: number
  offset: string
  reason: string
  raw: string
  raw_bytes: string
}

/** Carries out requests until the signal fires. */
export async function keepResending(
  signal: AbortSignal,
  store: Store,
  pipeId: string,
  partsOf: () => Promise<ResendParts>,
): Promise<void> {
  while (!signal.aborted) {
    const requested = await cursorsOf(pipeId).get(store, requestCursor)
    if (requested !== null) await resendBadRecords(await partsOf(), requested, signal)
    await abortableSleep(checkMs, signal)
  }
}

async function resendBadRecords(parts: ResendParts, requested: string, signal: AbortSignal): Promise<void> {
  const { store, engine, pipeId, topic, errorTable, loader } = parts
  const cursors = cursorsOf(pipeId)
  const { database, table } = errorTable
  const [known] = await engine.query(
    'SELECT 1 FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { params: { database, table }, signal },
  )
  const ends = storedEnds.parse(JSON.parse((await cursors.get(store, endsCursor)) ?? '[]'))
  const params = {
    pipeId,
    topic: topic.name,
    at: requested.replace('T', ' ').slice(0, -1),
    partitions: ends.map(([partition]) => partition),
    ends: ends.map(([, end]) => end),
  }
  const isAny = known !== undefined && ends.length > 0
  for (let hasMore = isAny; hasMore;) {
    const [partition = '0', offset = '-1'] = ((await cursors.get(store, placeCursor)) ?? '0:-1').split(':')
    const place = { ...params, partition, offset }
    const records = await engine.query<StoredRecord>(
      `SELECT partition, offset, reason, raw, raw_bytes FROM (
         SELECT * FROM ${qualified(database, table)} FINAL WHERE pipe_id = {pipeId:String} AND topic = {topic:String})
       WHERE ${covered} AND (partition, toInt64(offset)) > ({partition:UInt32}, {offset:Int64})
       ORDER BY partition, offset LIMIT ${recordsAtOnce}`,
      { params: place, signal },
    )
    hasMore = records.length > 0
    if (!hasMore) break
    const { batch, last } = await readAgain(parts, records, signal)
    await loader.loadAgain(
      batch,
      async (transaction) => {
        await countResent(transaction, pipeId, batch.rows)
        await cursors.set(transaction, placeCursor, last)
      },
      signal,
    )
  }
  // What is bad again has a newer row.
  if (isAny) {
    await engine.command(
      `ALTER TABLE ${qualified(database, table)} DELETE WHERE ${covered} SETTINGS mutations_sync = 2`,
      { params },
    )
  }
  await store.write((transaction) => cursors.removeBelow(transaction, prefix))
}

/** Reads the values of records from the topic. @returns the place of the last one */
async function readAgain(
  { cluster, topic, limits, readPartition }: ResendParts,
  records: readonly StoredRecord[],
  signal: AbortSignal,
): Promise<{ batch: RecordBuffer; last: string }> {
  const batch = new RecordBuffer()
  let last = ''
  /** Up to which offset a partition was read. */
  const readTo = new Map<number, number>()
  for (const [at, record] of records.entries()) {
    signal.throwIfAborted()
    const { partition } = record
    const offset = Number(record.offset)
    if (offset >= (readTo.get(partition) ?? 0)) {
      const same = records.slice(at).filter((one) => one.partition === partition)
      const wanted = new Set(same.map((one) => Number(one.offset)))
      const found = new Set<number>()
      const next = await readFrom(partition, offset, {
        has: (one) => wanted.has(one) && found.add(one).has(one),
      })
      for (const one of same) {
        if (Number(one.offset) < next && !found.has(Number(one.offset))) addLost(batch, one)
      }
      readTo.set(partition, next)
    }
    last = `${partition}:${offset}`
    if (batch.capacity < limits.bytes) continue
    // What was read beyond this record is in the batch as well.
    const beyond = records.slice(at).findLast((one) => {
      return one.partition === partition && Number(one.offset) < (readTo.get(partition) ?? 0)
    })
    return { batch, last: beyond ? `${beyond.partition}:${beyond.offset}` : last }
  }
  return { batch, last }

  /** Adds the wanted records of one response. @returns the offset up to which it was read */
  async function readFrom(partition: number, offset: number, wanted: Wanted): Promise<number> {
    const [leader] = byLeader(topic, [partition]).keys()
    if (!leader) throw problemOf(5, `partition ${partition} of ${topic.name}`)
    const request = { topic, leader, positions: [{ partition, offset }], maxWaitMs: fetchWaitMs }
    const [fetched] = await cluster.fetch({ ...request, maxBytes: limits.fetchBytes }, 'resend')
    let next = offset + 1
    if (!fetched || fetched.errorCode === offsetOutOfRange) return next
    if (fetched.errorCode !== 0) throw problemOf(fetched.errorCode, `partition ${partition} of ${topic.name}`)
    for (const step of readPartition(fetched, offset, wanted)) {
      await step.prepare?.()
      next = step.into(batch)
      if (batch.capacity >= limits.bytes) break
    }
    return next
  }
}

/** A record that cannot be read again, such as one that the broker deleted, stays as the table has it. */
function addLost(batch: RecordBuffer, { partition, offset, reason, raw, raw_bytes }: StoredRecord): void {
  const lost = '. It cannot be read from the topic again'
  batch.addBad({
    partition,
    offset: Number(offset),
    reason: reason.endsWith(lost) ? reason : reason + lost,
    raw: Buffer.from(raw),
    rawBytes: Number(raw_bytes),
  })
}
