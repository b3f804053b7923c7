/** A pipe whose table takes no rows says at which record it stops, and goes on once the table takes them. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../testing/pipeProcess.ts'
import { pipeInputs } from '../../testing/managedClient.ts'
import { sharedKafka } from '../../testing/kafka/testKafka.ts'
import { sourceOf } from '../../testing/kafka/topics.ts'

const kafka = sharedKafka()
let dataDir: string
let pipes: PipeProcess
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pipes-'))
  await mkdir(join(dataDir, 'files'))
  pipes = await startPipeProcess(dataDir, join(dataDir, 'files'))
})
afterEach(async () => {
  await pipes.kill()
  await rm(dataDir, { recursive: true, force: true })
})

test('says at which record it makes no progress', { timeout: 180_000 }, async () => {
  const table = `${pipeDatabase}.events`
  await kafka.createTopic('stuck', 2)
  const records = (from: number) =>
    Array.from({ length: 10 }, (_, at) => ({ partition: at % 2, value: `{"id":${from + at},"text":"t"}` }))
  await kafka.produce('stuck', records(0))
  await pipes.create({
    ...pipeInputs.kafka,
    source: { kafka: sourceOf(kafka.server.brokers, 'stuck') },
    scaling: { replicas: 2, replicaCpuMillicores: 2000, replicaMemoryGb: 0.5 },
    settings: { streaming_max_insert_wait_ms: 500 },
  })
  const rows = async () => {
    const [row] = await pipes.query<{ rows: string; ids: string }>(
      `SELECT count() AS rows, uniqExact(id) AS ids FROM ${table}`,
    )
    return row
  }
  await expect.poll(() => rows().catch(() => null), { timeout: 60_000 }).toEqual({ rows: '10', ids: '10' })
  await pipes.command(`ALTER TABLE ${table} ADD CONSTRAINT none CHECK 0`)
  await kafka.produce('stuck', records(10))
  await expect.poll(pipes.states, { timeout: 120_000 }).toMatchObject([
    {
      state: 'Degraded',
      stateDetail: expect.stringMatching(
        /No progress at offset 5 of partition [01] of stuck in \d+ tries; trying again$/,
      ),
    },
  ])
  await pipes.command(`ALTER TABLE ${table} DROP CONSTRAINT none`)
  await expect.poll(rows, { timeout: 60_000 }).toEqual({ rows: '20', ids: '20' })
  await expect.poll(pipes.states, { timeout: 60_000 }).toMatchObject([{ state: 'Running' }])
})
