/** Kafka pipes against a real broker: every record once, whatever is killed. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipeCreate } from '#contract/pipeInputs.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../testing/pipeProcess.ts'
import { pipeInputs } from '../../testing/managedClient.ts'
import { testKafka } from '../../testing/kafka/testKafka.ts'

const kafka = testKafka()
let dataDir: string
let pipes: PipeProcess | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pipes-'))
  await mkdir(join(dataDir, 'files'))
})
afterEach(async () => {
  await pipes?.kill()
  pipes = undefined
  await rm(dataDir, { recursive: true, force: true })
})

const start = () => startPipeProcess(dataDir, join(dataDir, 'files'))

function pipeOf(topic: string, change: Partial<PipeCreate> = {}): PipeCreate {
  return {
    ...pipeInputs.kafka,
    source: {
      kafka: {
        type: 'kafka',
        format: 'JSONEachRow',
        brokers: kafka.server.brokers,
        topics: topic,
        authentication: 'PLAIN',
      },
    },
    scaling: { replicas: 2, replicaCpuMillicores: 2000, replicaMemoryGb: 0.5 },
    settings: { streaming_max_insert_wait_ms: 500 },
    ...change,
  }
}

const records = (from: number, to: number, partitions: number) =>
  Array.from({ length: to - from }, (_, at) => ({
    partition: (from + at) % partitions,
    value: JSON.stringify({ id: from + at, text: `record ${from + at}` }),
  }))

const loaded = async () =>
  (await pipes
    ?.query<{ rows: string; ids: string; sum: string }>(
      `SELECT count() AS rows, uniqExact(id) AS ids, sum(cityHash64(id, text)) AS sum FROM ${pipeDatabase}.events`,
    )
    .catch(() => [])) ?? []

test('every record once, through kills of the stack and of the broker', { timeout: 180_000 }, async () => {
  const count = 60_000
  await kafka.createTopic('orders', 12)
  await kafka.produce('orders', records(0, count / 2, 12))
  pipes = await start()
  await pipes.create(pipeOf('orders'))
  for (let kill = 0; kill < 4; kill++) {
    await wait(200 + Math.random() * 1500)
    await pipes.kill()
    if (kill === 1) {
      await kafka.server.kill()
      await kafka.server.start()
    }
    await kafka.produce('orders', records(count / 2 + (kill * count) / 8, count / 2 + ((kill + 1) * count) / 8, 12))
    pipes = await start()
  }
  await expect.poll(loaded, { timeout: 90_000, interval: 300 }).toMatchObject([{ rows: String(count) }])
  const [expected] = await pipes.query<{ sum: string }>(
    `SELECT sum(cityHash64(toUInt64(number), concat('record ', toString(number)))) AS sum FROM numbers(${count})`,
  )
  expect(await loaded()).toEqual([{ rows: String(count), ids: String(count), sum: expected?.sum }])
})
