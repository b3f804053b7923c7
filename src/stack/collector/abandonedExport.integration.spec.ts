/** Exports whose sender gave up before they were stored: it sends them again, so they must not be stored as well. */
import { connect } from 'node:http2'
import { Client, credentials, Metadata, status } from '@grpc/grpc-js'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseExposition } from '#domain/exposition.ts'
import { type SelfTelemetry, startSelfTelemetry } from '#node/selfTelemetry/selfTelemetry.ts'
import { json, log, logsOf, post } from '../testing/testCollector.ts'
import { type Collector, type CollectorOptions, startCollector } from './collector.ts'
import { GroupCommit } from './groupCommit.ts'
import { onlyKey } from './ingestionKey.ts'
import { decode, encode } from './otlp/messages.ts'

const key = 'test-ingestion-key'
const logs = '/opentelemetry.proto.collector.logs.v1.LogsService/Export'
const request = (rows: number) => {
  const logRecords = Array.from({ length: rows }, () => ({}))
  return encode('ExportLogsRequest', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] } as object)
}
const asIs = (bytes: Buffer) => bytes

let telemetry: SelfTelemetry
let collector: Collector
let client: Client
/** The rows of each insert. */
let inserts: number[]
let letThrough: () => void

beforeEach(() => start())
afterEach(stop)

/** A collector whose inserts wait. */
async function start(options: Partial<CollectorOptions> = {}): Promise<void> {
  telemetry = startSelfTelemetry({ serviceName: 'stack', collector: null })
  inserts = []
  const held = new Promise<void>((resolve) => (letThrough = resolve))
  collector = await startCollector({
    host: '127.0.0.1',
    httpPort: 0,
    grpcPort: 0,
    acceptedKeys: onlyKey(key),
    engine: {
      insertConnections: 1,
      insertBlocks: async (_table, blocks) => {
        inserts.push(...blocks.map(({ rows }) => rows))
        await held
      },
    },
    retentionDays: () => 30,
    logger: pino({ level: 'silent' }),
    telemetry,
    ...options,
  })
  client = new Client(`127.0.0.1:${collector.grpcPort}`, credentials.createInsecure(), { 'grpc.enable_http_proxy': 0 })
}

async function stop(): Promise<void> {
  letThrough()
  client.close()
  await collector.close()
  await telemetry.shutdown()
}

/** The exports that are neither stored nor dropped. */
async function open(): Promise<number | undefined> {
  const samples = parseExposition(await telemetry.scrape())
  return samples.find(({ name }) => name === 'collector_requests')?.value
}

function send(rows: number, options: { deadline?: number } = {}) {
  const metadata = new Metadata()
  metadata.set('authorization', key)
  let cancel = () => {}
  const code = new Promise<number>((resolve) => {
    const call = client.makeUnaryRequest(logs, asIs, asIs, request(rows), metadata, options, (error) =>
      resolve(error?.code ?? status.OK),
    )
    cancel = () => call.cancel()
  })
  return { code, cancel }
}

async function cancelWaiting({ cancel }: ReturnType<typeof send>): Promise<void> {
  await expect.poll(open).toBe(2)
  cancel()
}

describe('over gRPC, an export that waits for an insert is dropped', () => {
  test.each([
    ['its deadline passes', 300, async () => {}, status.DEADLINE_EXCEEDED],
    ['its sender cancels it', 60_000, cancelWaiting, status.CANCELLED],
  ])('when %s', async (_how, deadline, giveUp, code) => {
    const first = send(1)
    await expect.poll(() => inserts).toEqual([1])
    const second = send(20, { deadline: Date.now() + deadline })
    await giveUp(second)
    expect(await second.code).toBe(code)
    await expect.poll(open).toBe(1)
    const third = send(300)
    await expect.poll(open).toBe(2)
    letThrough()
    expect(await Promise.all([first.code, third.code])).toEqual([status.OK, status.OK])
    expect(inserts).toEqual([1, 300])
  })

  test('when its sender disconnects', async () => {
    const first = send(1)
    await expect.poll(() => inserts).toEqual([1])
    const session = connect(`http://127.0.0.1:${collector.grpcPort}`)
    const head = { ':method': 'POST', ':path': logs, 'content-type': 'application/grpc', te: 'trailers' }
    const stream = session.request({ ...head, authorization: key })
    const message = request(20)
    const prefix = Buffer.alloc(5)
    prefix.writeUInt32BE(message.length, 1)
    stream.end(Buffer.concat([prefix, message]))
    await expect.poll(open).toBe(2)
    session.destroy()
    await expect.poll(open).toBe(1)
    letThrough()
    expect(await first.code).toBe(status.OK)
    expect(inserts).toEqual([1])
  })
})

