/** The memory of a replica while its loads are slow, whatever it reads: within the limits of its size. */
import { createRecordsBatch, type Broker } from '@platformatic/kafka'
import { Type } from 'avsc'
import { expect, test } from 'vitest'
import { avroDecoder } from '../schemas/avroDecoder.ts'
import type { FramedValues } from '../schemas/framedValues.ts'
import { cpuBudget } from '../records/cpuBudget.ts'
import type { RecordBuffer } from '../records/recordBuffer.ts'
import type { Cluster, Topic } from './cluster.ts'
import type { BatchLimits } from './kafkaSettings.ts'
import { partitionProgress } from './partitionProgress.ts'
import { partitionReader } from './readPartition.ts'
import { runReplica, type ReplicaOptions } from './replica.ts'
import { responseBuffers } from './responseFrames.ts'

const kilobyte = 1024
const limits: BatchLimits = {
  rows: 10_000,
  bytes: 256 * kilobyte,
  waitMs: 300,
  recordBytes: 128 * kilobyte,
  fetchBytes: 128 * kilobyte,
  unpackedBytes: 256 * kilobyte,
}
/** A batch that is loaded, one that is read, what they are parts of, and the numbers of the rows. */
const bound = 2 * (limits.bytes + limits.unpackedBytes) + limits.fetchBytes + 1024 * kilobyte

const leader: Broker = { host: 'broker', port: 9092 }
const topic: Topic = { name: 't', id: '1', leaders: [leader] }

/** Record batches of a partition, one after the other. */
function partitionOf(values: readonly Buffer[], atOnce: number, compression: 'none' | 'gzip'): Buffer[] {
  const batches: Buffer[] = []
  for (let from = 0; from < values.length; from += atOnce) {
    const messages = values.slice(from, from + atOnce).map((value) => ({ topic: 't', value, timestamp: 1n }))
    const batch = Buffer.from(createRecordsBatch(messages, { compression }).buffer)
    batch.writeBigInt64BE(BigInt(from), 0)
    batches.push(batch)
  }
  return batches
}

/** A cluster with one partition, whose responses are as large as was asked for. */
function clusterWith(batches: readonly Buffer[], atOnce: number): Pick<Cluster, 'fetch' | 'endOf'> {
  return {
    fetch: async ({ positions: [position], maxBytes }) => {
      await new Promise(setImmediate)
      const found: Buffer[] = []
      let bytes = 0
      for (const batch of batches.slice(Math.floor((position?.offset ?? 0) / atOnce))) {
        if (found.length > 0 && bytes + batch.length > maxBytes) break
        bytes += batch.length
        found.push(batch)
      }
      const end = batches.length * atOnce
      const offsets = { highWatermark: end, lastStableOffset: end, logStartOffset: 0 }
      return [{ partition: 0, errorCode: 0, ...offsets, aborted: [], records: Buffer.concat(found) }]
    },
    endOf: ({ highWatermark }) => highWatermark,
  }
}

const padded = (id: number, bytes: number) => Buffer.from(JSON.stringify({ id, text: 'x'.repeat(bytes) }))
const count = 400
const schema = {
  type: 'record',
  name: 'R',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'state', type: { type: 'enum', name: 'E', symbols: ['OPEN', 'LONG'.repeat(2000)] } },
  ],
} as const
const encode = Type.forSchema(structuredClone(schema) as unknown as Parameters<typeof Type.forSchema>[0])
const decode = avroDecoder(JSON.stringify(schema))
const avro: FramedValues = { prepare: async () => undefined, toJson: (value, maxLength) => decode(value, maxLength) }

