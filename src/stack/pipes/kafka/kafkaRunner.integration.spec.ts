/** Kafka pipes against a real broker: every record once, whatever is killed. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../testing/pipeProcess.ts'
import { pipeInputs } from '../../testing/managedClient.ts'
import { ownKafka } from '../../testing/kafka/testKafka.ts'

const kafka = ownKafka()
let dataDir: string
let pipes: PipeProcess | undefined
async function prepare(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'pipes-'))
  await mkdir(join(dataDir, 'files'))
}
async function cleanUp(): Promise<void> {
  await pipes?.kill()
  pipes = undefined
  await rm(dataDir, { recursive: true, force: true })
}

const start = () => startPipeProcess(dataDir, join(dataDir, 'files'))

/** A pipe into a table with the name of its topic. */
function pipeOf(topic: string, change: Partial<PipeCreate> = {}): PipeCreate {
  return {
    ...pipeInputs.kafka,
    destination: { ...pipeInputs.kafka.destination, table: topic },
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
      `SELECT count() AS rows, uniqExact(id) AS ids, sum(cityHash64(id, text)) AS sum FROM ${tableOf('orders')}`,
    )
    .catch(() => [])) ?? []

const tableOf = (topic: string) => `${pipeDatabase}.${topic}`

/** Waits for the answer of a query. */
const rows = (sql: string, timeout = 30_000) =>
  expect.poll(() => pipes?.query(sql).catch(() => []), { timeout, interval: 100 })
/** Waits for the state of a pipe. */
const stateOf = (pipe: string, timeout = 30_000) =>
  expect.poll(async () => (await pipes?.states())?.find(({ id }) => id === pipe), { timeout, interval: 100 })

describe('with a process of its own', () => {
  beforeEach(prepare)
  afterEach(cleanUp)

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

  test(
    'records that the broker deleted are named, and a topic that is another one is not read',
    { timeout: 120_000 },
    async () => {
      await kafka.createTopic('old', 1)
      await kafka.produce('old', records(0, 10, 1))
      const first = await start()
      pipes = first
      const pipe = await first.create(pipeOf('old'))
      await rows(`SELECT count() AS rows FROM ${tableOf('old')}`).toEqual([{ rows: '10' }])
      // Rows are there a moment before their load ends, and are removed if the process ends in between.
      await expect.poll(async () => (await first.position()).partitions[0]?.offset).toBe(10)
      await first.end()
      await kafka.produce('old', records(10, 30, 1))
      await kafka.deleteRecords('old', 25)
      pipes = await start()
      await rows(
        `SELECT count() AS rows, min(id) AS first, max(id) AS last FROM ${tableOf('old')} WHERE id >= 10`,
      ).toEqual([{ rows: '5', first: '25', last: '29' }])
      await stateOf(pipe).toMatchObject({
        state: 'Degraded',
        stateDetail: expect.stringContaining('offsets 10 to 24 of partition 0 were deleted by the broker'),
      })
      await kafka.admin((admin) => admin.deleteTopics({ topics: ['old'] }))
      await stateOf(pipe).toMatchObject({ state: 'Degraded', stateDetail: expect.stringContaining('topic old') })
      await kafka.createTopic('old', 1)
      await kafka.produce('old', records(100, 140, 1))
      await stateOf(pipe, 60_000).toMatchObject({
        state: 'Failed',
        stateDetail: expect.stringContaining('deleted and created again'),
      })
      expect(await pipes.query(`SELECT max(id) AS last FROM ${tableOf('old')}`)).toEqual([{ last: '29' }])
    },
  )
})

