/** SQL with the tool of a deployment: who may run what, and how its results are read. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AuditPage } from '#contract/console/audit.ts'
import { startToolServer, type ToolServer } from '#node/testing/toolServer.ts'
import { generousBudgetsFor, secrets, startTestGateway, type TestGateway } from '../testing/testGateway.ts'
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
  gateway = await startTestGateway(server, { budgets: generousBudgetsFor(server.url) })
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

test.each([
  ['without one of its columns', '{"cut":true}'],
  ['whose column is no own property', '{"__proto__":1}'],
  ['with the mark of the tool', '{"a":[0,1],"cut":true}'],
])('a row %s is no row: the tool cut it', async (_, row) => {
  const meta = row.startsWith('{"a"') ? '[{"name":"a","type":"Array(UInt8)"}]' : '[{"name":"__proto__","type":"UInt8"}]'
  server.options.tools.sql = () => `{"result":{"meta":${meta},"data":[${row}]}}`
  const { code, json } = await run('SELECT 1')
  expect([code, json['message']]).toEqual(['invalid', expect.stringContaining('cut its values')])
})

const view = {
  database: 'default',
  name: 'view',
  engine: 'View',
  sorting_key: '',
  rows: null,
  bytes: null,
  columns: '',
}
const pages = { last_page: '0', tables: '2' }

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
        ...pages,
      },
      { ...view, ...pages },
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

test('a table that the tool cut has no columns, which is said', async () => {
  const columns = 'a\tUInt8\nb\tUIn'
  const whole = { ...view, ...pages, name: 'whole', columns: 'a\tUInt8' }
  result = { data: [{ ...view, ...pages, name: 'wide', columns, cut: true }, whole], rows: 2 }
  const { json } = await gateway.call('GET', tables)
  expect(json['result']).toMatchObject([
    { name: 'wide', columns: [] },
    { name: 'whole', columns: [{ name: 'a' }] },
  ])
  expect(json['origin']).toContain('It cuts the columns of large tables, which are left out: default.wide.')
})

test('tables are read in as many calls as the tool needs to return all of them, up to a limit', async () => {
  const asked: number[] = []
  const row = (page: number, last: number) => ({
    ...view,
    name: `t${page}`,
    last_page: last,
    tables: '99',
  })
  let last = 2
  server.options.tools.sql = ({ sql }) => {
    const page = Number(/WHERE page = (\d+)/.exec(String(sql))?.[1])
    asked.push(page)
    return { result: { data: [row(page, last)], rows: 1 } }
  }
  const { json } = await gateway.call('GET', tables)
  expect((json['result'] as { name: string }[]).map(({ name }) => name)).toEqual(['t0', 't1', 't2']) // of this test
  expect(asked).toEqual([0, 1, 2])
  last = 1_000
  expect((await gateway.call('GET', tables)).json['origin']).toContain('These are 8 of 99 tables.')
})

test('the connection of the statements is remembered for a while', async () => {
  await run('SELECT 1')
  await run('SELECT 2')
  const calls = server.messages.filter((body) => body.includes('"tools/call"'))
  expect(calls.map((body) => /_(list_sources|sql)"/.exec(body)?.[1])).toEqual(['list_sources', 'sql', 'sql'])
})

test('EXPLAIN is read as a table', async () => {
  await run('EXPLAIN SELECT 1', { explain: 'indexes' })
  expect(String(sent[0]?.['sql'])).toMatch(/^SELECT \* FROM \(\nEXPLAIN indexes = 1 +SELECT 1\n\)/)
})

describe('a Raw SQL tile', () => {
  const tiles = '/api/c/oss/stack/sql/tiles'
  const dashboardId = '65f5e4a3b9e77c001a000003'
  const at = Date.UTC(2026, 10, 29, 12)
  const read = { dashboardId, tileId: 't', startTime: at, endTime: at + 3_600_000, intervalSeconds: 60 }
  let api: Server
  let config: Record<string, unknown>

  beforeEach(async () => {
    config = { configType: 'sql', displayType: 'line', connectionId: 'own', sourceId: 'logs', sqlTemplate: '' }
    const from = { databaseName: 'default', tableName: 'otel_logs' }
    api = createServer((request, response) => {
      const isDashboard = request.url === `/api/v2/dashboards/${dashboardId}`
      const isSources = request.url === '/api/v2/sources'
      const place = { x: 0, y: 0, w: 1, h: 1 }
      const data = isDashboard
        ? { id: dashboardId, name: 'D', tiles: [{ id: 't', ...place, config }] }
        : [{ id: 'logs', name: 'Logs', kind: 'log', from }]
      response.writeHead(isDashboard || isSources ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data }))
    })
    await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening))
    const { port } = api.address() as AddressInfo // a server that listens on a port has one
    server.options.behind = `http://127.0.0.1:${port}`
  })
  afterEach(() => {
    api.close()
  })

  test('is filled, checked as a statement, and run on its own database', async () => {
    config['sqlTemplate'] = `SELECT $__timeInterval(Timestamp) AS ts, count() AS n -- rows
      FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND $__filters GROUP BY ts`
    const { json } = await gateway.call('POST', tiles, read)
    expect(json).toMatchObject({
      result: { columns: [{ name: 'n', type: 'UInt64' }], rows: [['18446744073709551615']], isTruncated: false },
      origin: expect.stringContaining('From the deployment’s MCP endpoint'),
    })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.['connectionId']).toBe('own')
    const statement = String(sent[0]?.['sql'])
    expect(statement).toContain('toIntervalSecond(60)')
    expect(statement).toContain(`fromUnixTimestamp64Milli(toInt64(${at}))`)
    expect(statement).toContain('FROM `default`.`otel_logs` WHERE')
    expect(statement).not.toContain('$')
    // No person chose the statement, so the audit log has no entry for each time that it is drawn.
    const { entries } = (await gateway.call('GET', '/api/audit?area=sql')).json as unknown as AuditPage // by its contract
    expect(entries).toEqual([])
  })

  test.each([
    ["SELECT * FROM url('http://a/')", 'the function url is not allowed (at 15)'],
    ['SELECT 1 SETTINGS readonly = 0', 'SETTINGS is not allowed (at 10)'],
    ['SELECT $__hidden(1)', 'The macro $__hidden of the SQL is not known.'],
    ['SELECT count() FROM t WHERE $__filter(a, $b)', '$__filter: no filter defines b.'],
    ['SELECT count() FROM $__sourceTable(gauge)', expect.stringContaining('no source with such a table')],
  ])('is not sent: %s', async (sqlTemplate, message) => {
    config['sqlTemplate'] = sqlTemplate
    const { status, code, json } = await gateway.call('POST', tiles, read)
    expect([status, code, json['message']]).toEqual([422, 'invalid', message])
    expect(sent).toEqual([])
  })

  test('has the filters that are sent, each of which is one condition', async () => {
    config['sqlTemplate'] = 'SELECT count() AS n FROM t WHERE $__filters AND e IN ($env)'
    const variables = [{ name: 'env', expression: '', values: ["o'x", '/*'] }]
    const sends = (condition: string, more = variables) =>
      gateway.call('POST', tiles, { ...read, filters: { conditions: [condition], variables: more } })
    expect((await sends("a = 'b' OR c")).status).toBe(200)
    expect(String(sent[0]?.['sql'])).toContain("WHERE ((a = 'b' OR c)) AND e IN ('o\\'x', '/*')")
    for (const condition of ['1) OR (1', 'a -- ', 'a IN (SELECT 1)', "a = '"]) {
      expect(await sends(condition)).toMatchObject({ status: 422, code: 'invalid' })
    }
    // The tool would replace it once more, within the quotes.
    expect((await sends("a = '$__timeFilter(b)'")).status).toBe(422)
    expect((await sends('a', [{ ...variables[0]!, values: ['$__timeFilter(b)'] }])).status).toBe(422)
    expect(sent).toHaveLength(1)
  })

  test('of another kind, or of another dashboard, has no statement', async () => {
    config = { displayType: 'line', sourceId: 'logs', select: [] }
    expect((await gateway.call('POST', tiles, read)).json['message']).toBe('The tile has no SQL.')
    expect((await gateway.call('POST', tiles, { ...read, tileId: 'other' })).code).toBe('notFound')
    expect((await gateway.call('POST', tiles, { ...read, dashboardId: 'other' })).status).toBeGreaterThanOrEqual(400)
    expect(sent).toEqual([])
  })

  test('is off on production like other SQL, and says where it can be allowed', async () => {
    config['sqlTemplate'] = 'SELECT 1 AS n'
    await change({ stage: 'production' })
    const refused = await gateway.call('POST', tiles, read)
    expect([refused.status, refused.code]).toEqual([403, 'blocked'])
    expect(refused.json['message']).toContain('can allow SQL in its settings')
    expect(sent).toEqual([])
    await change({ stage: 'production', sqlForReaders: true })
    const viewer = await signInAs(gateway, { role: 'viewer', roles: {} })
    expect((await viewer.call('POST', tiles, read)).status).toBe(200)
  })

  test('of a deployment without an endpoint has no rows, with the reason', async () => {
    config['sqlTemplate'] = 'SELECT 1 AS n'
    server.options.instead = (_, response) => Boolean(response.writeHead(404).end())
    const { status, code } = await gateway.call('POST', tiles, read)
    expect([status, code]).toEqual([404, 'notOffered'])
  })
})
