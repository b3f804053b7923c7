/** Charts that are read from a roll-up, against the same charts of the rows themselves. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chartQuery, type ChartQuery } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { readableSources } from '../../testing/metricSeries.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { defaultSources } from '../defaultSources.ts'
import type { Engine } from '../engine/engine.ts'
import { tables } from '../tables.ts'
import type { SpanRow } from '../tableRows.ts'
import { querySeries } from './seriesQuery.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The beginning of the day before yesterday. */
const start = (Math.floor(currentTime() / day) - 2) * day
const never = new AbortController().signal

const columns = `Timestamp DateTime, ServiceName LowCardinality(String), StatusCode LowCardinality(String),
  count SimpleAggregateFunction(sum, UInt64), total SimpleAggregateFunction(sum, Int128),
  least SimpleAggregateFunction(min, UInt64), most SimpleAggregateFunction(max, UInt64)`
const layout =
  'ENGINE = AggregatingMergeTree PARTITION BY toDate(Timestamp) ORDER BY (ServiceName, StatusCode, Timestamp)'
const selected = `toStartOfFiveMinutes(Timestamp) AS Timestamp, ServiceName, StatusCode, count() AS count,
  sum(toInt128(Duration)) AS total, min(Duration) AS least, max(Duration) AS most`

const view = {
  databaseName: 'default',
  tableName: 'rolled',
  dimensionColumns: 'ServiceName, StatusCode',
  minGranularity: '5m',
  timestampColumn: 'Timestamp',
  aggregatedColumns: [
    { aggFn: 'count', mvColumn: 'count' },
    { aggFn: 'sum', mvColumn: 'total', sourceColumn: 'Duration' },
    { aggFn: 'min', mvColumn: 'least', sourceColumn: 'Duration' },
    { aggFn: 'max', mvColumn: 'most', sourceColumn: 'Duration' },
  ],
}
type View = typeof view

const traces = defaultSources().find(({ kind }) => kind === 'trace')
const sourcesWith = (views: readonly Partial<View>[]): Source[] => [
  {
    ...traces,
    id: 'trace',
    name: 'Traces',
    kind: 'trace',
    materializedViews: views.map((one) => ({ ...view, ...one })),
  },
]

let engine: Engine

/** Pseudo-random numbers, equal in each run. */
function numbers(from: number): (below: number) => number {
  let state = from
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
}

const insertSpans = (from: number, length: number, count: number, seed: number) => {
  const random = numbers(seed)
  return engine.insert(
    tables.traces,
    Array.from({ length: count }, (): SpanRow => {
      // Nanoseconds within the last millisecond of a step are not those of its end.
      const time = from + random(length)
      return {
        Timestamp: `${(time / 1000).toFixed(3)}${String(random(1_000_000)).padStart(6, '0')}`,
        ServiceName: ['api', 'web', ''][random(3)] ?? '',
        SpanName: ['get', 'put'][random(2)] ?? '',
        StatusCode: ['Ok', 'Error', 'Unset'][random(3)] ?? '',
        Duration: String(random(10) === 0 ? 18_446_744_073_709_551_615n : BigInt(random(1_000_000))),
      }
    }),
  )
}

beforeAll(async () => {
  engine = await temporaryEngine()
  // The first day begins before the view is there.
  await insertSpans(start, 2 * hour, 400, 1)
  await engine.command(`CREATE TABLE rolled (${columns}) ${layout}`)
  await engine.command(
    `CREATE MATERIALIZED VIEW rolled_view TO rolled AS SELECT ${selected} FROM ${tables.traces} GROUP BY Timestamp, ServiceName, StatusCode`,
  )
  await insertSpans(start, 2 * day + 6 * hour, 3000, 2)
  await insertSpans(start + day, 6 * hour, 800, 3)
})
afterAll(() => engine.close())

type Series = Partial<ChartQuery['series'][number]>

async function asked(series: readonly Series[], rest: Partial<ChartQuery>, sources: readonly Source[]) {
  const query = chartQuery.parse({
    startTime: start + day,
    endTime: start + 2 * day,
    granularity: '1h',
    series: series.map((one) => ({ sourceId: 'trace', aggFn: 'count', ...one })),
    ...rest,
  })
  const points = await querySeries(engine, query, { ...readableSources(engine, sources), leastRolledRows: 0 }, never)
  const readFrom = points.flatMap((point) => point['readFrom'] ?? point['__read_from'] ?? [])
  const plain = points.map((point) =>
    JSON.stringify(point, (key, value: unknown) => (/^(readFrom|__read_from)$/.test(key) ? undefined : value)),
  )
  return { readFrom, points: plain.toSorted() }
}

