/** SQL through the query endpoint of a managed service, where the control plane has no route for it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AuditPage } from '#contract/console/audit.ts'
import { queryAddress } from '#contract/cloud/services/serviceEndpoints.ts'
import {
  answerJson,
  answerText,
  generousBudgetsFor,
  secrets,
  serviceId,
  startTestGateway,
  startUpstream,
  type TestGateway,
  type TestUpstream,
} from '../testing/testGateway.ts'

const queries = '/api/c/managed/stack/sql/queries'
const tables = '/api/c/managed/stack/sql/tables'
const endpoint = `/service/${serviceId}/run?format=JSON`
const page = answerText('<pre>Cannot POST</pre>', 'text/html', 404)

let upstream: TestUpstream
let gateway: TestGateway

beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())
beforeEach(async () => {
  answers(answerJson({ meta: [{ name: 'n', type: 'UInt64' }], data: [{ n: '5' }], rows: 1 }))
  gateway = await startTestGateway(upstream, { budgets: generousBudgetsFor(upstream.url) })
  return () => gateway.close()
})

/** @param respond how the query endpoint answers; the control plane has no other route */
function answers(respond: ReturnType<typeof answerJson>): void {
  upstream.become((hit, response) => (hit.url.startsWith('/service/') ? respond : page)(hit, response))
}

const run = (statement: string, more: object = {}) => gateway.call('POST', queries, { statement, ...more })
const sent = () => upstream.hits.filter(({ url }) => url.startsWith('/service/'))

async function change(settings: object): Promise<void> {
  const list = (await gateway.call('GET', '/api/connections')).json as unknown as { id: string }[] // a list
  const known = list.find(({ id }) => id === 'managed')
  const body = { ...known, ...settings, confirmedName: 'Managed' }
  expect((await gateway.call('PUT', '/api/connections/managed', body)).status).toBe(200)
}

test('a statement runs with the key of the connection, without settings, and is entered in the audit log', async () => {
  const { json } = await run("SELECT max(n) AS n FROM t WHERE a = 'secret'", { maxRows: 10 })
  expect(json).toMatchObject({
    result: { columns: [{ name: 'n', type: 'UInt64' }], rows: [['5']], isTruncated: false },
    origin: 'From the query endpoint of the service.',
  })
  expect(sent()).toHaveLength(1)
  const [hit] = sent()
  expect([hit?.method, hit?.url]).toEqual(['POST', endpoint])
  const pair = Buffer.from(`key-id:${secrets.keySecret}`).toString('base64')
  expect(hit?.headers.authorization).toBe(`Basic ${pair}`)
  expect(JSON.parse(hit?.body ?? '')).toEqual({
    sql: "SELECT * FROM (\nSELECT max(n) AS n FROM t WHERE a = 'secret'\n) LIMIT 11",
  })
  const { entries } = (await gateway.call('GET', '/api/audit?area=sql')).json as unknown as AuditPage // by its contract
  expect(entries[0]).toMatchObject({ event: 'sql.run', outcome: 'done' })
  // The control plane is not asked again for a route that it lacks.
  await run('SELECT 1')
  expect(upstream.hits.filter(({ url }) => url.includes('/sql/'))).toHaveLength(1)
})

test('the largest result has one row less than the endpoint returns, and says that there are more', async () => {
  const data = Array.from({ length: 10_000 }, () => ({ n: '1' }))
  answers(answerJson({ meta: [{ name: 'n', type: 'UInt64' }], data, rows: data.length }))
  const { json } = await run('SELECT n FROM t', { maxRows: 10_000 })
  expect(JSON.parse(sent()[0]?.body ?? '').sql).toMatch(/LIMIT 10000$/)
  expect(json['result']).toMatchObject({ isTruncated: true, rows: { length: 9_999 } })
})

test('tables are read with the same endpoint', async () => {
  const row = { database: 'default', name: 'otel_logs', engine: 'MergeTree', sorting_key: 'a', rows: '5', bytes: null }
  answers(answerJson({ meta: [], data: [{ ...row, columns: 'a\tUInt8', last_page: '0', tables: '1' }], rows: 1 }))
  const { json } = await gateway.call('GET', tables)
  expect(json['result']).toEqual([
    {
      database: 'default',
      name: 'otel_logs',
      engine: 'MergeTree',
      sortingKey: 'a',
      rows: 5,
      columns: [{ name: 'a', type: 'UInt8' }],
    },
  ])
})