test.each<[string, Buffer[], number, 'none' | 'gzip', FramedValues | null, number]>([
  ['large records', rows((id) => padded(id, 60 * kilobyte)), 1, 'none', null, count],
  ['records that are small when compressed', rows((id) => padded(id, 10 * kilobyte)), 20, 'gzip', null, count],
  ['a batch that is too large when decompressed', rows((id) => padded(id, 60 * kilobyte)), 20, 'gzip', null, 0],
  [
    'Avro with symbols that are long as text',
    rows((id) => encode.toBuffer({ id, state: schema.fields[1].type.symbols[1] })),
    count,
    'none',
    avro,
    count,
  ],
  ['large values that are not JSON', rows(() => Buffer.alloc(60 * kilobyte, 'x')), 1, 'none', null, 0],
  ['values that are too large', rows((id) => padded(id, 200 * kilobyte)), 1, 'none', null, 0],
])('%s', async (_, values, atOnce, compression, decoder, expected) => {
  const stop = new AbortController()
  let most = 0
  const ids = new Set<number>()
  let [loadedRows, bad] = [0, 0]
  await runReplica(
    replicaOf(partitionOf(values, atOnce, compression), atOnce, {
      readPartition: partitionReader('t', ['id'], { limits, keepsTombstones: false }, decoder),
      load: async (batch, _signal, turn) => {
        // Until the replica waits for this load.
        for (let turns = 0; turns < 30; turns++) await new Promise(setImmediate)
        for (const id of idsOf(batch)) ids.add(id)
        loadedRows += batch.rows
        bad += batch.badCount
        await turn()
        if (batch.ranges.get(0)?.to === count) stop.abort()
        return 0
      },
      worked: (_ms, heldBytes) => (most = Math.max(most, heldBytes)),
    }),
    stop.signal,
  )
  expect([loadedRows, bad, ids.size]).toEqual([expected, count - expected, expected])
  expect(most).toBeLessThan(bound)
  expect(most).toBeGreaterThan(limits.bytes / 4)
})

/** Loads of 20 small records each, of which several are in progress. */
const small = { ...limits, rows: 20 }
const smallBatches = partitionOf(
  rows((id) => padded(id, 20)),
  20,
  'none',
)

test('small loads overlap, and are completed in order', async () => {
  const stop = new AbortController()
  const completed: number[] = []
  let [running, most] = [0, 0]
  await runReplica(
    replicaOf(smallBatches, 20, {
      limits: small,
      readPartition: partitionReader('t', ['id'], { limits: small, keepsTombstones: false }, null),
      load: async (batch, _signal, turn) => {
        most = Math.max(most, ++running)
        const [first = 0] = idsOf(batch)
        // Every second one is slower than the one after it.
        for (let turns = 0; turns < (first % 40 === 0 ? 60 : 10); turns++) await new Promise(setImmediate)
        await turn()
        running--
        completed.push(...idsOf(batch))
        if (batch.ranges.get(0)?.to === count) stop.abort()
        return 0
      },
    }),
    stop.signal,
  )
  expect(completed).toEqual(Array.from({ length: count }, (_, id) => id))
  expect(most).toBe(2)
})

test('a load that fails leaves those after it incomplete, and those before it complete', async () => {
  const completed: number[] = []
  const running = runReplica(
    replicaOf(smallBatches, 20, {
      limits: small,
      readPartition: partitionReader('t', ['id'], { limits: small, keepsTombstones: false }, null),
      load: async (batch, _signal, turn) => {
        const [first = 0] = idsOf(batch)
        if (first === 100) throw new Error('the engine is gone')
        // The one before the failing one is still in progress then.
        for (let turns = 0; turns < (first === 80 ? 60 : 1); turns++) await new Promise(setImmediate)
        await turn()
        completed.push(...idsOf(batch))
        return 0
      },
    }),
    new AbortController().signal,
  )
  await expect(running).rejects.toThrow('the engine is gone')
  expect(completed).toEqual(Array.from({ length: 100 }, (_, id) => id))
})

function replicaOf(
  batches: readonly Buffer[],
  atOnce: number,
  parts: Pick<ReplicaOptions, 'load' | 'readPartition'> & Partial<ReplicaOptions>,
): ReplicaOptions {
  return {
    number: 0,
    cluster: clusterWith(batches, atOnce),
    buffers: responseBuffers(limits.fetchBytes),
    topic: async () => topic,
    member: {
      assignment: () => ({ generation: 1, partitions: [0] }),
      commit: async () => undefined,
    },
    progress: partitionProgress(new Map([[0, 0]])),
    budget: cpuBudget(2000),
    limits,
    outOfRange: async () => undefined,
    healthy: () => undefined,
    worked: () => undefined,
    ...parts,
  }
}

function idsOf(batch: RecordBuffer): number[] {
  const lines = Buffer.concat(batch.lines()).toString('latin1').split('\n')
  return lines.filter((line) => line !== '').map((line) => (JSON.parse(line) as { id: number }).id) // written above
}

function rows(value: (id: number) => Buffer): Buffer[] {
  return Array.from({ length: count }, (_, id) => value(id))
}
