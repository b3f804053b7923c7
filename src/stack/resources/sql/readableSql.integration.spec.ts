/** The SQL that charts and searches tell, run as a person would: it finds what they found. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { defaultSources } from '../../telemetry/defaultSources.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { tables } from '../../telemetry/tables.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { startTestStack, type TestStack } from '../../testing/testStack.ts'
import { sourceRows } from '../sources.ts'

let stack: TestStack
let engine: Engine
const ids: Record<string, string> = {}
/** Yesterday at 12:00: the engine drops rows after 30 days. */
const start = Math.floor(currentTime() / 86_400_000 - 1) * 86_400_000 + 12 * 3_600_000
const at = (seconds: number) => `${start / 1000 + seconds}.123456789`

beforeAll(async () => {
  engine = await temporaryEngine()
  stack = await startTestStack({ engine })
  for (const source of defaultSources(engine.kind === 'remote' ? engine.database : undefined)) {
    const id = source.kind.padEnd(24, '0').replaceAll(/[^0-9a-f]/g, '0')
    ids[source.kind] = id
    await sourceRows.insert(stack.store, { ...source, id, connection: stack.identity.connectionId })
  }
  await engine.insert(
    tables.logs,
    ["it's {p0:String} here", 'payment declined', 'a\\b\tdone', 'payment accepted', 'Ünïcode'].map((Body, index) => ({
      Timestamp: at(index * 600),
      Body,
      ServiceName: index % 2 ? 'payment' : 'web',
      SeverityText: index === 1 ? 'error' : 'info',
      SeverityNumber: index === 1 ? 17 : 9,
      LogAttributes: { 'http.status_code': String(200 + index), user: `o'neil` },
    })),
  )
  await engine.insert(
    tables.traces,
    [5e6, 7e8, 3e9].map((Duration, index) => ({
      Timestamp: at(index * 700),
      SpanName: 'GET /',
      ServiceName: index === 2 ? 'cart' : 'web',
      TraceId: `t${index}`,
      Duration: String(Duration),
    })),
  )
  const point = (host: string, seconds: number, Value: number) => ({
    MetricName: 'requests',
    ServiceName: 'api',
    Attributes: { host },
    StartTimeUnix: start / 1000 - 60,
    TimeUnix: start / 1000 + seconds,
    Value,
  })
  const points = [point('a', 30, 5), point('a', 900, 25), point('a', 1800, 40), point('b', 60, 7), point('b', 1000, 9)]
  await engine.insert(tables.gauge, points)
  await engine.insert(
    tables.sum,
    points.map((one) => ({ ...one, AggregationTemporality: 2, IsMonotonic: true })),
  )
})
afterAll(async () => {
  await stack.close()
  await engine.close()
})

const run = async (statement: string) => {
  const ran = await stack.openSource('POST', '/sql/queries', { statement })
  expect(ran.status, `${ran.text}\n${statement}`).toBe(200)
  const { columns, rows } = ran.json.data as { columns: { name: string }[]; rows: unknown[][] } // the stack's own response
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, place) => [name, row[place]])))
}

/** Points as [time, group, value], in an order of their own. */
const sorted = (points: unknown[][]) => points.map((point) => JSON.stringify(point)).toSorted()
const numeric = (value: unknown) => (value === null || value === undefined ? null : Number(value))

const charted: [string, object[], object?][] = [
  ['a count of all', [{ sourceId: 'log', aggFn: 'count' }]],
  ['a condition with quotes', [{ sourceId: 'log', aggFn: 'count', where: 'LogAttributes.user:"o\'neil"' }]],
  ['text', [{ sourceId: 'log', aggFn: 'count', where: '"payment" OR Body:*b*done* OR Ünïcode' }]],
  [
    'text like a placeholder',
    [{ sourceId: 'log', aggFn: 'count', where: 'Body:"it\'s {p0_0:String} here" OR "{p0:String}"' }],
  ],
  [
    'a condition in SQL',
    [
      {
        sourceId: 'log',
        aggFn: 'count',
        where: "Body LIKE '%{p0_1:Int64}%' OR SeverityNumber > 9",
        whereLanguage: 'sql',
      },
    ],
  ],
  ['groups', [{ sourceId: 'log', aggFn: 'count', groupBy: ['ServiceName', 'ServiceName'] }]],
  [
    'groups of a map',
    [
      {
        sourceId: 'log',
        aggFn: 'max',
        field: "toFloat64OrNull(LogAttributes['http.status_code'])",
        groupBy: ["LogAttributes['http.status_code']"],
      },
    ],
  ],
  ['the largest groups', [{ sourceId: 'log', aggFn: 'count', groupBy: ['ServiceName'] }], { topGroups: 1 }],
  [
    'two series with conditions',
    [
      {
        sourceId: 'trace',
        aggFn: 'quantile',
        level: 0.5,
        field: 'Duration',
        where: 'Duration:>1000000',
        groupBy: ['ServiceName'],
      },
      {
        sourceId: 'trace',
        aggFn: 'count_distinct',
        field: 'TraceId',
        where: 'ServiceName:web',
        groupBy: ['ServiceName'],
      },
    ],
  ],
  ['a complete expression', [{ sourceId: 'trace', aggFn: 'none', field: 'countIf(Duration > 1e9) / count()' }]],
  ['days of a time zone', [{ sourceId: 'log', aggFn: 'count' }], { granularity: '1d', timezone: 'Asia/Kathmandu' }],
  [
    'a gauge',
    [
      {
        sourceId: 'metric',
        aggFn: 'avg',
        metricName: 'requests',
        metricDataType: 'gauge',
        groupBy: ['Attributes.host'],
      },
    ],
  ],
]

