import { gzipSync, deflateSync } from 'node:zlib'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { type Collector, type CollectorOptions, startCollector } from './collector.ts'
import { decode, encode } from './otlp/messages.ts'

const ingestionKey = 'test-ingestion-key'
let collector: Collector | undefined

afterEach(async () => {
  await collector?.close()
  collector = undefined
})

/** Remembers what it was given; an insert ends when `gate` does. */
function recordingEngine(gate: () => Promise<void> = async () => undefined) {
  const inserts: { table: string; rows: readonly object[] }[] = []
  return {
    inserts,
    insert: async (table: string, rows: readonly object[]) => {
      await gate()
      inserts.push({ table, rows })
    },
  }
}

async function start(options: Partial<CollectorOptions> & Pick<CollectorOptions, 'engine'>): Promise<string> {
  collector = await startCollector({
    host: '127.0.0.1',
    httpPort: 0,
    grpcPort: 0,
    ingestionKey,
    retentionDays: 30,
    logger: pino({ level: 'silent' }),
    ...options,
  })
  return `http://127.0.0.1:${collector.httpPort}`
}

const json = { authorization: `Bearer ${ingestionKey}`, 'content-type': 'application/json' }
const protobuf = { authorization: ingestionKey, 'content-type': 'application/x-protobuf' }
const now = () => BigInt(Date.now()) * 1_000_000n
const logsOf = (...records: object[]) => JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] })
const post = (url: string, headers: Record<string, string>, body: BodyInit, path = '/v1/logs') =>
  fetch(url + path, { method: 'POST', headers, body })

describe('OTLP over HTTP', () => {
  test('stores a JSON batch, then answers {}', async () => {
    const engine = recordingEngine()
    const url = await start({ engine })
    const response = await post(url, json, logsOf({ timeUnixNano: String(now()), body: { stringValue: 'hi' } }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toEqual({})
    expect(engine.inserts).toMatchObject([{ table: 'otel_logs', rows: [{ Body: 'hi' }] }])
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('takes protobuf with %s', async (encoding, compress) => {
    const engine = recordingEngine()
    const url = await start({ engine })
    const body = compress(encode('ExportLogsRequest', { resourceLogs: [] }))
    const response = await post(url, { ...protobuf, 'content-encoding': encoding }, body)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/x-protobuf')
    expect((await response.arrayBuffer()).byteLength).toBe(0)
  })
  test.each([
    ['401 without the key', 401, 16, { 'content-type': 'application/json' }, '{}'],
    ['401 with another key', 401, 16, { ...json, authorization: 'Bearer nope' }, '{}'],
    ['415 for another media type', 415, 3, { ...json, 'content-type': 'text/plain' }, '{}'],
    ['415 for another content-encoding', 415, 3, { ...json, 'content-encoding': 'br' }, '{}'],
    ['400 for broken JSON', 400, 3, json, '{"resourceLogs":['],
    ['400 for a wrong shape', 400, 3, json, '{"resourceLogs":{}}'],
    ['400 for a body that is not gzip', 400, 3, { ...json, 'content-encoding': 'gzip' }, '{}'],
    ['400 for an empty body', 400, 3, json, ''],
    ['413 for a body over the limit', 413, 8, json, ' '.repeat(10_001)],
    [
      '413 for a body over the limit once decompressed',
      413,
      8,
      { ...json, 'content-encoding': 'gzip' },
      gzipSync(' '.repeat(10_001)),
    ],
  ])('answers %s', async (_, status, code, headers, body) => {
    const engine = recordingEngine()
    const url = await start({ engine, limits: { maxRequestBytes: 10_000 } })
    const response = await post(url, headers, body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code, message: expect.stringMatching(/\w/) })
    expect(engine.inserts).toEqual([])
  })

  test('spells an error the way the request is spelled', async () => {
    const url = await start({ engine: recordingEngine() })
    const response = await post(url, protobuf, new Uint8Array([0x0a, 0xff]))
    expect(response.status).toBe(400)
    const status = decode('RpcStatus', new Uint8Array(await response.arrayBuffer()))
    expect(status.code).toBe(3)
    expect(status.message).toContain('logs')
  })
})
