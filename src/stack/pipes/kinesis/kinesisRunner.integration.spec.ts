/** Kinesis pipes against a server: every record once, whatever happens to the process and to the shards. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import protobuf from 'protobufjs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { pipeInputs } from '../../testing/managedClient.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../testing/pipeProcess.ts'
import { aggregated } from '../../testing/streams/aggregated.ts'
import { kinesisRegion, startKinesis, type KinesisServer } from '../../testing/streams/kinesisServer.ts'

let server: KinesisServer
let dataDir: string
let pipes: PipeProcess
beforeAll(async () => {
  server = await startKinesis()
}, 60_000)
afterAll(() => server.stop())
const start = () => startPipeProcess(dataDir, join(dataDir, 'files'), server.endpoint)
async function prepare(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'kinesis-'))
  await mkdir(join(dataDir, 'files'))
  pipes = await start()
}
async function cleanUp(): Promise<void> {
  await pipes.kill()
  await rm(dataDir, { recursive: true, force: true })
}

const tableOf = (stream: string) => `${pipeDatabase}.${stream}`
const errorsOf = (stream: string) => `${tableOf(stream)}_datapipes_error`
const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => JSON.stringify({ id: first + at, text: `row ${first + at}` }))

/** A pipe into a table with the name of its stream. */
function pipeOf(streamName: string, more: object = {}): PipeCreate {
  return {
    ...pipeInputs.kinesis,
    destination: { ...pipeInputs.kinesis.destination, table: streamName },
    source: {
      kinesis: {
        format: 'JSONEachRow',
        streamName,
        region: kinesisRegion,
        iteratorType: 'TRIM_HORIZON',
        authentication: 'IAM_USER',
        accessKey: { accessKeyId: 'reader', secretKey: 'secret' },
        ...more,
      },
    },
    scaling: { replicas: 2, replicaCpuMillicores: 1000, replicaMemoryGb: 1 },
    settings: { streaming_max_insert_wait_ms: 500 },
  }
}

const summary = async (stream: string) =>
  (
    await pipes
      .query<{ rows: string; ids: string; sum: string }>(
        `SELECT count() AS rows, uniqExact(id) AS ids, sum(id) AS sum FROM ${tableOf(stream)}`,
      )
      .catch(() => [])
  )[0]

/** The table of a stream has each number from 0 once. */
async function everyRowOnce(stream: string, count: number): Promise<void> {
  const expected = { rows: String(count), ids: String(count), sum: String((count * (count - 1)) / 2) }
  await expect.poll(() => summary(stream), { timeout: 60_000, interval: 200 }).toEqual(expected)
}

const stateOf = async (pipe: string) => (await pipes.states()).find(({ id }) => id === pipe)