test('over HTTP, an export that waits for an insert is dropped when its sender disconnects', async () => {
  const url = `http://127.0.0.1:${collector.httpPort}`
  const first = post(url, json, logsOf(log('first')))
  await expect.poll(() => inserts).toEqual([1])
  const gone = new AbortController()
  const body = logsOf(...Array.from({ length: 20 }, () => log('gone')))
  const second = fetch(`${url}/v1/logs`, { method: 'POST', headers: json, body, signal: gone.signal })
  await expect.poll(open).toBe(2)
  gone.abort()
  await expect(second).rejects.toThrow()
  await expect.poll(open).toBe(1)
  letThrough()
  expect((await first).status).toBe(200)
  expect((await post(url, json, logsOf(log('a'), log('b')))).status).toBe(200)
  expect(inserts).toEqual([1, 2])
})

describe('while an export has waited too long to be stored', () => {
  test('a call is refused with a retry delay before its message is read', async () => {
    await stop()
    await start({ limits: { maxStoreWait: 0 } })
    const first = send(1)
    await expect.poll(() => inserts).toEqual([1])
    const metadata = new Metadata()
    metadata.set('authorization', key)
    // Sends no message.
    const refused = await new Promise<{ code: number; metadata: Metadata }>((resolve) => {
      client.makeClientStreamRequest(logs, asIs, asIs, metadata, (error) => error && resolve(error))
    })
    expect(refused.code).toBe(status.RESOURCE_EXHAUSTED)
    const { details } = decode('RpcStatus', refused.metadata.get('grpc-status-details-bin')[0] as Buffer)
    expect(details[0]?.typeUrl).toBe('type.googleapis.com/google.rpc.RetryInfo')
    expect(decode('RetryInfo', details[0]!.value).retryDelay?.seconds.toNumber()).toBe(1)
    letThrough()
    expect(await first.code).toBe(status.OK)
    expect(await send(2).code).toBe(status.OK)
  })

  test('a request is refused with Retry-After', async () => {
    await stop()
    await start({ limits: { maxStoreWait: 0 } })
    const first = send(1)
    await expect.poll(() => inserts).toEqual([1])
    const refused = await post(`http://127.0.0.1:${collector.httpPort}`, json, logsOf(log('later')))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    letThrough()
    expect(await first.code).toBe(status.OK)
  })
})

test('an export that waits for many inserts is no reason to warn of a leak', async () => {
  const writes = vi.spyOn(GroupCommit.prototype, 'write')
  const warnings: string[] = []
  const onWarning = ({ message }: Error) => warnings.push(message)
  process.on('warning', onWarning)
  // Pieces of a large request are stored one after the other, and each has blocks for five tables.
  const dataPoints = [{ attributes: [{ key: 'k', value: { stringValue: 'x'.repeat(200_000) } }] }]
  const kinds = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary']
  const metrics = kinds.map((kind) => ({ name: kind, [kind]: { dataPoints } }))
  const resourceMetrics = Array.from({ length: 12 }, () => ({ scopeMetrics: [{ metrics }] }))
  const url = `http://127.0.0.1:${collector.httpPort}/v1/metrics`
  const sent = fetch(url, { method: 'POST', headers: json, body: JSON.stringify({ resourceMetrics }) })
  await expect.poll(() => writes.mock.calls.length).toBeGreaterThan(10)
  letThrough()
  expect((await sent).status).toBe(200)
  process.off('warning', onWarning)
  writes.mockRestore()
  expect(warnings).toEqual([])
})
