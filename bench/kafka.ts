/** Kafka pipes beside the engine's own insert of the same rows. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import avsc from 'avsc'
import protobuf from 'protobufjs'
import { kafkaClients, type TestKafka } from '../src/stack/testing/kafka/kafkaClients.ts'
import { startKafka } from '../src/stack/testing/kafka/kafkaProcess.ts'
import { pipeDatabase, startPipeProcess } from '../src/stack/testing/pipeProcess.ts'
import { intoEvents } from '../src/stack/testing/managedClient.ts'
import { fillTopic, sourceOf } from '../src/stack/testing/kafka/topics.ts'
import { thousands, times, type Row } from './support/measure.ts'

/** Records of a burst, for the time until there is no lag. */
const burst = 1_000_000
/**
 * Records for the throughput, which is measured once as many as the burst are loaded: so many that the engine merges the
 * parts of its own insert during it, too.
 */
const stream = 12_000_000
/** Records of each format. */
const formatCount = 400_000
const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'service', type: 'LowCardinality(String)' },
  { name: 'text', type: 'String' },
]
const record = (id: number) => ({
  id,
  service: `checkout-${id % 17}`,
  text: `user ${id * 7919} paid order ${id * 31} in the shop`,
})
const value = (id: number) => Buffer.from(JSON.stringify(record(id)))

const avroSchema = JSON.stringify({
  type: 'record',
  name: 'Event',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'service', type: 'string' },
    { name: 'text', type: 'string' },
  ],
})
const protobufSchema = 'syntax = "proto3"; message Event { uint64 id = 1; string service = 2; string text = 3; }'
const avroType = avsc.Type.forSchema(JSON.parse(avroSchema) as avsc.Schema)
const protobufType = protobuf.parse(protobufSchema).root.lookupType('Event')

/** Equal records in each format, with the number of their schema in front where there is one. */
const formats = {
  JSONEachRow: value,
  AvroConfluent: (id: number) => Buffer.concat([Buffer.from([0, 0, 0, 0, 1]), avroType.toBuffer(record(id))]),
  // The last zero is the first message of the file.
  Protobuf: (id: number) => Buffer.concat([Buffer.from([0, 0, 0, 0, 2, 0]), protobufType.encode(record(id)).finish()]),
} as const
type Format = keyof typeof formats

