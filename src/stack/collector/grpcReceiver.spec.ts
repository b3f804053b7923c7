import { connect as connectSocket } from 'node:net'
import { connect, type IncomingHttpHeaders } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { Client, compressionAlgorithms, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { Compressor } from 'snappy'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import type { Engine } from '../telemetry/engine/engine.ts'
import { type Collector, type CollectorOptions, startCollector } from './collector.ts'
import { decode, encode } from './otlp/messages.ts'
import { signals } from './signals.ts'
import { onlyKey } from './ingestionKey.ts'
import { compressedText, plainText } from '../testing/compressed/compressedText.ts'

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
    retentionDays: () => 30,
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

/** A call by hand, to send what the client above does not. Resolves to the headers and trailers of the answer. */
function call(headers: Record<string, string>, ...chunks: Buffer[]): Promise<IncomingHttpHeaders> {
  const session = connect(`http://127.0.0.1:${collector.grpcPort}`)
  const head = { ':method': 'POST', ':path': logs, 'content-type': 'application/grpc', te: 'trailers' }
  const stream = session.request({ ...head, authorization: ingestionKey, ...headers })
  return new Promise<IncomingHttpHeaders>((resolve, reject) => {
    let answer: IncomingHttpHeaders = {}
    stream.on('response', (response) => (answer = response))
    stream.on('trailers', (trailers) => (answer = { ...answer, ...trailers }))
    stream.on('error', reject)
    stream.on('close', () => resolve(answer))
    stream.resume()
    for (const chunk of chunks) stream.write(chunk)
    stream.end()
  }).finally(() => session.destroy())
}

async function compressFramed(body: Buffer): Promise<Buffer> {
  const compressor = new Compressor()
  return Buffer.concat([compressor.update(body), await compressor.finish()])
}

/** A message of the protocol. */
function framed(body: Buffer, flag = 1, length = body.length): Buffer {
  const prefix = Buffer.from([flag, 0, 0, 0, 0])
  prefix.writeUInt32BE(length, 1)
  return Buffer.concat([prefix, body])
}

describe('a compressed call', () => {
  test.each([
    ['zstd', 'zstd-grpc'],
    ['snappy', 'x-snappy-framed'],
  ] as const)('is decompressed as collectors send it: %s', async (encoding, format) => {
    await start()
    const body = compressedText(format)
    // The text is no message, which only a decompressed one can show.
    expect((await call({ 'grpc-encoding': encoding }, framed(body)))['grpc-message']).toContain(
      'not an OTLP logs request',
    )
    await collector.close()
    client.close()
    await start({ limits: { maxRequestBytes: plainText.length - 1 } })
    const refused = await call({ 'grpc-encoding': encoding }, framed(body))
    expect(refused['grpc-message']).toContain('decompressed bytes')
    expect(refused['grpc-status']).toBe(String(status.RESOURCE_EXHAUSTED))
  })

  test('stores its records', async () => {
    const inserts = await start()
    const body = await compressFramed(logsRequest({}, {}))
    expect((await call({ 'grpc-encoding': 'snappy' }, framed(body)))['grpc-status']).toBe('0')
    // A sender may leave single messages as they are.
    expect((await call({ 'grpc-encoding': 'zstd' }, framed(logsRequest({}), 0)))['grpc-status']).toBe('0')
    expect(inserts.map(({ rows }) => rows)).toEqual([2, 1])
  })

  test('with an unknown encoding is refused with those that are known', async () => {
    await start()
    const answer = await call({ 'grpc-encoding': 'br' }, framed(Buffer.from('?')))
    expect(answer).toMatchObject({ ':status': 200, 'grpc-status': String(status.UNIMPLEMENTED) })
    expect(String(answer['grpc-accept-encoding']).split(',')).toEqual(
      expect.arrayContaining(['gzip', 'zstd', 'snappy']),
    )
  })

  test('that becomes too large is refused', async () => {
    await start({ limits: { maxRequestBytes: 100_000 } })
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const answer = await call({ 'grpc-encoding': 'gzip' }, framed(bomb))
    expect(answer['grpc-status']).toBe(String(status.RESOURCE_EXHAUSTED))
  })
})

describe('a call that does not keep to the protocol', () => {
  const body = logsRequest({})
  test.each<[string, Record<string, string>, Buffer[], object]>([
    ['without a message', {}, [], { 'grpc-status': '3' }],
    ['whose message is cut off', {}, [framed(body, 0, body.length + 1)], { 'grpc-status': '3' }],
    ['with two messages', {}, [framed(body, 0), framed(body, 0)], { 'grpc-status': '3' }],
    ['with an unknown flag', {}, [framed(body, 2)], { 'grpc-status': '3' }],
    ['whose message claims 4 GiB', {}, [framed(body, 0, 2 ** 32 - 1)], { 'grpc-status': '8' }],
    ['of another type', { 'content-type': 'application/json' }, [body], { ':status': 415 }],
    ['of gRPC-Web', { 'content-type': 'application/grpc-web+proto' }, [body], { ':status': 415 }],
    ['of another method', { ':method': 'PUT' }, [body], { ':status': 405 }],
    ['to an unknown path', { ':path': '/a.B/C' }, [framed(body, 0)], { ':status': 200, 'grpc-status': '12' }],
  ])('is refused: %s', async (_how, headers, chunks, answer) => {
    const inserts = await start()
    expect(await call(headers, ...chunks)).toMatchObject(answer)
    expect(inserts).toEqual([])
  })

  test('is read however its bytes are divided', async () => {
    const inserts = await start()
    const bytes = Array.from(framed(body, 0), (byte) => Buffer.from([byte]))
    expect(await call({}, ...bytes)).toMatchObject({ 'grpc-status': '0' })
    expect(inserts).toEqual([{ table: 'otel_logs', rows: 1 }])
  })

  test('leaves the server to others', async () => {
    await start()
    const socket = connectSocket(collector.grpcPort, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.end('GET / HTTP/1.1\r\n\r\n')
    await new Promise((resolve) => socket.resume().once('close', resolve))
    expect(await call({}, framed(body, 0))).toMatchObject({ 'grpc-status': '0' })
  })
})

test('a call that is refused early does not wait for its sender', async () => {
  await start()
  const session = connect(`http://127.0.0.1:${collector.grpcPort}`)
  const stream = session.request({ ':method': 'POST', ':path': logs, 'content-type': 'application/grpc' })
  // Goes on to send far more than fits into the window of the stream.
  stream.on('error', () => undefined)
  stream.write(Buffer.alloc(5_000_000))
  const answer = await new Promise<IncomingHttpHeaders>((resolve) => stream.on('response', resolve))
  expect(answer['grpc-status']).toBe(String(status.UNAUTHENTICATED))
  session.destroy()
})
