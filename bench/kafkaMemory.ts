/** Resident memory while the smallest Kafka pipe works off a burst, beside what its replica may take. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { kafkaClients } from '../src/stack/testing/kafka/kafkaClients.ts'
import { startKafka } from '../src/stack/testing/kafka/kafkaProcess.ts'
import { pipeDatabase, startPipeProcess } from '../src/stack/testing/pipeProcess.ts'
import { defaultPipeSize } from '#domain/sizing/pipePrices.ts'
import { intoEvents } from '../src/stack/testing/managedClient.ts'
import { fillTopic, sourceOf } from '../src/stack/testing/kafka/topics.ts'
import type { Row } from './support/measure.ts'

interface Burst {
  topic: string
  what: string
  records: number
  /** Produced together, so that a batch of big ones is not larger than a broker takes. */
  atOnce?: number
  value(id: number): string
}

const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'text', type: 'String' },
]

const smallest = defaultPipeSize.replicaMemoryGb * 2 ** 30
/** The part of the text of big records that does not repeat. */
const noise = randomBytes(1_500_000).toString('base64')

const bursts: Burst[] = [
  {
    topic: 'usual',
    what: '1 M records of 85 bytes',
    records: 1_000_000,
    value: (id) => JSON.stringify({ id, text: `user ${id * 7919} paid order ${id * 31} in the shop` }),
  },
  {
    topic: 'big',
    what: '1,200 records of 100 kB to 1 MB',
    records: 1_200,
    atOnce: 12,
    value: (id) => JSON.stringify({ id, text: noise.slice(id, id + 100_000 + ((id * 7919) % 900_000)) }),
  },
]

export async function kafkaMemory(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-kafka-memory-'))
  const server = await startKafka(folder)
  const clients = kafkaClients(() => server)
  const rows: Row[] = []
  try {
    for (const burst of bursts) {
      await fillTopic(clients, burst)
      const { rest, peak, ms } = await load(server.brokers, burst)
      rows.push({
        what: `Memory of the process of a Kafka pipe, 1 replica of ${defaultPipeSize.replicaMemoryGb} GB, ${burst.what}: at rest, at its highest, the difference`,
        result: `${megabytes(rest)}, ${megabytes(peak)}, ${megabytes(peak - rest)}; all loaded after ${(ms / 1000).toFixed(1)} s`,
        aim: `a difference of ${megabytes(smallest)}`,
      })
    }
    return rows
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** @returns resident bytes before the pipe and at the highest while it loads, and the milliseconds of the load */
async function load(brokers: string, { topic, records }: Burst): Promise<{ rest: number; peak: number; ms: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-kafka-pipe-'))
  const pipes = await startPipeProcess(dataDir, dataDir)
  try {
    const rest = resident(pipes.pid)
    const begun = performance.now()
    await pipes.create({
      name: 'Bench',
      source: { kafka: sourceOf(brokers, topic) },
      ...intoEvents(columns),
      settings: { streaming_max_insert_wait_ms: 500 },
      // A whole core: at the speed of the smallest replica, nothing is held at once that would show.
      scaling: { replicas: 1, replicaCpuMillicores: 1000, replicaMemoryGb: defaultPipeSize.replicaMemoryGb },
    })
    let peak = rest
    for (let asked = 0; ; asked++) {
      peak = Math.max(peak, resident(pipes.pid))
      // Seldom, because an answer takes memory, too.
      if (asked % 25 === 0 && (await loaded()) >= records) return { rest, peak, ms: performance.now() - begun }
      await wait(20)
    }
  } finally {
    await pipes.kill()
    await rm(dataDir, { recursive: true, force: true })
  }

  async function loaded(): Promise<number> {
    // The table is not there at once.
    const sql = `SELECT count() AS rows FROM ${pipeDatabase}.events`
    const [found] = await pipes.query<{ rows: string }>(sql).catch(() => [])
    return Number(found?.rows ?? 0)
  }
}

function resident(pid: number): number {
  const [, kibibytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}
