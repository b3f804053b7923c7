import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { defaultSources } from '../../telemetry/defaultSources.ts'
import { tables } from '../../telemetry/tables.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { startTestStack, type TestStack } from '../../testing/testStack.ts'
import { sourceRows } from '../sources.ts'

let stack: TestStack
let engine: Engine
const ids: Record<string, string> = {}
/** Yesterday at 12:00: the engine drops rows after 30 days. */
const start = Math.floor(currentTime() / 86_400_000 - 1) * 86_400_000 + 12 * 3_600_000
const day = new Date(start).toISOString().slice(0, 10)
const iso = (seconds: number) => new Date(start + seconds * 1000).toISOString()
const large = '18446744073709551615'

beforeAll(async () => {
  engine = await temporaryEngine()
  stack = await startTestStack({ engine })
  for (const source of defaultSources(engine.kind === 'remote' ? engine.database : undefined)) {
    const id = source.kind.padEnd(24, '0').replaceAll(/[^0-9a-f]/g, '0')
    ids[source.kind] = id
    await sourceRows.insert(stack.store, { ...source, id, connection: stack.identity.connectionId })
  }
  const lines = ['started', 'payment declined', 'payment accepted', 'done']
  await engine.insert(
    tables.logs,
    lines.map((Body, at) => ({
      Timestamp: `${start / 1000 + at * 60}.123456789`,
      Body,
      ServiceName: at % 2 ? 'payment' : 'web',
      SeverityText: at === 1 ? 'error' : 'info',
      SeverityNumber: at === 1 ? 17 : 9,
      LogAttributes: { 'http.status_code': String(200 + at), at: String(at) },
    })),
  )
  await engine.insert(tables.traces, [
    { Timestamp: `${start / 1000}.000000001`, SpanName: 'GET /', ServiceName: 'web', Duration: large, TraceId: 't1' },
  ])
})
afterAll(async () => {
  await stack.close()
  await engine.close()
})

const search = (changes: object = {}) =>
  stack.openSource('POST', '/search', { sourceId: ids['log'], startTime: iso(-1), endTime: iso(3600), ...changes })
const rows = async (changes: object = {}) => {
  const answer = await search(changes)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.json.data
}
const bodies = async (changes: object = {}) => (await rows(changes)).map((row: { Body: string }) => row.Body)

