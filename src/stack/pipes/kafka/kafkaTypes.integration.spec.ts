/** Records of every kind of column from a real broker: each good one is stored once, each bad one is listed. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../testing/pipeProcess.ts'
import { intoEvents, pipeInputs } from '../../testing/managedClient.ts'
import { sharedKafka } from '../../testing/kafka/testKafka.ts'
import { sourceOf } from '../../testing/kafka/topics.ts'
import { typedColumns, typedRecords } from '../../testing/records/typedValues.ts'

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

test('of all types, with one bad record in twenty', { timeout: 120_000 }, async () => {
  const [records = []] = fc.sample(typedRecords(2000, 5), { numRuns: 1, seed: 7 })
  await kafka.createTopic('typed', 2)
  await kafka.produce(
    'typed',
    records.map(({ id, json }) => ({ partition: id % 2, value: json })),
  )
  const id = await pipes.create({
    ...pipeInputs.kafka,
    ...intoEvents([{ name: 'id', type: 'UInt64' }, ...typedColumns.map(({ name, type }) => ({ name, type }))]),
    source: { kafka: sourceOf(kafka.server.brokers, 'typed') },
    scaling: { replicas: 2, replicaCpuMillicores: 2000, replicaMemoryGb: 0.5 },
    settings: { streaming_max_insert_wait_ms: 500 },
  })
  const good = records.filter(({ bad }) => bad === null)
  const bad = records.filter((record) => record.bad !== null)
  await expect
    .poll(async () => (await pipes.position(id)).partitions.map(({ offset }) => offset), { timeout: 90_000 })
    .toEqual([1000, 1000])
  const rows = await pipes.query<{ id: string }>(`SELECT id FROM ${pipeDatabase}.events ORDER BY id`)
  expect(rows.map((row) => Number(row.id))).toEqual(good.map((record) => record.id))
  const listed = await pipes.query<{ raw: string }>(
    `SELECT raw FROM ${pipeDatabase}.events_datapipes_error FINAL ORDER BY offset, partition`,
  )
  expect(listed.map(({ raw }) => raw)).toEqual(bad.map(({ json }) => json))
  expect(await pipes.states()).toMatchObject([{ id, state: 'Running' }])
})
