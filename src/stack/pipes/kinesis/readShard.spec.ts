import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KinesisClient } from '@aws-sdk/client-kinesis'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { guardedAgent } from '../../net/guardedAgent.ts'
import { createHostCheck } from '../../net/reachableHosts.ts'
import { guardedHandler } from './guardedHandler.ts'
import type { KinesisStream } from './kinesisClient.ts'
import { readShard, recordsFrom, type ShardPage } from './readShard.ts'

/** The server's next answers, by operation: the name of an error, or a body. */
let answers: Record<string, (string | object)[]>
let requests: { operation: string; body: Record<string, unknown> }[]

const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? ''
    requests.push({ operation, body: JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown> })
    const answer = answers[operation]?.shift() ?? {}
    const isError = typeof answer === 'string'
    response.writeHead(isError ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify(isError ? { __type: answer, message: 'no' } : answer))
  })
})
const agent = guardedAgent(createHostCheck({ allowed: ['127.0.0.1'], own: [] }))
let stream: Pick<KinesisStream, 'client' | 'name'>
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  const client = new KinesisClient({
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${port}`,
    maxAttempts: 1,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: guardedHandler(agent),
  })
  stream = { client, name: 'orders' }
})
afterAll(async () => {
  stream.client.destroy()
  await agent.destroy()
  server.close()
})
beforeEach(() => {
  requests = []
})

const record = (sequence: string) => ({ Data: 'e30=', PartitionKey: 'k', SequenceNumber: sequence })
const operations = () => requests.map(({ operation }) => operation)

async function pages(signal = new AbortController().signal): Promise<ShardPage[]> {
  const found: ShardPage[] = []
  // The rest of the stream's members is not used by a reader.
  for await (const page of readShard(stream as KinesisStream, 'shard-0', { Type: 'TRIM_HORIZON' }, signal)) {
    found.push(page)
  }
  return found
}

test('a throttled request is repeated after a pause, wherever it is in the shard', async () => {
  answers = {
    GetShardIterator: ['ProvisionedThroughputExceededException', { ShardIterator: 'first' }],
    GetRecords: [
      'ProvisionedThroughputExceededException',
      { Records: [record('1')], MillisBehindLatest: 10, NextShardIterator: 'second' },
      'LimitExceededException',
      { Records: [record('2')], MillisBehindLatest: 0 },
    ],
  }
  const read = await pages()
  expect(read.flatMap(({ records }) => records.map(({ SequenceNumber }) => SequenceNumber))).toEqual(['1', '2'])
  expect(read.at(-1)?.isLast).toBe(true)
  expect(operations().filter((operation) => operation === 'GetShardIterator')).toHaveLength(2)
  expect(operations().filter((operation) => operation === 'GetRecords')).toHaveLength(4)
})

test('an iterator that has expired is replaced by one after the last record', async () => {
  answers = {
    GetShardIterator: [{ ShardIterator: 'first' }, 'ProvisionedThroughputExceededException', { ShardIterator: 'new' }],
    GetRecords: [
      { Records: [record('7')], MillisBehindLatest: 10, NextShardIterator: 'old' },
      'ExpiredIteratorException',
      { Records: [record('8')], MillisBehindLatest: 0 },
    ],
  }
  expect(await pages()).toHaveLength(2)
  expect(requests[4]?.body).toMatchObject({
    ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
    StartingSequenceNumber: '7',
  })
})

test('any other failure ends the reading with its reason', async () => {
  answers = { GetShardIterator: [{ ShardIterator: 'first' }], GetRecords: ['AccessDeniedException'] }
  await expect(pages()).rejects.toThrow(/orders, shard-0: the access key may not read the stream/)
})

test('a throttled reader can be stopped', async () => {
  answers = { GetShardIterator: Array.from({ length: 50 }, () => 'ProvisionedThroughputExceededException') }
  const stopping = new AbortController()
  const reading = pages(stopping.signal)
  await expect.poll(() => requests.length).toBeGreaterThan(0)
  stopping.abort()
  await expect(reading).rejects.toThrow()
})

const from = (sequence: string) =>
  recordsFrom(stream as KinesisStream, 'shard-0', sequence, 2, new AbortController().signal)

test('records are read from a sequence number on, also after pages that have none', async () => {
  answers = {
    GetShardIterator: [{ ShardIterator: 'first' }],
    GetRecords: [
      { Records: [], MillisBehindLatest: 10, NextShardIterator: 'second' },
      { Records: [record('7')], MillisBehindLatest: 0, NextShardIterator: 'third' },
    ],
  }
  expect((await from('7')).map(({ SequenceNumber }) => SequenceNumber)).toEqual(['7'])
  expect(requests[0]?.body).toMatchObject({ ShardIteratorType: 'AT_SEQUENCE_NUMBER', StartingSequenceNumber: '7' })
})

test('an iterator that has expired is replaced by another at the same sequence number', async () => {
  answers = {
    GetShardIterator: [{ ShardIterator: 'first' }, { ShardIterator: 'new' }],
    GetRecords: ['ExpiredIteratorException', { Records: [record('7')], MillisBehindLatest: 0 }],
  }
  expect((await from('7')).map(({ SequenceNumber }) => SequenceNumber)).toEqual(['7'])
  const start = { ShardIteratorType: 'AT_SEQUENCE_NUMBER', StartingSequenceNumber: '7' }
  expect(requests.map(({ body }) => body)).toMatchObject([
    start,
    { ShardIterator: 'first' },
    start,
    { ShardIterator: 'new' },
  ])
})

test.each([
  ['the shard has expired', { GetShardIterator: ['ResourceNotFoundException'] }],
  ['the sequence number is of another stream', { GetShardIterator: ['InvalidArgumentException'] }],
  [
    'nothing is left of the shard',
    { GetShardIterator: [{ ShardIterator: 'first' }], GetRecords: [{ Records: [], MillisBehindLatest: 0 }] },
  ],
])('there are none if %s', async (_, given) => {
  answers = given
  expect(await from('7')).toEqual([])
})