describe('rows', () => {
  test('of the default columns, newest first', async () => {
    const { status, json } = await search()
    expect(status).toBe(200)
    expect(json.rows).toBe(4)
    expect(Object.keys(json)).toEqual(['data', 'rows'])
    expect(json.data[0]).toEqual({
      Timestamp: `${day}T12:03:00.123456789Z`,
      ServiceName: 'payment',
      SeverityText: 'info',
      Body: 'done',
    })
    expect(json.data.map((row: { Body: string }) => row.Body)).toEqual([
      'done',
      'payment accepted',
      'payment declined',
      'started',
    ])
  })

  test('have times in ISO 8601 and UTC, whatever the type and zone of a column', async () => {
    const select = `toDateTime(Timestamp, 'Europe/Berlin') AS local, [toDateTime64(Timestamp, 3)] AS list,
      map('at', Timestamp) AS keys, toDate(Timestamp) AS day`
    const [row] = await rows({ select })
    expect(row).toEqual({
      local: `${day}T12:03:00Z`,
      list: [`${day}T12:03:00.123Z`],
      keys: { at: `${day}T12:03:00.123456789Z` },
      day,
    })
  })

  test.each(['T', ' '])('are found by a time as it was answered, written with "%s"', async (separator) => {
    const [first] = await rows({ select: 'Timestamp' })
    const time = first.Timestamp.replace('T', separator).replace(/Z$/, separator === 'T' ? 'Z' : '')
    const where = `Timestamp = parseDateTime64BestEffort('${time}', 9, 'UTC')`
    expect(await bodies({ where, whereLanguage: 'sql' })).toEqual(['done'])
  })

  test('have 64-bit integers as text', async () => {
    const select = 'Timestamp, Duration, Duration AS `the duration`, toInt64(-1)'
    const [row] = await rows({ sourceId: ids['trace'], select })
    expect(row).toEqual({
      Timestamp: `${day}T12:00:00.000000001Z`,
      Duration: large,
      'the duration': large,
      'toInt64(-1)': '-1',
    })
  })

  test('have the names that the engine gives, or those after AS', async () => {
    const select =
      "upper(Body), LogAttributes['at'] AS at, LogAttributes.http.status_code, (SeverityNumber, Body) AS pair"
    expect((await rows({ select }))[0]).toEqual({
      'upper(Body)': 'DONE',
      at: '3',
      'LogAttributes.http.status_code': '203',
      pair: [9, 'done'],
    })
  })

  test('of all columns', async () => {
    const [row] = await rows({ select: '*', where: 'declined' })
    expect(row).toMatchObject({ Body: 'payment declined', LogAttributes: { at: '1', 'http.status_code': '201' } })
    expect(Object.keys(row)).not.toContain('LogAttributeItems')
  })

  test('are not affected by an alias that is the name of a column', async () => {
    expect(
      await rows({
        select: 'toString(SeverityNumber) AS Timestamp, Body',
        where: 'SeverityNumber = 17',
        whereLanguage: 'sql',
      }),
    ).toEqual([{ Timestamp: '17', Body: 'payment declined' }])
  })

  test.each<[object, string[]]>([
    [{ where: 'payment' }, ['payment accepted', 'payment declined']],
    [{ where: 'SeverityText:error' }, ['payment declined']],
    [{ where: "ServiceName = 'web' AND Body != 'x'", whereLanguage: 'sql' }, ['payment accepted', 'started']],
    [{ orderBy: 'Body' }, ['done', 'payment accepted', 'payment declined', 'started']],
    [
      { orderBy: 'ServiceName desc, length(Body) ASC NULLS LAST' },
      ['started', 'payment accepted', 'done', 'payment declined'],
    ],
    [
      { select: 'Body, length(Body) AS size', orderBy: 'size DESC, Body' },
      ['payment accepted', 'payment declined', 'started', 'done'],
    ],
    [{ maxResults: 2, offset: 1 }, ['payment accepted', 'payment declined']],
    [{ startTime: `${day}T12:01:00Z`, endTime: `${day}T13:02:10+01:00` }, ['payment accepted', 'payment declined']],
  ])('%j', async (changes, expected) => {
    expect(await bodies(changes)).toEqual(expected)
  })

  test('of the last 15 minutes unless times are given', async () => {
    await engine.insert(tables.logs, [
      { Timestamp: `${Math.floor(currentTime() / 1000) - 60}.000000000`, Body: 'recent' },
      { Timestamp: `${Math.floor(currentTime() / 1000) - 1200}.000000000`, Body: 'earlier' },
    ])
    expect(await bodies({ startTime: undefined, endTime: undefined })).toEqual(['recent'])
  })

  test('in the order of the source', async () => {
    const source = await sourceRows.get(stack.store, ids['log'] ?? '')
    const id = 'c'.repeat(24)
    await sourceRows.insert(stack.store, { ...source!, id, orderByExpression: 'Body ASC' })
    expect((await bodies({ sourceId: id }))[0]).toBe('done')
  })
})

describe('limits', () => {
  test.each<[object, string]>([
    [{ sourceId: undefined }, 'sourceId: Required'],
    [{ maxResults: 0 }, 'maxResults: Number must be greater than or equal to 1'],
    [{ maxResults: 2001 }, 'maxResults: Number must be less than or equal to 2000'],
    [{ maxResults: 1.5 }, 'maxResults: Expected integer, received float'],
    [{ offset: -1 }, 'offset: Number must be greater than or equal to 0'],
    [{ offset: 10_001 }, 'offset: Number must be less than or equal to 10000'],
    [{ where: 'x'.repeat(8193) }, 'where: String must contain at most 8192 character(s)'],
    [{ select: 'x'.repeat(4097) }, 'select: String must contain at most 4096 character(s)'],
    [{ orderBy: 'x'.repeat(1025) }, 'orderBy: String must contain at most 1024 character(s)'],
    [{ whereLanguage: 'kql' }, "whereLanguage: Invalid enum value. Expected 'lucene' | 'sql', received 'kql'"],
    [{ select: 'Body; DROP TABLE otel_logs' }, 'select: select must not contain ";" or "SELECT"'],
    [{ select: '(select 1)' }, 'select: select must not contain ";" or "SELECT"'],
    [{ startTime: 5 }, 'startTime: Expected string, received number'],
  ])('%j', async (changes, message) => {
    const { status, json } = await search(changes)
    expect([status, json]).toEqual([400, { message: `Body validation failed: ${message}` }])
  })

  test.each<[object, string]>([
    [{ startTime: 'yesterday' }, 'Invalid startTime or endTime: must be valid ISO 8601 strings'],
    [{ endTime: '1769860800000' }, 'Invalid startTime or endTime: must be valid ISO 8601 strings'],
    [{ startTime: '2026-02-31T25:00:00Z' }, 'Invalid startTime or endTime: must be valid ISO 8601 strings'],
    [{ startTime: iso(0), endTime: iso(0) }, 'endTime must be greater than startTime'],
  ])('%j', async (changes, message) => {
    const { status, json } = await search(changes)
    expect([status, json]).toEqual([400, { message }])
  })

  test('a source that does not exist, or has no rows', async () => {
    const missing = await search({ sourceId: 'e'.repeat(24) })
    expect([missing.status, missing.json]).toEqual([404, { message: `Source not found: ${'e'.repeat(24)}` }])
    const metric = await search({ sourceId: ids['metric'] })
    expect([metric.status, metric.json]).toEqual([
      400,
      { message: 'BAD_ARGUMENTS: sourceId: Metrics cannot be searched: use a source of logs or traces' },
    ])
  })

  test('the managed variant has no search', async () => {
    expect((await stack.managed('POST', '/search', { sourceId: ids['log'] })).status).toBe(404)
  })
})

