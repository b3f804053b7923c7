/** Reads bad records of a topic again, at their offsets: see `records/resending.ts`. */
import { z } from 'zod'
import { RecordBuffer } from '../records/recordBuffer.ts'
import { lostRecord, type ResendSource, type StoredBadRecord } from '../records/resending.ts'
import type { Places } from '../records/streamErrors.ts'
import { byLeader, problemOf, type Cluster, type Topic } from './cluster.ts'
import type { BatchLimits } from './kafkaSettings.ts'
import { wholeBatchReason, type ReadPartition, type Wanted } from './readPartition.ts'

const recordsAtOnce = 1000
const fetchWaitMs = 1000
const offsetOutOfRange = 1

const storedEnds = z.array(z.tuple([z.int(), z.int()]))

/** How far a pipe has loaded its topic, as a request stores it. */
export const endsText = (offsets: ReadonlyMap<number, number>): string => JSON.stringify([...offsets])

/** The places that were loaded. @param offsets the next one of each partition */
export function loadedPlaces(offsets: Iterable<readonly [partition: number, offset: number]>): Places {
  const ends = [...offsets]
  if (ends.length === 0) return { condition: '0', params: {} }
  return {
    condition: 'offset < transform(toUInt64(partition), {partitions:Array(UInt64)}, {ends:Array(UInt64)}, toUInt64(0))',
    params: { partitions: ends.map(([partition]) => partition), ends: ends.map(([, end]) => end) },
  }
}

interface TopicDependencies {
  cluster: Cluster
  topic: Topic
  limits: BatchLimits
  readPartition: ReadPartition
}

interface StoredRecord extends StoredBadRecord {
  partition: number
  offset: string
}

export function topicResend(parts: TopicDependencies): ResendSource<StoredRecord> {
  return {
    loaded: (text) => loadedPlaces(storedEnds.parse(JSON.parse(text))),
    readable: `NOT startsWith(reason, '${wholeBatchReason}')`,
    next(rows, place) {
      const [partition = '0', offset = '-1'] = (place ?? '0:-1').split(':')
      return {
        sql: `SELECT partition, offset, reason, raw, raw_bytes FROM ${rows}
          WHERE (partition, toInt64(offset)) > ({partition:UInt32}, {offset:Int64})
          ORDER BY partition, offset LIMIT ${recordsAtOnce}`,
        params: { partition, offset },
      }
    },
    readAgain: (records, signal) => readAgain(parts, records, signal),
  }
}

/** Reads the values of records from the topic. @returns the place of the last one */
async function readAgain(
  { cluster, topic, limits, readPartition }: TopicDependencies,
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
      const same = records.slice(at).filter((storedRecord) => storedRecord.partition === partition)
      const wanted = new Set(same.map((storedRecord) => Number(storedRecord.offset)))
      const found = new Set<number>()
      const next = await readFrom(partition, offset, {
        has: (offset) => wanted.has(offset) && found.add(offset).has(offset),
      })
      for (const storedRecord of same) {
        const place = { partition, offset: Number(storedRecord.offset) }
        if (place.offset < next && !found.has(place.offset)) batch.addBad(lostRecord(storedRecord, place, 'topic'))
      }
      readTo.set(partition, next)
    }
    last = `${partition}:${offset}`
    if (batch.capacity < limits.bytes) continue
    // Records read beyond this one is in the batch as well.
    const beyond = records.slice(at).findLast((record) => {
      return record.partition === partition && Number(record.offset) < (readTo.get(partition) ?? 0)
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