export async function kafka(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-kafka-'))
  const server = await startKafka(folder)
  const clients = kafkaClients(() => server)
  const rows: Row[] = []
  try {
    await fillTopic(clients, { topic: 'burst', records: burst, value })
    await fillTopic(clients, { topic: 'stream', records: stream, value })
    for (const replicas of [1, 2, 4]) {
      // Before each, so that a slow machine affects both.
      const own = stream / (await engineInsert(folder, stream))
      const { perMs } = await pipeLoad(server.brokers, { topic: 'stream', records: stream, replicas, after: burst })
      const { ms } = await pipeLoad(server.brokers, { topic: 'burst', records: burst, replicas })
      rows.push({
        what: `Kafka pipe, ${replicas} replicas of 2 cores, beside the engine's insert of the same rows`,
        result: `${thousands(perMs * 1000)} / ${thousands(own * 1000)} records/s = ${times(perMs / own)}; no lag ${(ms / 1000).toFixed(1)} s after a burst of 1 M`,
        aim: 'at least 0.5×',
      })
    }
    rows.push(...(await ofFormats(clients)))
    return rows
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Avro and Protobuf beside JSON: the same records, each twice in turn. */
async function ofFormats(clients: TestKafka): Promise<Row[]> {
  const schemas = [{ schema: avroSchema }, { schemaType: 'PROTOBUF', schema: protobufSchema }]
  const registry = createServer((request, response) =>
    response.end(JSON.stringify(schemas[Number(/\d+$/.exec(request.url ?? '')?.[0]) - 1])),
  )
  await new Promise<void>((ready) => registry.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  try {
    const names = Object.keys(formats) as Format[] // of the constant above
    const best = new Map<Format, number>()
    for (const format of names) {
      await fillTopic(clients, { topic: format, records: formatCount, value: formats[format] })
    }
    for (const format of [...names, ...names]) {
      const load = { topic: format, records: formatCount, replicas: 1, format, registry: url }
      const { perMs } = await pipeLoad(clients.server.brokers, load)
      best.set(format, Math.max(perMs, best.get(format) ?? 0))
    }
    const json = best.get('JSONEachRow') ?? 0
    return names.slice(1).map((format) => {
      const own = best.get(format) ?? 0
      return {
        what: `Kafka pipe, 1 replica of 2 cores, 400 k records as ${format} with a schema registry, beside JSONEachRow; better of two`,
        result: `${thousands(own * 1000)} / ${thousands(json * 1000)} records/s = ${times(own / json)}`,
        aim: 'at least 0.5×',
      }
    })
  } finally {
    registry.close()
  }
}

const definition = columns.map(({ name, type }) => `${name} ${type}`).join(', ')

/** Inserts as many rows as the pipe loads, in equal batches, without a pipe. @returns milliseconds */
async function engineInsert(folder: string, count: number): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-kafka-engine-'))
  const pipes = await startPipeProcess(dataDir, folder)
  // A file of its own: an insert into one that is there adds to it.
  const file = join(dataDir, 'rows.jsonl')
  try {
    await pipes.command(
      `INSERT INTO FUNCTION file('${file}', 'JSONEachRow') SELECT number AS id, concat('checkout-', toString(number % 17)) AS service,
       concat('user ', toString(number * 7919), ' paid order ', toString(number * 31), ' in the shop') AS text FROM numbers(${count})`,
    )
    await pipes.command(`CREATE DATABASE own`)
    await pipes.command(
      `CREATE TABLE own.events (${definition}) ENGINE = MergeTree ORDER BY id SETTINGS fsync_after_insert = 1`,
    )
    const begun = performance.now()
    await pipes.command(
      `INSERT INTO own.events SELECT * FROM file('${file}', 'JSONEachRow', '${definition}')
       SETTINGS min_insert_block_size_rows = 100000, max_block_size = 100000, max_threads = 2, max_insert_threads = 1`,
    )
    return performance.now() - begun
  } finally {
    await pipes.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface PipeLoad {
  topic: string
  /** How many the topic has. */
  records: number
  replicas: number
  /** How many are loaded before the throughput is measured. Default: those of the first load. */
  after?: number
  format?: Format
  /** The URL of the schema registry. */
  registry?: string
}

/**
 * @returns records per millisecond from `after` to the last load, and the milliseconds from the creation of the pipe, which
 * include the creation of its table and joining its group
 */
async function pipeLoad(
  brokers: string,
  { topic, records, replicas, after = 1, format = 'JSONEachRow', registry }: PipeLoad,
): Promise<{ perMs: number; ms: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-kafka-pipe-'))
  const pipes = await startPipeProcess(dataDir, dataDir)
  try {
    await pipes.create({
      name: 'Bench',
      source: {
        kafka: {
          ...sourceOf(brokers, topic),
          format,
          ...(registry !== undefined && format !== 'JSONEachRow' && { schemaRegistry: { url: registry } }),
        },
      },
      ...intoEvents(columns),
      settings: { streaming_max_insert_wait_ms: 500 },
      scaling: { replicas, replicaCpuMillicores: 2000, replicaMemoryGb: 2 },
    })
    const begun = performance.now()
    let first: { at: number; loaded: number } | undefined
    for (;;) {
      const loaded = (await pipes.position()).partitions.reduce((sum, { offset }) => sum + offset, 0)
      const at = performance.now()
      if (loaded >= after) first ??= { at, loaded }
      if (first && loaded >= records) {
        const [found] = await pipes.query<{ rows: string }>(`SELECT count() AS rows FROM ${pipeDatabase}.events`)
        if (Number(found?.rows) !== records) throw new Error(`the table has ${found?.rows} rows`)
        return { perMs: (loaded - first.loaded) / (at - first.at), ms: at - begun }
      }
      await wait(50)
    }
  } finally {
    await pipes.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}