describe('with a process of its own', () => {
  beforeEach(prepare)
  afterEach(cleanUp)

  test('every record once, with kills, a split and a merge while it reads', { timeout: 180_000 }, async () => {
    await server.createStream('orders', 2)
    const all = rowsFrom(0, 4000)
    await server.put('orders', all.slice(0, 1000))
    await pipes.create(pipeOf('orders'))
    const changes = [
      () => server.split('orders', 'shardId-000000000000'),
      () => server.merge('orders', 'shardId-000000000002', 'shardId-000000000003'),
      () => server.split('orders', 'shardId-000000000001'),
    ]
    for (const [at, change] of changes.entries()) {
      await wait(Math.random() * 1500)
      await pipes.kill()
      pipes = await start()
      await change()
      await server.put('orders', all.slice(1000 * (at + 1), 1000 * (at + 2)))
    }
    await pipes.kill()
    pipes = await start()
    await everyRowOnce('orders', 4000)
    expect(await pipes.states()).toMatchObject([
      { state: 'Running', stateDetail: expect.stringContaining('reading 3 shards') },
    ])
    const positions = async () => {
      const { stream, replicas, shards } = await pipes.shards()
      const reading = shards.filter(({ replica }) => replica !== null)
      return {
        stream,
        replicas,
        ended: shards.filter(({ ended, sequenceNumber }) => ended && sequenceNumber === null).length,
        reading: reading.map(({ shard, lagMs }) => [shard.slice(-1), lagMs]),
        busy: new Set(reading.map(({ replica }) => replica)).size,
      }
    }
    const reading = ['4', '5', '6'].map((shard) => [shard, 0])
    await expect.poll(positions).toEqual({ stream: 'orders', replicas: 2, ended: 4, reading, busy: 2 })
  })

  // The server of the tests does not tell the end of a shard to its subscribers, so none is split.
  test('enhanced fan-out: every record once, with a kill', { timeout: 120_000 }, async () => {
    await server.createStream('clicks', 1)
    const all = rowsFrom(0, 2000)
    await server.put('clicks', all.slice(0, 1000))
    await pipes.create(pipeOf('clicks', { useEnhancedFanOut: true }))
    await expect
      .poll(() => summary('clicks'), { timeout: 40_000 })
      .toMatchObject({ rows: expect.stringMatching(/[1-9]/) })
    await pipes.kill()
    pipes = await start()
    await server.put('clicks', all.slice(1000))
    await everyRowOnce('clicks', 2000)
  })

  test(
    'bad records are loaded again once each, with kills, and without those that the stream does not have',
    { timeout: 180_000 },
    async () => {
      await server.createStream('resent', 2)
      const input = pipeOf('resent')
      const pipe = await pipes.create({ ...input, settings: { ...input.settings, reject_null_values: true } })
      const withNull = (id: number) => `{"id":${id},"text":null}`
      const ids = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)
      // More than are loaded at once, also of one shard.
      const single = 1400
      await server.put('resent', [
        ...rowsFrom(0, 10),
        ...ids(10, single).map(withNull),
        ids(single + 10, 3)
          .map(withNull)
          .join('\n'),
        aggregated(ids(single + 13, 8).map((id) => ({ key: `${id}`, data: withNull(id) }))),
        '{"id":"six"}',
      ])
      const errors = errorsOf('resent')
      const ask = async (sql: string) => (await pipes.query<{ found: string }>(sql).catch(() => []))[0]?.found
      const left = () => ask(`SELECT count() AS found FROM ${errors} FINAL`)
      // Parts of a packed record that are not of its shard are left out.
      const bad = single + 3 + 1
      await expect.poll(async () => Number(await left()), { timeout: 60_000 }).toBeGreaterThan(bad)
      // Their load is complete once the positions are stored.
      const isLoaded = async () => {
        const ends = await pipes.query<{ shard: string; end: string }>(
          `SELECT partition AS shard, max(left(offset, 56)) AS end FROM ${errors} GROUP BY shard`,
        )
        const { shards } = await pipes.shards()
        const positions = new Map(shards.map(({ shard, sequenceNumber }) => [shard, sequenceNumber ?? '']))
        return ends.length === 2 && ends.every(({ shard, end }) => (positions.get(shard) ?? '') >= end)
      }
      await expect.poll(isLoaded, { timeout: 60_000 }).toBe(true)
      const all = Number(await left()) - 1
      const copy = (sequence: string, shard = 'partition') =>
        pipes.command(
          `INSERT INTO ${errors} SELECT * REPLACE (${shard} AS partition, ${sequence} AS offset, 'none' AS reason) FROM ${errors} FINAL WHERE length(offset) = 56 ORDER BY offset LIMIT 1`,
        )
      // Never written, of a shard that has expired, and as if the load of a later one had not been completed.
      await copy('toString(toUInt256OrZero(offset) + 1)')
      await copy("repeat('5', 56)", "'shardId-000000000099'")
      await copy("repeat('6', 56)")
      await pipes.command(`ALTER TABLE ${tableOf('resent')} MODIFY COLUMN text DEFAULT 'none'`)
      await pipes.resend(pipe)
      await pipes.kill()
      pipes = await start()
      for (const more of [10, 510]) {
        await expect
          .poll(async () => Number((await summary('resent'))?.rows), { timeout: 60_000, interval: 50 })
          .toBeGreaterThan(more)
        await pipes.kill()
        pipes = await start()
      }
      await expect.poll(left, { timeout: 60_000 }).toBe('4')
      const rest = await pipes.query<{ raw: string; reason: string }>(
        `SELECT raw, reason FROM ${errors} FINAL ORDER BY reason`,
      )
      expect(rest).toEqual([
        { raw: '{"id":"six"}', reason: expect.stringContaining('id') },
        { raw: expect.any(String), reason: 'none. It cannot be read from the stream again' },
        { raw: expect.any(String), reason: 'none. It cannot be read from the stream again' },
        { raw: expect.any(String), reason: 'none. Its load was not completed, so the pipe reads it again' },
      ])
      expect(await summary('resent')).toMatchObject({ rows: String(10 + all), ids: String(10 + all) })
      await expect.poll(pipes.states).toMatchObject([{ stateDetail: expect.stringMatching(/\. 1 bad record, see/) }])
    },
  )

  test('a pipe that begins with the latest records misses none because of a kill', { timeout: 60_000 }, async () => {
    await server.createStream('latest', 1)
    await server.put('latest', rowsFrom(1000, 10))
    // The records before are older than the second in which the pipe begins.
    await wait(1100)
    await pipes.create(pipeOf('latest', { iteratorType: 'LATEST' }))
    await expect.poll(() => pipes.states()).toMatchObject([{ stateDetail: expect.stringContaining('reading') }])
    await pipes.kill()
    await server.put('latest', rowsFrom(0, 20))
    pipes = await start()
    await everyRowOnce('latest', 20)
  })
})