describe('errors of a query', () => {
  test.each<[object, RegExp]>([
    [{ where: 'Bdy:x' }, /^UNKNOWN_IDENTIFIER: where: field "Bdy" does not exist: did you mean Body\? \(at 1\)$/],
    [{ where: 'Body:(' }, /^SYNTAX_ERROR: where: /],
    [{ where: 'nope = 1', whereLanguage: 'sql' }, /^UNKNOWN_IDENTIFIER: where: "nope": the column does not exist/],
    [{ where: 'Body', whereLanguage: 'sql' }, /^ILLEGAL_TYPE_OF_ARGUMENT: where: a condition must be true or false/],
    [{ where: 'Body = 1', whereLanguage: 'sql' }, /^NO_COMMON_TYPE: where: /],
    [{ where: "Body = 'a", whereLanguage: 'sql' }, /^BAD_ARGUMENTS: where: the quote at 8 is not closed/],
    [{ select: 'nope' }, /^UNKNOWN_IDENTIFIER: select: field "nope" does not exist/],
    [{ select: 'Body,' }, /^SYNTAX_ERROR: select: an item is empty/],
    [{ select: 'nofunction(Body)' }, /^\w+: select: the function nofunction is not allowed/],
    [{ select: 'count()' }, /^BAD_ARGUMENTS: select: count aggregates rows/],
    [{ orderBy: 'nope' }, /^UNKNOWN_IDENTIFIER: orderBy: field "nope" does not exist/],
    [{ orderBy: 'Body, (' }, /^BAD_ARGUMENTS: orderBy: /],
    [{ select: 'toUInt8(Body)' }, /^CANNOT_PARSE_TEXT: /],
  ])('%j', async (changes, message) => {
    const { status, json } = await search(changes)
    expect([status, json.message]).toEqual([400, expect.stringMatching(message)])
    expect(json.message.length).toBeLessThanOrEqual(300)
    expect(json.message).not.toMatch(/DB::|__column|system\.one/)
  })
})

describe('what reaches further is refused', () => {
  const attacks = [
    "file('/etc/passwd')",
    "url('http://127.0.0.1:9/')",
    '(SELECT 1)',
    'Body IN system.tables',
    'Body IN (SELECT name FROM system.tables)',
    "dictGet('a', 'b', 1)",
    "joinGet('a', 'b', 1)",
    "getSetting('max_threads')",
    'hostName()',
    'sleep(3)',
    'arrayJoin(range(1000000))',
    'Body) FROM system.tables --',
    'Body FROM system.tables',
    "Body INTO OUTFILE '/tmp/x'",
    'Body FORMAT CSV',
    'Body SETTINGS max_execution_time = 0',
    'Body UNION ALL SELECT 1',
    'default.otel_traces.TraceId',
    "COLUMNS('.*')",
    '* EXCEPT Body',
    '* APPLY(toString)',
    'otel_logs.*',
    '{p0:String}',
    "Body AS a, file('/etc/passwd') AS b",
    'Body AS `a`, 1) FROM system.one WHERE (1 AS `b`',
    '1 AS `x` FROM system.tables WHERE `1`',
    '(1 AS Timestamp)',
    'lower(Body AS b)',
    "Body' , '",
    'Body LIMIT 1 BY Body',
    'Body WITH FILL FROM 1 TO 1000000000',
    "Body COLLATE 'en'",
    'rowNumberInAllBlocks() OVER ()',
  ]
  test.each(attacks)('%s', async (text) => {
    for (const changes of [{ select: text }, { orderBy: text }, { where: text, whereLanguage: 'sql' }]) {
      const { status, json } = await search(changes)
      expect([status, json.message]).toEqual([400, expect.any(String)])
      expect(json.message).not.toMatch(/root:|INFORMATION_SCHEMA/)
    }
  })

  test('tables of other databases, through a source', async () => {
    const id = 'd'.repeat(24)
    const source = await sourceRows.get(stack.store, ids['log'] ?? '')
    await sourceRows.insert(stack.store, { ...source!, id, from: { databaseName: 'system', tableName: 'processes' } })
    const { status, json } = await search({ sourceId: id })
    expect([status, json.message]).toEqual([400, expect.stringMatching(/^UNKNOWN_TABLE: sourceId: "system" is not/)])
  })

  test('tables of other databases, through the filter of a source', async () => {
    const id = '7'.repeat(24)
    const source = await sourceRows.get(stack.store, ids['log'] ?? '')
    const tableFilterExpression = 'Body IN (SELECT name FROM system.tables)'
    await sourceRows.insert(stack.store, { ...source!, id, tableFilterExpression })
    const { status, json } = await search({ sourceId: id })
    expect([status, json.message]).toEqual([400, expect.stringContaining('sourceId: ')])
  })

  test('expressions in a source', async () => {
    const id = 'b'.repeat(24)
    const source = await sourceRows.get(stack.store, ids['log'] ?? '')
    await sourceRows.insert(stack.store, { ...source!, id, defaultTableSelectExpression: "file('/etc/passwd')" })
    expect((await search({ sourceId: id })).status).toBe(400)
    await sourceRows.update(stack.store, { ...source!, id, orderByExpression: "file('/etc/passwd')" })
    expect((await search({ sourceId: id })).status).toBe(400)
  })
})

