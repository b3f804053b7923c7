/** Kafka pipes beside the engine's own insert of the same rows. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { kafkaClients } from '../src/stack/testing/kafka/kafkaClients.ts'
import { startKafka } from '../src/stack/testing/kafka/kafkaProcess.ts'
import { pipeDatabase, startPipeProcess } from '../src/stack/testing/pipeProcess.ts'
import { thousands, times, type Row } from './measure.ts'

const count = 1_000_000
const partitions = 12
const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'service', type: 'LowCardinality(String)' },
  { name: 'text', type: 'String' },
]
const value = (id: number) =>
  `{"id":${id},"service":"checkout-${id % 17}","text":"user ${id * 7919} paid order ${id * 31} in the shop"}`

export async function kafka(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-kafka-'))
  const server = await startKafka(folder)
  const clients = kafkaClients(() => server)
  const rows: Row[] = []
  try {
    await clients.createTopic('burst', partitions)
    for (let from = 0; from < count; from += 100_000) {
      const records = Array.from({ length: 100_000 }, (_, at) => ({
        partition: at % partitions,
        value: value(from + at),
      }))
      await clients.produce('burst', records)
    }
    for (const replicas of [1, 2, 4]) {
      // Before each, so that a slow machine affects both.
      const own = count / (await engineInsert(folder))
      const { perMs, ms } = await pipeLoad(server.brokers, replicas)
      rows.push({
        what: `Kafka pipe, burst of 1 M records, ${replicas} replicas of 2 cores, beside the engine's insert of the same rows`,
        result: `${thousands(perMs * 1000)} / ${thousands(own * 1000)} records/s = ${times(perMs / own)}; no lag after ${(ms / 1000).toFixed(1)} s`,
        aim: 'at least 0.5×',
      })
    }
    return rows
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const definition = columns.map(({ name, type }) => `${name} ${type}`).join(', ')

/** The same rows into the same table, in batches of the same size. @returns milliseconds */
async function engineInsert(folder: string): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-kafka-engine-'))
  const pipes = await startPipeProcess(dataDir, folder)
  const file = join(folder, 'rows.jsonl')
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

/**
 * @returns records per millisecond from the first load to the last, and the milliseconds from the creation of the pipe, which
 * include the creation of its table and joining its group
 */
async function pipeLoad(brokers: string, replicas: number): Promise<{ perMs: number; ms: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-kafka-pipe-'))
  const pipes = await startPipeProcess(dataDir, dataDir)
  try {
    await pipes.create({
      name: 'Bench',
      source: {
        kafka: {
          type: 'kafka',
          format: 'JSONEachRow',
          brokers,
          topics: 'burst',
          authentication: 'PLAIN',
          consumerGroup: randomUUID(),
        },
      },
      destination: {
        database: 'default',
        table: 'events',
        managedTable: true,
        tableDefinition: { engine: { type: 'MergeTree' }, sortingKey: ['id'] },
        columns,
      },
      fieldMappings: columns.map(({ name }) => ({ sourceField: name, destinationField: name })),
      settings: { streaming_max_insert_wait_ms: 500 },
      scaling: { replicas, replicaCpuMillicores: 2000, replicaMemoryGb: 2 },
    })
    const begun = performance.now()
    let first: { at: number; loaded: number } | undefined
    for (;;) {
      const loaded = (await pipes.position()).partitions.reduce((sum, { offset }) => sum + offset, 0)
      const at = performance.now()
      if (loaded > 0) first ??= { at, loaded }
      if (first && loaded >= count) {
        const [found] = await pipes.query<{ rows: string }>(`SELECT count() AS rows FROM ${pipeDatabase}.events`)
        if (Number(found?.rows) !== count) throw new Error(`the table has ${found?.rows} rows`)
        return { perMs: (loaded - first.loaded) / (at - first.at), ms: at - begun }
      }
      await wait(20)
    }
  } finally {
    await pipes.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}