describe('with one process', () => {
  beforeAll(prepare, 60_000)
  afterEach(() => pipes.stopAll())
  afterAll(cleanUp)

  test(
    'packed records are unpacked, and records that do not fit are kept beside the table',
    { timeout: 60_000 },
    async () => {
      await server.createStream('mixed', 1)
      const deep = `{"id":1,"extra":${'['.repeat(5000)}${']'.repeat(5000)}}`
      const large = JSON.stringify({ id: 5, text: 'x'.repeat(700_000) })
      await server.put('mixed', [
        aggregated([0, 1, 2].map((id) => ({ key: `${id}`, data: JSON.stringify({ id, text: 'packed' }) }))),
        '{"id":3}\n{"id":4}\n',
        large,
        '{"id":"six"}',
        'not json',
        deep,
        Buffer.from([0xff, 0x00, 0xfe]),
        '{"id":6}{"id":7}',
      ])
      await pipes.create(pipeOf('mixed'))
      await everyRowOnce('mixed', 6)
      const rejected = await pipes.query<{ raw: string; reason: string; partition: string }>(
        `SELECT raw, reason, partition FROM ${errorsOf('mixed')} FINAL ORDER BY length(raw), raw`,
      )
      expect(rejected.map(({ raw }) => raw.slice(0, 16))).toEqual([
        expect.any(String),
        'not json',
        '{"id":"six"}',
        '{"id":6}{"id":7}',
        deep.slice(0, 16),
      ])
      expect(rejected.every(({ reason, partition }) => reason !== '' && partition === 'shardId-000000000000')).toBe(
        true,
      )
    },
  )

  test('reads Protobuf, also packed, and lists a record that is none', { timeout: 60_000 }, async () => {
    const schema = 'syntax = "proto3"; message Event { int64 id = 1; string text = 2; }'
    const type = protobuf.parse(schema).root.lookupType('Event')
    const encoded = (id: number) => Buffer.from(type.encode(type.create({ id, text: 'grün' })).finish())
    await server.createStream('proto', 1)
    await server.put('proto', [
      encoded(0),
      aggregated([1, 2].map((id) => ({ key: `${id}`, data: encoded(id) }))),
      Buffer.from('not protobuf'),
      encoded(3),
    ])
    const protobufSchema = Buffer.from(schema).toString('base64')
    await pipes.create(pipeOf('proto', { format: 'Protobuf', protobufSchema }))
    await everyRowOnce('proto', 4)
    expect(await pipes.query(`SELECT raw, reason FROM ${errorsOf('proto')} FINAL`)).toEqual([
      { raw: 'not protobuf', reason: expect.stringMatching(/./) },
    ])
  })

  test.each([
    ['a stream that does not exist', {}, 'does not exist in this region'],
    ['an address that is not allowed', { region: 'x.example/#' }, 'must be a region'],
  ])('fails with %s, and says so', async (_, more, words) => {
    const id = await pipes.create(pipeOf('absent', more))
    await expect.poll(() => stateOf(id)).toMatchObject({ state: 'Failed', stateDetail: expect.stringContaining(words) })
  })

  test(
    'a pipe that makes no progress says at which record, and is not shown as running',
    { timeout: 180_000 },
    async () => {
      await server.createStream('stuck', 1)
      await server.put('stuck', rowsFrom(0, 10))
      const id = await pipes.create(pipeOf('stuck'))
      await everyRowOnce('stuck', 10)
      await pipes.command(`ALTER TABLE ${tableOf('stuck')} ADD CONSTRAINT none CHECK 0`)
      await server.put('stuck', rowsFrom(10, 10))
      await expect.poll(() => stateOf(id), { timeout: 120_000, interval: 50 }).toMatchObject({ state: 'Degraded' })
      const seen = new Set<string>()
      await expect
        .poll(
          async () => {
            const pipe = await stateOf(id)
            seen.add(pipe?.state ?? '')
            return pipe?.stateDetail
          },
          { timeout: 120_000, interval: 50 },
        )
        .toMatch(/No progress at record \d+ of shardId-000000000000 of stuck in 5 tries/)
      expect([...seen]).toEqual(['Degraded'])
      await pipes.command(`ALTER TABLE ${tableOf('stuck')} DROP CONSTRAINT none`)
      await everyRowOnce('stuck', 20)
      await expect.poll(() => stateOf(id), { timeout: 60_000 }).toMatchObject({ state: 'Running' })
    },
  )
})