const series = (groupBy: readonly string[]) =>
  fc
    .record(
      {
        aggFn: fc.constantFrom('count', 'sum', 'avg', 'min', 'max', 'count'),
        where: fc.constantFrom(
          '',
          '',
          'ServiceName:api',
          '-ServiceName:"web"',
          'StatusCode:(Ok OR Error) ServiceName:*',
          'SpanName:get',
        ),
      },
      { requiredKeys: ['aggFn', 'where'] },
    )
    .map((one): Series => ({ ...one, field: 'Duration', groupBy: [...groupBy] }))

const query = fc
  .record({
    groupBy: fc.constantFrom([], [], ['ServiceName'], ['StatusCode', 'ServiceName'], ['SpanName']),
    from: fc.integer({ min: 0, max: 2 * day }),
    length: fc.oneof(fc.integer({ min: hour, max: 2 * day }), fc.constant(day)),
    isAligned: fc.boolean(),
    granularity: fc.constantFrom('1m' as const, '5m' as const, '10m' as const, '1h' as const, '1d' as const),
    timezone: fc.constantFrom(undefined, 'Asia/Kathmandu', 'UTC'),
    topGroups: fc.constantFrom(undefined, undefined, 1),
  })
  .chain(({ groupBy, from, length, isAligned, ...rest }) => {
    const startTime = start + (isAligned ? Math.floor(from / hour) * hour : from)
    return fc.record({
      series: fc.array(series(groupBy), { minLength: 1, maxLength: 3 }),
      rest: fc.constant({ ...rest, startTime, endTime: startTime + length }),
      inSql: fc.boolean(),
    })
  })

const sqlOf: Record<string, string> = {
  'ServiceName:api': "ServiceName ILIKE '%api%'",
  'SpanName:get': "SpanName = 'get'",
}

test('a chart of a roll-up has the figures of the rows, whatever is asked', async () => {
  let rolled = 0
  await fc.assert(
    fc.asyncProperty(query, async ({ series: all, rest, inSql }) => {
      const written = inSql
        ? all.map((one): Series => ({ ...one, where: sqlOf[one.where ?? ''] ?? '', whereLanguage: 'sql' }))
        : all
      const one = await asked(written, rest, sourcesWith([{}]))
      expect(one.points).toEqual((await asked(written, rest, sourcesWith([]))).points)
      if (one.readFrom.length > 0) rolled++
    }),
    { numRuns: 60, seed: 11 },
  )
  expect(rolled).toBeGreaterThan(12)
}, 240_000)

describe('a roll-up is read', () => {
  test('where its days are complete, and no others', async () => {
    expect((await asked([{}], {}, sourcesWith([{}]))).readFrom).toEqual(['rolled'])
    expect((await asked([{}], { startTime: start, endTime: start + day }, sourcesWith([{}]))).readFrom).toEqual([])
  })

  test('in both forms of an answer', async () => {
    const rest = { seriesReturnType: 'column' as const }
    const grouped = [{ groupBy: ['ServiceName'] }]
    const rows = await asked(grouped, rest, sourcesWith([{}]))
    expect(rows.readFrom).toEqual(['rolled'])
    expect(rows.points).toEqual((await asked(grouped, rest, sourcesWith([]))).points)
  })

  test('not after rows were deleted from one of the tables', async () => {
    await engine.command(`CREATE TABLE others AS rolled ${layout}`)
    await engine.command(`INSERT INTO others SELECT * FROM rolled`)
    await engine.command(
      `CREATE MATERIALIZED VIEW others_view TO others AS SELECT ${selected} FROM ${tables.traces} GROUP BY Timestamp, ServiceName, StatusCode`,
    )
    const sources = sourcesWith([{ tableName: 'others' }])
    expect((await asked([{}], {}, sources)).readFrom).toEqual(['others'])
    await engine.command(`ALTER TABLE others DELETE WHERE StatusCode = 'Error' SETTINGS mutations_sync = 1`)
    const after = await asked([{}], {}, sources)
    expect(after.readFrom).toEqual([])
    expect(after.points).toEqual((await asked([{}], {}, sourcesWith([]))).points)
  })
})

