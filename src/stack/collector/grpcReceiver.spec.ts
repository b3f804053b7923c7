import { Client, compressionAlgorithms, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import type { Engine } from '../telemetry/engine/engine.ts'
import { type Collector, type CollectorOptions, startCollector } from './collector.ts'
import { decode, encode } from './otlp/messages.ts'
import { signals } from './signals.ts'
import { onlyKey } from './ingestionKey.ts'

const ingestionKey = 'test-ingestion-key'
let collector: Collector
let client: Client

afterEach(async () => {
  client.close()
  await collector.close()
})

/** Records its inserts. The engine itself is tested over HTTP. */
async function start(options: Partial<CollectorOptions> = {}) {
  const inserts: { table: string; rows: number }[] = []
  const insertBlocks: Engine['insertBlocks'] = async (table, blocks) => {
    for (const { rows } of blocks) inserts.push({ table, rows })
  }
  const logger = pino({ level: 'silent' })
  const engine = { insertBlocks }
  const usual = {
    host: '127.0.0.1',
    httpPort: 0,
    grpcPort: 0,
    acceptedKeys: onlyKey(ingestionKey),
    engine,
    retentionDays: 30,
    logger,
  }
  collector = await startCollector({ ...usual, ...options })
  client = new Client(`127.0.0.1:${collector.grpcPort}`, credentials.createInsecure(), {
    'grpc.default_compression_algorithm': compressionAlgorithms.gzip,
    // The engine's proxy (`net/egressProxy.ts`) is set for the whole process.
    'grpc.enable_http_proxy': 0,
  })
  return inserts
}

const asIs = (bytes: Buffer) => bytes

function send(path: string, body: Buffer, authorization: string | null = `Bearer ${ingestionKey}`): Promise<Buffer> {
  const metadata = new Metadata()
  if (authorization !== null) metadata.set('authorization', authorization)
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, asIs, asIs, body, metadata, (error, answer) => {
      if (error) reject(error)
      else resolve(answer!)
    })
  })
}

const failure = (call: Promise<unknown>): Promise<ServiceError> =>
  call.then(
    () => expect.unreachable(),
    (error) => error,
  )

const logs = '/opentelemetry.proto.collector.logs.v1.LogsService/Export'
// Plain objects as messages: absent fields are absent.
const logsRequest = (...logRecords: object[]) =>
  encode('ExportLogsRequest', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] } as object)

describe('OTLP over gRPC', () => {
  test('accepts gzip, and answers a stored batch with an empty response', async () => {
    const inserts = await start()
    const answer = await send(logs, logsRequest({ severityText: 'INFO' }))
    expect(answer.length).toBe(0)
    expect(inserts).toEqual([{ table: 'otel_logs', rows: 1 }])
  })

  test.each(signals)('offers the service for $name', async ({ grpcPath }) => {
    await start()
    expect((await send(grpcPath, Buffer.alloc(0))).length).toBe(0)
  })

  test.each([null, 'Bearer nope', 'Bearer ', `Basic ${ingestionKey}`])(
    'rejects %s with UNAUTHENTICATED',
    async (key) => {
      const inserts = await start()
      expect(await failure(send(logs, logsRequest({}), key))).toMatchObject({ code: status.UNAUTHENTICATED })
      expect(inserts).toEqual([])
    },
  )

  test('accepts a key without Bearer', async () => {
    await start()
    await expect(send(logs, logsRequest({}), ingestionKey)).resolves.toBeInstanceOf(Buffer)
  })

  test('rejects a malformed message with INVALID_ARGUMENT', async () => {
    await start()
    expect(await failure(send(logs, Buffer.from([0x0a, 0xff])))).toMatchObject({ code: status.INVALID_ARGUMENT })
  })

  test('rejects a message over the limit with RESOURCE_EXHAUSTED', async () => {
    await start({ limits: { maxRequestBytes: 1000 } })
    const body = logsRequest({ severityText: 'x'.repeat(2000) })
    expect(await failure(send(logs, body))).toMatchObject({ code: status.RESOURCE_EXHAUSTED })
  })

  test('rejects more records than the limit with RESOURCE_EXHAUSTED, without a retry delay', async () => {
    const inserts = await start({ limits: { maxRecords: 2 } })
    const error = await failure(send(logs, logsRequest({}, {}, {})))
    expect(error.code).toBe(status.RESOURCE_EXHAUSTED)
    expect(error.details).toContain('a request may have at most 2 log records')
    expect(decode('RpcStatus', error.metadata.get('grpc-status-details-bin')[0] as Buffer).details).toEqual([])
    expect(inserts).toEqual([])
  })

  test('reports partial success', async () => {
    await start()
    const answer = await send(logs, logsRequest({ timeUnixNano: 5 }, {}))
    const { partialSuccess } = decode('ExportLogsResponse', answer)
    expect(partialSuccess?.rejectedLogRecords.toNumber()).toBe(1)
    expect(partialSuccess?.errorMessage).toContain('30 days')
  })

  test('rejects overload with RESOURCE_EXHAUSTED and a retry delay', async () => {
    let letThrough = () => {}
    const held = new Promise<void>((resolve) => (letThrough = resolve))
    let waiting = 0
    const insertBlocks = () => {
      waiting += 1
      return held
    }
    await start({ engine: { insertBlocks }, limits: { maxRequestsInFlight: 1 } })
    const accepted = send(logs, logsRequest({}))
    await expect.poll(() => waiting).toBe(1)
    const error = await failure(send(logs, logsRequest({})))
    expect(error.code).toBe(status.RESOURCE_EXHAUSTED)
    const details = decode('RpcStatus', error.metadata.get('grpc-status-details-bin')[0] as Buffer).details
    expect(details[0]?.typeUrl).toBe('type.googleapis.com/google.rpc.RetryInfo')
    expect(decode('RetryInfo', details[0]!.value).retryDelay?.seconds.toNumber()).toBe(1)
    letThrough()
    await expect(accepted).resolves.toBeInstanceOf(Buffer)
  })

  test('limits concurrent messages, and ends stalled ones', async () => {
    await start({ grpcReceiveTimeout: 300 })
    // Calls that start and send nothing.
    const metadata = new Metadata()
    metadata.set('authorization', ingestionKey)
    const codes = Array.from(
      { length: 4 },
      () =>
        new Promise<number | undefined>((resolve) => {
          client.makeClientStreamRequest(logs, asIs, asIs, metadata, (error) => resolve(error?.code))
        }),
    )
    const after = send(logs, logsRequest({}))
    expect(await Promise.all(codes)).toEqual(Array.from({ length: 4 }, () => status.DEADLINE_EXCEEDED))
    await expect(after).resolves.toBeInstanceOf(Buffer)
  })

  test('reports a failing engine as UNAVAILABLE', async () => {
    await start({ engine: { insertBlocks: () => Promise.reject(new Error('disk full')) } })
    const error = await failure(send(logs, logsRequest({})))
    expect(error.code).toBe(status.UNAVAILABLE)
    expect(error.message).not.toContain('disk')
  })
})
