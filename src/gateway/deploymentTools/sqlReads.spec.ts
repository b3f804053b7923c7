/** SQL with the tool of a deployment: who may run what, and how its results are read. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AuditPage } from '#contract/audit.ts'
import { startToolServer, type ToolServer } from '#node/testing/toolServer.ts'
import { ampleFor, secrets, startTestGateway, type TestGateway } from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

const queries = '/api/c/oss/stack/sql/queries'
const tables = '/api/c/oss/stack/sql/tables'

let server: ToolServer
let gateway: TestGateway
let sent: Record<string, unknown>[]
let result: unknown

beforeEach(async () => {
  sent = []
  result = { meta: [{ name: 'n', type: 'UInt64' }], data: [{ n: '18446744073709551615' }], rows: 1 }
  server = await startToolServer({
    key: secrets.accessKey,
    tools: {
      listSources: () => ({
        sources: [{ id: 's', connectionId: 'used' }],
        connections: [
          { id: 'other', name: 'Other' },
          { id: 'used', name: 'Used' },
        ],
      }),
      sql: (input) => {
        sent.push(input)
        return { result }
      },
    },
  })
  gateway = await startTestGateway(server, { budgets: ampleFor(server.url) })
})
afterEach(async () => {
  await gateway.close()
  await server.close()
})

const run = (statement: string, more: object = {}) => gateway.call('POST', queries, { statement, ...more })

async function change(settings: object): Promise<void> {
  const list = (await gateway.call('GET', '/api/connections')).json as unknown as { id: string }[] // a list
  const known = list.find(({ id }) => id === 'oss')
  const body = { ...known, ...settings, confirmedName: 'Open source' }
  expect((await gateway.call('PUT', '/api/connections/oss', body)).status).toBe(200)
}

test('a statement is wrapped, runs on the database that sources read, and is entered in the audit log', async () => {
  const { json } = await run("SELECT max(n) AS n FROM t WHERE a = 'secret' -- note\n;", { maxRows: 10 })
  expect(json).toMatchObject({
    result: { columns: [{ name: 'n', type: 'UInt64' }], rows: [['18446744073709551615']], isTruncated: false },
    origin: expect.stringContaining('MCP endpoint'),
  })
  expect(json['result']).not.toHaveProperty('rowsRead')
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({
    connectionId: 'used',
    sql: expect.stringMatching(
      /^SELECT \* FROM \(\nSELECT max\(n\) AS n FROM t WHERE a = 'secret' +\n +\n\) LIMIT 11\nSETTINGS /,
    ),
  })
  const { entries } = (await gateway.call('GET', '/api/audit?area=sql')).json as unknown as AuditPage // by its contract
  expect(entries[0]).toMatchObject({
    event: 'sql.run',
    subject: "SELECT max(n) AS n FROM t WHERE a = '…' ;",
    outcome: 'done',
  })
})

test('a refused statement is not sent, and says where', async () => {
  const { status, code, json } = await run("SELECT * FROM url('http://a/')")
  expect([status, code, json['message']]).toEqual([422, 'invalid', 'the function url is not allowed (at 15)'])
  expect(sent).toEqual([])
})

test('on production it is off for everybody, until the connection allows SQL', async () => {
  await change({ stage: 'production' })
  const viewer = await signInAs(gateway, { role: 'viewer', roles: {} })
  for (const tried of [await run('SELECT 1'), await gateway.call('GET', tables)]) {
    expect([tried.status, tried.code]).toEqual([403, 'blocked'])
    expect(tried.json['message']).toContain('off on production')
  }
  expect((await viewer.call('POST', queries, { statement: 'SELECT 1' })).status).toBe(403)
  expect(sent).toEqual([])
  await change({ stage: 'production', sqlForReaders: true })
  expect((await run('SELECT 1')).status).toBe(200)
  expect((await viewer.call('POST', queries, { statement: 'SELECT 1' })).status).toBe(200)
})

test('rows that the tool left out are said to exist', async () => {
  result = {
    meta: [{ name: 'n', type: 'UInt8' }],
    data: [{ n: 1 }],
    rows: 5000,
    statistics: { rows_read: 7, bytes_read: 9 },
  }
  expect((await run('SELECT n FROM t')).json['result']).toMatchObject({ isTruncated: true, rowsRead: 7, bytesRead: 9 })
  result = { meta: [{ name: 'n', type: 'UInt8' }], data: [{ n: 1 }, { n: 2 }], rows: 2 }
  expect((await run('SELECT n FROM t', { maxRows: 1 })).json['result']).toMatchObject({
    rows: [[1]],
    isTruncated: true,
  })
})

test('two columns of one name have no result: the tool returns one value for both', async () => {
  result = {
    meta: [
      { name: 'a', type: 'UInt8' },
      { name: 'a', type: 'UInt8' },
    ],
    data: [{ a: 2 }],
    rows: 1,
  }
  expect((await run('SELECT 1 AS a, 2 AS a')).json['message']).toContain('two columns are called a')
})

test('digits and nested values survive', async () => {
  const meta = '[{"name":"a","type":"Map(String, UInt64)"},{"name":"b","type":"Float64"}]'
  server.options.tools.sql = () => `{"result":{"meta":${meta},"data":[{"a":{"k":12345678901234567890},"b":1e400}]}}`
  expect((await run('SELECT 1')).text).toContain('[{"k":"12345678901234567890"},"1e400"]')
})

test.each(['{"cut":true}', '{"__proto__":1}'])('a row without one of its columns is no row: %s', async (row) => {
  const meta = '[{"name":"__proto__","type":"UInt8"}]'
  server.options.tools.sql = () => `{"result":{"meta":${meta},"data":[${row}]}}`
  const { code, json } = await run('SELECT 1')
  expect([code, json['message']]).toEqual(['invalid', expect.stringContaining('left out its column')])
})

test('tables come with their columns; what is not counted is absent', async () => {
  result = {
    data: [
      {
        database: 'default',
        name: 'logs',
        engine: 'MergeTree',
        sorting_key: 'a, b',
        rows: '5',
        bytes: '10',
        columns: 'a\tUInt8\nb\tMap(String, String)',
      },
      { database: 'default', name: 'view', engine: 'View', sorting_key: '', rows: null, bytes: null, columns: '' },
    ],
    rows: 2,
  }
  expect((await gateway.call('GET', tables)).json['result']).toEqual([
    {
      database: 'default',
      name: 'logs',
      engine: 'MergeTree',
      sortingKey: 'a, b',
      rows: 5,
      bytes: 10,
      columns: [
        { name: 'a', type: 'UInt8' },
        { name: 'b', type: 'Map(String, String)' },
      ],
    },
    { database: 'default', name: 'view', engine: 'View', columns: [] },
  ])
})

test('EXPLAIN is read as a table', async () => {
  await run('EXPLAIN SELECT 1', { explain: 'indexes' })
  expect(String(sent[0]?.['sql'])).toMatch(/^SELECT \* FROM \(\nEXPLAIN indexes = 1 +SELECT 1\n\)/)
})