test('the table filter of a source of logs applies to its searches, whatever their condition is', async () => {
  const id = '8'.repeat(24)
  const source = await sourceRows.get(stack.store, ids['log'] ?? '')
  const tableFilterExpression = "ServiceName = 'web' OR Body = 'done'"
  await sourceRows.insert(stack.store, { ...source!, id, tableFilterExpression })
  expect(await bodies({ sourceId: id })).toEqual(['done', 'payment accepted', 'started'])
  expect(await bodies({ sourceId: id, where: 'payment OR started' })).toEqual(['payment accepted', 'started'])
  expect(await bodies({ sourceId: id, where: "Body != 'started'", whereLanguage: 'sql' })).toEqual([
    'done',
    'payment accepted',
  ])
})

test('a client that disconnects stops the query in the engine', async () => {
  // SHA512 over a gigabyte, without anything that is the same for all rows.
  await engine.command(
    `INSERT INTO ${tables.logs} (Timestamp, Body)
     SELECT fromUnixTimestamp64Milli({start:Int64}) - toIntervalHour(6), toString(1000000000 + number) FROM numbers(200000)`,
    { params: { start } },
  )
  const slow = "SHA512(repeat(Body, 500)) = 'x'"
  const running = async () => {
    const found = await engine.query<{ n: string }>(
      "SELECT count() AS n FROM system.processes WHERE query LIKE '%SHA512%' AND query NOT LIKE '%system.processes%'",
    )
    return Number(found[0]?.n)
  }
  const until = async (wanted: (count: number) => boolean) => {
    for (let attempt = 0; attempt < 400; attempt++) {
      if (wanted(await running())) return
      await new Promise((wake) => setTimeout(wake, 25))
    }
    throw new Error('the query was not started, or not stopped')
  }
  const body = { sourceId: ids['log'], startTime: iso(-8 * 3600), endTime: iso(0), where: slow, whereLanguage: 'sql' }
  const client = request(`${stack.url}/api/v2/search`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.identity.personalAccessKey}` },
  })
  const left = once(client, 'error')
  client.end(JSON.stringify(body))
  await until((count) => count > 0)
  client.destroy(new Error('left'))
  await left
  await until((count) => count === 0)
})

/** Over the rows of the test above. */
test('a source may set a shorter time limit', async () => {
  const id = '9'.repeat(24)
  const source = await sourceRows.get(stack.store, ids['log'] ?? '')
  const querySettings = [
    { setting: 'max_threads', value: 'auto' },
    { setting: 'max_execution_time', value: '0.001' },
  ]
  await sourceRows.insert(stack.store, { ...source!, id, querySettings })
  const { status, json } = await search({
    sourceId: id,
    startTime: iso(-8 * 3600),
    where: "SHA512(repeat(Body, 5000)) = 'x'",
    whereLanguage: 'sql',
  })
  expect([status, json.message]).toEqual([400, expect.stringMatching(/^TIMEOUT_EXCEEDED: the query took too long/)])
})

test('without an engine', async () => {
  const bare = await startTestStack()
  const { status, json } = await bare.openSource('POST', '/search', { sourceId: bare.sourceIds['log'] })
  expect([status, json]).toEqual([503, { message: 'This stack has no telemetry engine' }])
  await bare.close()
})