describe('a table that is not what the source says is not read', () => {
  const wrong: [name: string, statement: string, change: Partial<View>, engine?: string][] = [
    ['another step', selected, { minGranularity: '10m' }],
    ['rows left out', `${selected} FROM ${tables.traces} WHERE Duration > 0`, {}],
    ['another value of a dimension', selected.replace(', StatusCode', ', lower(StatusCode) AS StatusCode'), {}],
    ['a name of another column', selected.replace(', StatusCode', ', SpanName AS StatusCode'), {}],
    ['another column as the time', selected.replace('(Timestamp)', '(Timestamp + 1)'), {}],
    ['rows that replace each other', selected, {}, layout.replace('Aggregating', 'Replacing')],
    [
      'a dimension that merges lose',
      selected,
      {},
      `${layout.replace('ServiceName, StatusCode, ', 'ServiceName, ')} SETTINGS allow_dimensions_outside_sorting_key = 1`,
    ],
  ]
  test.each(wrong)('%s', async (name, statement, change, storage = layout) => {
    const table = `wrong_${name.replaceAll(' ', '_')}`
    await engine.command(`CREATE TABLE ${table} (${columns}) ${storage}`)
    const rest = statement.includes(' FROM ') ? statement : `${statement} FROM ${tables.traces}`
    await engine.command(
      `CREATE MATERIALIZED VIEW ${table}_view TO ${table} AS SELECT ${rest} GROUP BY Timestamp, ServiceName, StatusCode`,
    )
    await engine.command(`INSERT INTO ${table} SELECT * FROM rolled`)
    const { readFrom } = await asked([{}], {}, sourcesWith([{ tableName: table, ...change }]))
    expect(readFrom).toEqual([])
  })

  test('one that two views write to', async () => {
    await engine.command(`CREATE TABLE twice (${columns}) ${layout}`)
    for (const name of ['one', 'two'])
      await engine.command(
        `CREATE MATERIALIZED VIEW ${name}_view TO twice AS SELECT ${selected} FROM ${tables.traces} GROUP BY Timestamp, ServiceName, StatusCode`,
      )
    await engine.command(`INSERT INTO twice SELECT * FROM rolled`)
    expect((await asked([{}], {}, sourcesWith([{ tableName: 'twice' }]))).readFrom).toEqual([])
  })

  test('a sum that may not fit into its column, while the counts are read', async () => {
    const narrow = (text: string) =>
      text.replace('sum, Int128', 'sum, UInt64').replace('sum(toInt128(Duration))', 'sum(Duration)')
    await engine.command(`CREATE TABLE narrow (${narrow(columns)}) ${layout}`)
    await engine.command(
      `CREATE MATERIALIZED VIEW narrow_view TO narrow AS SELECT ${narrow(selected)} FROM ${tables.traces} GROUP BY Timestamp, ServiceName, StatusCode`,
    )
    await engine.command(`INSERT INTO narrow SELECT * FROM rolled`)
    const sources = sourcesWith([{ tableName: 'narrow' }])
    expect((await asked([{}], {}, sources)).readFrom).toEqual(['narrow'])
    expect((await asked([{ aggFn: 'sum', field: 'Duration' }], {}, sources)).readFrom).toEqual([])
  })
})

describe('the times of the rows and of the roll-up are the same', () => {
  /** Rows in the first ten minutes of each hour, so that every day has as many, wherever it begins. */
  async function tableOf(name: string, { times, values }: { times: string; values: string }, timeColumns: string) {
    await engine.command(
      `CREATE TABLE ${name} (${times}, ServiceName String) ENGINE = MergeTree PARTITION BY toDate(Time) ORDER BY Time`,
    )
    await engine.command(
      `CREATE TABLE ${name}_rolled (Time DateTime, ServiceName String, count UInt64) ENGINE = SummingMergeTree PARTITION BY toDate(Time) ORDER BY (ServiceName, Time)`,
    )
    await engine.command(
      `CREATE MATERIALIZED VIEW ${name}_view TO ${name}_rolled AS SELECT toStartOfHour(Time) AS Time, ServiceName, count() AS count FROM ${name} GROUP BY Time, ServiceName`,
    )
    await engine.command(
      `INSERT INTO ${name} SELECT ${values}, 'api' FROM (SELECT toDateTime(${start / 1000} + intDiv(number, 10) * 3600 + number % 10 * 60) AS at FROM numbers(720))`,
    )
    const views = [{ ...view, tableName: `${name}_rolled`, dimensionColumns: 'ServiceName', minGranularity: '1h' }]
    return (named: boolean): Source[] =>
      sourcesWith([]).map((source) => ({
        ...source,
        from: { databaseName: 'default', tableName: name },
        timestampValueExpression: timeColumns,
        materializedViews: named
          ? views.map((one) => ({
              ...one,
              timestampColumn: 'Time',
              aggregatedColumns: [{ aggFn: 'count', mvColumn: 'count' }],
            }))
          : [],
      }))
  }

  test.each([
    ['plain', { times: 'Time DateTime64(9)', values: 'at' }, 'Time', true],
    ['zone_of_its_own', { times: "Time DateTime64(9, 'Asia/Kolkata')", values: 'at' }, 'Time', false],
    [
      'rounded',
      { times: 'Time DateTime MATERIALIZED toDateTime(Exact), Exact DateTime64(9)', values: 'at' },
      'Time, Exact',
      true,
    ],
    [
      'unrelated',
      { times: 'Time DateTime, Exact DateTime64(9)', values: 'at, at + toIntervalMinute(55)' },
      'Time, Exact',
      false,
    ],
  ])('%s', async (name, layout, timeColumns, isRead) => {
    const sources = await tableOf(name, layout, timeColumns)
    const one = await asked([{}], {}, sources(true))
    expect(one.points).toEqual((await asked([{}], {}, sources(false))).points)
    expect(one.readFrom).toEqual(isRead ? [`${name}_rolled`] : [])
  })
})