test.each(charted)('%s', async (_, series, more = {}) => {
  const query = {
    startTime: start - 1000,
    endTime: start + 3_600_000,
    granularity: '15m',
    series: series.map((one) => ({
      where: '',
      groupBy: [],
      ...one,
      sourceId: ids[(one as { sourceId: string }).sourceId],
    })), // written above
    ...more,
  }
  const told = await stack.openSource('POST', '/charts/statements', query)
  expect(told.status, told.text).toBe(200)
  const statements = told.json.data as { statement: string; series: number[]; refused?: string }[] // the stack's own response
  const { topGroups: _all, ...whole } = query as typeof query & { topGroups?: number }
  const { data } = (await stack.openSource('POST', '/charts/series', whole)).json
  expect(statements.flatMap((statement) => statement.series).toSorted()).toEqual(series.map((__, index) => index))
  for (const { statement, series: places, refused } of statements) {
    expect(statement).not.toMatch(/\{p\d+_\d+:(?!String\} here|Int64\}%)/)
    const rows = await run(statement)
    expect(refused).toBeUndefined()
    expect(rows.length).toBeGreaterThan(0)
    for (const place of places) {
      const letter = String.fromCharCode(65 + place)
      const found = rows.map((row) => {
        const { time, ...others } = row
        const group = Object.entries(others).filter(([name]) => !/^[A-E]$/.test(name))
        return [Date.parse(String(time)), group.map(([, value]) => String(value)), numeric(row[letter])]
      })
      const points = data.map((point: Record<string, unknown>) => [
        point['ts_bucket'],
        (point['group'] as unknown[]).map(String), // the stack's own response
        numeric(point[`series_${place}.data`]),
      ])
      const isPresent = ([, , value]: unknown[]) => value !== null && value !== 0
      expect(sorted(found.filter(isPresent))).toEqual(sorted(points.filter(isPresent)))
    }
  }
})

test('the growth of a counter is told, and that SQL does not run it', async () => {
  const growth = { sourceId: ids['metric'], aggFn: 'increase', metricName: 'requests', metricDataType: 'sum' }
  const query = {
    startTime: start - 1000,
    endTime: start + 3_600_000,
    granularity: '15m',
    series: [{ ...growth, where: '', groupBy: ['Attributes.host'] }],
  }
  const [told] = (await stack.openSource('POST', '/charts/statements', query)).json.data
  expect(told).toMatchObject({ series: [0], refused: expect.stringContaining('OVER') })
  const points = (await stack.openSource('POST', '/charts/series', query)).json.data
  const rows = await engine.query<{ time: string; A: number; 'Attributes.host': string }>(told.statement)
  const found = rows.map((row) => [Date.parse(`${row.time}Z`), [row['Attributes.host']], row.A])
  expect(found.length).toBeGreaterThan(2)
  expect(sorted(found)).toEqual(
    sorted(
      points.map((point: Record<string, unknown>) => [point['ts_bucket'], point['group'], point['series_0.data']]),
    ),
  )
})

test.each([
  ['the default columns', {}],
  ['a condition on a shown column', { select: 'toString(Timestamp) AS Timestamp, Body', where: 'SeverityText:info' }],
  [
    'attributes',
    { select: "LogAttributes['user'] AS user, lower(Body), LogAttributes.user", orderBy: 'user, Body DESC' },
  ],
  ['text, and few rows', { where: "it's", maxResults: 2 }],
  ['further rows', { orderBy: 'Body', offset: 2, maxResults: 2, select: 'Body' }],
])('a search of %s', async (_, changes) => {
  const body = {
    sourceId: ids['log'],
    startTime: new Date(start - 1000).toISOString(),
    endTime: new Date(start + 3_600_000).toISOString(),
    ...changes,
  }
  const told = await stack.openSource('POST', '/search/statement', body)
  expect(told.status, told.text).toBe(200)
  const { data } = (await stack.openSource('POST', '/search', body)).json
  expect(data.length).toBeGreaterThan(0)
  const rows = await run(told.json.data.statement)
  const texts = (all: object[]) => all.map((row) => Object.values(row).map((value) => JSON.stringify(value)))
  expect(texts(rows)).toEqual(texts(data))
})

test('an invalid query is refused as the query itself is', async () => {
  const query = {
    startTime: start,
    endTime: start + 1000,
    series: [{ sourceId: ids['log'], aggFn: 'avg', field: 'Bdy', where: '', groupBy: [] }],
  }
  const [told, asked] = [
    await stack.openSource('POST', '/charts/statements', query),
    await stack.openSource('POST', '/charts/series', query),
  ]
  expect([told.status, told.text]).toEqual([asked.status, asked.text])
  const search = { sourceId: ids['log'], where: 'Bdy:x' }
  const [toldRows, askedRows] = [
    await stack.openSource('POST', '/search/statement', search),
    await stack.openSource('POST', '/search', search),
  ]
  expect([toldRows.status, toldRows.text]).toEqual([askedRows.status, askedRows.text])
})