describe('with one process', () => {
  beforeAll(async () => {
    await prepare()
    pipes = await start()
  }, 60_000)
  afterEach(() => pipes?.stopAll())
  afterAll(cleanUp)

  test('bad records are in a table of their own, and stop nobody', { timeout: 60_000 }, async () => {
    await kafka.createTopic('mixed', 2)
    const values = [
      '{"id":1,"text":"good"}',
      'not json',
      '{"id":"many","text":"wrong type"}',
      '{"id":2,"text":"a"}{"id":3,"text":"b"}',
      '{"id":4,"text":"}',
      '{",":1,"id":5,"text":"after an open text"}',
      '[{"id":6}]',
      ' {\n"id":7,\n"text":"on several lines"}\n',
      '{"id":8}',
      '{}',
    ]
    await kafka.produce(
      'mixed',
      values.map((value) => ({ partition: 1, key: 'k', value })),
    )
    const pipe = await pipes?.create(pipeOf('mixed'))
    await rows(`SELECT id, text FROM ${tableOf('mixed')} ORDER BY id`).toEqual([
      { id: '0', text: '' },
      { id: '1', text: 'good' },
      { id: '5', text: 'after an open text' },
      { id: '7', text: 'on several lines' },
      { id: '8', text: '' },
    ])
    await rows(
      `SELECT partition, offset, reason, raw FROM ${tableOf('mixed_datapipes_error')} FINAL ORDER BY partition, offset`,
    ).toMatchObject([
      { offset: '1', reason: 'the value is not a JSON object', raw: 'not json' },
      { offset: '2', reason: 'id: many is not a whole number, which UInt64 needs' },
      { offset: '3', reason: expect.stringContaining('not JSON') },
      { offset: '4', reason: expect.stringContaining('not JSON'), raw: '{"id":4,"text":"}' },
      { offset: '6', reason: 'the value is not a JSON object' },
    ])
    await stateOf(pipe ?? '').toMatchObject({ state: 'Running', stateDetail: expect.stringContaining('5 bad records') })
  })

  test.each(['none', 'gzip', 'snappy', 'lz4'] as const)(
    'records compressed with %s, and what describes them',
    { timeout: 60_000 },
    async (compression) => {
      const topic = `described_${compression}`
      await kafka.createTopic(topic, 1)
      const record = { partition: 0, key: 'k1', headers: { trace: 'abc' }, timestamp: 1_767_323_045_678 }
      const many = Array.from({ length: 500 }, (_, at) => ({ ...record, value: `{"id":${at}}` }))
      await kafka.produce(topic, many, { compression })
      const columns = [
        { name: 'id', type: 'UInt64' },
        { name: 'position', type: 'UInt64' },
        { name: 'sent', type: 'DateTime64(3)' },
        { name: 'key', type: 'String' },
        { name: 'header', type: 'Array(String)' },
        { name: 'raw', type: 'String' },
      ]
      const sources = ['id', '_offset', '_timestamp', '_key', '_header_values', '_raw_message']
      await pipes?.create(
        pipeOf(topic, {
          destination: { ...pipeInputs.kafka.destination, table: topic, columns },
          fieldMappings: columns.map(({ name }, at) => ({ sourceField: sources[at] ?? '', destinationField: name })),
        }),
      )
      await rows(`SELECT count() AS rows FROM ${tableOf(topic)}`).toEqual([{ rows: '500' }])
      expect(await pipes?.query(`SELECT * FROM ${tableOf(topic)} WHERE id = 7`)).toEqual([
        { id: '7', position: '7', sent: '2026-01-02 03:04:05.678', key: 'k1', header: ['abc'], raw: '{"id":7}' },
      ])
    },
  )

  test('begins at the end or at a time, and reads partitions that are added', { timeout: 90_000 }, async () => {
    await kafka.createTopic('times', 1)
    const at = (minute: string) => Date.parse(`2026-01-02T${minute}:00Z`)
    const of = (id: number, minute: string, partition = 0) => ({
      partition,
      value: `{"id":${id}}`,
      timestamp: at(minute),
    })
    await kafka.produce('times', [of(1, '03:00'), of(2, '03:10'), of(3, '03:20')])
    const source = (strategy: 'from_latest' | 'from_timestamp') => ({
      kafka: {
        ...pipeOf('times').source.kafka!,
        consumerGroup: strategy,
        offset: { strategy, ...(strategy === 'from_timestamp' && { timestamp: '2026-01-02T03:05' }) },
      },
    })
    const into = (name: string) => ({ ...pipeInputs.kafka.destination, table: name })
    const late = await pipes?.create(pipeOf('times', { source: source('from_latest'), destination: into('late') }))
    await pipes?.create(pipeOf('times', { source: source('from_timestamp'), destination: into('since') }))
    await rows(`SELECT id FROM ${pipeDatabase}.since ORDER BY id`).toEqual([{ id: '2' }, { id: '3' }])
    await stateOf(late ?? '').toMatchObject({ state: 'Running' })
    await kafka.produce('times', [of(4, '04:00')])
    await rows(`SELECT id FROM ${pipeDatabase}.late ORDER BY id`).toEqual([{ id: '4' }])
    await kafka.addPartition('times', 2)
    await kafka.addPartition('times', 3)
    await kafka.produce('times', [of(5, '04:01', 1), of(6, '04:01', 2)])
    await rows(`SELECT id FROM ${pipeDatabase}.late ORDER BY id`).toEqual([{ id: '4' }, { id: '5' }, { id: '6' }])
  })

  test('a stopped pipe is reset to another offset, after a preview', { timeout: 60_000 }, async () => {
    await kafka.createTopic('again', 2)
    await kafka.produce('again', records(0, 20, 2))
    const pipe = (await pipes?.create(pipeOf('again'))) ?? ''
    await rows(`SELECT count() AS rows FROM ${tableOf('again')}`).toEqual([{ rows: '20' }])
    await expect
      .poll(() => pipes?.position(pipe))
      .toMatchObject({
        topic: 'again',
        consumers: 2,
        partitions: [
          { partition: 0, offset: 10, end: 10, lag: 0, consumer: expect.any(Number) },
          { partition: 1, offset: 10, end: 10, lag: 0, consumer: expect.any(Number) },
        ],
      })
    const last = { strategy: 'to_offset', partition: 1, offset: 7 } as const
    await expect(pipes?.offsets(last, 'reset', pipe)).rejects.toThrow('before its offsets are reset')
    await pipes?.state('Stopped', pipe)
    const plan = await pipes?.offsets(last, 'plan', pipe)
    expect(plan?.partitions).toEqual([
      { partition: 0, from: 10, to: 10, end: 10 },
      { partition: 1, from: 10, to: 7, end: 10 },
    ])
    await expect(pipes?.offsets({ ...last, offset: 11 }, 'plan', pipe)).rejects.toThrow('has offsets from 0 to 10')
    await expect.poll(() => pipes?.offsets(last, 'reset', pipe).catch(() => null)).toEqual(plan)
    await pipes?.state('Running', pipe)
    await rows(`SELECT count() AS rows FROM ${tableOf('again')}`).toEqual([{ rows: '23' }])
  })
})