test.each([
  ['DateTime', '2026-11-30 12:00:00', '2026-11-30T06:15:00Z', 2],
  ["DateTime('Europe/Berlin')", '2026-11-30 12:00:00', '2026-11-30T11:00:00Z', 1],
  ['DateTime64(9)', '2026-11-30 12:00:00.123456789', '2026-11-30T06:15:00.123456789Z', 2],
  ["Nullable(DateTime64(3, 'UTC'))", '2026-11-30 12:00:00.500', '2026-11-30T12:00:00.500Z', 1],
  ['Nullable(DateTime)', null, null, 1],
  ['DateTime', '2026-11-30T12:00:00Z', '2026-11-30T12:00:00Z', 1],
  ['Date', '2026-11-30', '2026-11-30', 1],
  ['String', '2026-11-30 12:00:00', '2026-11-30 12:00:00', 1],
])('times of the type %s are in UTC: %s', async (type, written, time, requests) => {
  const zone = { meta: [{ name: 'zone', type: 'String' }], data: [{ zone: 'Asia/Kathmandu' }], rows: 1 }
  const rows = { meta: [{ name: 't', type }], data: [{ t: written }], rows: 1 }
  answers((hit, response) => answerJson(hit.body.includes('timezone()') ? zone : rows)(hit, response))
  const { json } = await run('SELECT t FROM times')
  expect(json['result']).toMatchObject({ columns: [{ name: 't', type }], rows: [[time]] })
  expect(sent()).toHaveLength(requests)
})

test('times of a zone that nobody knows are refused', async () => {
  answers(answerJson({ meta: [{ name: 't', type: "DateTime('Mars/Base')" }], data: [{ t: '2026-11-30 12:00:00' }] }))
  const { code, json } = await run('SELECT t FROM times')
  expect([code, json['message']]).toEqual([
    'invalid',
    "t: times of the zone Mars/Base cannot be read. Use toTimeZone(t, 'UTC')",
  ])
})

test.each([
  ["SELECT * FROM url('http://a/')", 'the function url is not allowed (at 15)'],
  ['SELECT 1 SETTINGS readonly = 0', 'SETTINGS is not allowed (at 10)'],
])('what only the rights of the endpoint would stop is not sent: %s', async (statement, message) => {
  const { status, code, json } = await run(statement)
  expect([status, code, json['message']]).toEqual([422, 'invalid', message])
  expect(sent()).toEqual([])
})

test('on production it is off for everybody, until the connection allows SQL', async () => {
  await change({ stage: 'production' })
  const refused = await run('SELECT 1')
  expect([refused.status, refused.code]).toEqual([403, 'blocked'])
  expect(refused.json['message']).toContain('SQL through the query endpoint of the service is off on production.')
  expect(sent()).toEqual([])
  await change({ stage: 'production', sqlForReaders: true })
  expect((await run('SELECT 1')).status).toBe(200)
})

const error = (text: string, status: number) => answerJson({ status, error: text, requestId: 'r' }, status)

test.each([
  [
    'off',
    error('NOT_FOUND: the query endpoint is off', 404),
    'notOffered',
    'The query endpoint of the service is off.',
  ],
  ['not for this key', error('FORBIDDEN: not bound', 403), 'notOffered', 'refuses this key'],
  ['a web page', answerText('<html>', 'text/html', 404), 'notOffered', 'is off'],
  ['a refused key', error('UNAUTHORIZED: no', 401), 'keyRejected', 'rejected the key'],
  ['a stopped service', answerJson({ message: 'Confirm wake service' }, 206), 'invalid', 'Start it to run SQL'],
  ['a wrong statement', error('BAD_REQUEST: no column x', 400), 'invalid', 'no column x'],
  ['a limit', error('too many', 429), 'rateLimited', 'too many requests'],
  ['a failure', answerText('oops', 'text/plain', 500), 'upstreamFailed', 'failed (500)'],
  ['something else', answerText('[1]', 'application/json'), 'malformedReply', 'does not know'],
  ['a key in its text', error(`BAD_REQUEST: ${secrets.keySecret}`, 400), 'invalid', '•••'],
])('says why there is no result: %s', async (_, respond, code, said) => {
  answers(respond)
  const { json, text, ...reply } = await run('SELECT 1')
  expect(reply.code).toBe(code)
  expect(`${String(json['message'])} ${String(json['detail'])}`).toContain(said)
  expect(text).not.toContain(secrets.keySecret)
})

test('the query endpoints of the vendor have a host of their own, and only over TLS', () => {
  expect(queryAddress('https://api.clickhouse.cloud')).toBe('https://queries.clickhouse.cloud')
  expect(queryAddress('http://api.clickhouse.cloud')).toBe('http://api.clickhouse.cloud')
  for (const other of [
    'https://api.corp.example',
    'https://api.clickhouse.cloud.example',
    'https://api.example/clickhouse.cloud',
    'https://capi.clickhouse.cloud',
  ]) {
    expect(queryAddress(other)).toBe(other)
  }
  expect(queryAddress('http://127.0.0.1:8000')).toBe('http://127.0.0.1:8000')
})
