import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ChartPoint, chartQuery, granularities, maxBuckets } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { portableQuery } from '#console/charting/chartRequest.ts'
import { pointsOf, readFromOf } from '#domain/series/chartResponse.ts'
import { completions, fieldsFor, fieldsOf, groupFields, withAttributes } from '#console/charting/fields.ts'
import { blockerOf } from './blocker.ts'
import { earlier, namesOf, seriesOf } from './lines.ts'
import { requestOf, chartOf, estimate, problemsOf, unitsOf, withDefaults, withSourceNames } from './query.ts'
import { withFormerSource } from './QueryPanel.tsx'
import { newSeries, readExplorer, type SeriesState } from './state.ts'

const logs: Source = {
  id: 'logs',
  name: 'Logs',
  kind: 'log',
  severityTextExpression: 'SeverityText',
  serviceNameExpression: 'ServiceName',
}
const traces: Source = { id: 'traces', name: 'Traces', kind: 'trace', durationExpression: 'Duration' }
const metrics: Source = { id: 'metrics', name: 'Metrics', kind: 'metric' }
const sources = [metrics, traces, logs]
const ranking = { ...logs, chartOptions: ['topGroups'] }
const { state: blank } = readExplorer({})
const hour = { from: Date.parse('2026-11-20T21:47:13Z'), to: Date.parse('2026-11-20T22:47:13Z') }

test('groups are asked for only where the deployment of the source ranks them', () => {
  const state = { ...blank, series: [{ ...newSeries, sourceId: 'logs' }], groupBy: ['Body'], top: 10 }
  expect(requestOf(state, hour, [ranking]).query.topGroups).toBe(10)
  expect(requestOf({ ...state, top: 0 }, hour, [ranking]).query.topGroups).toBe(1000)
  expect(requestOf(state, hour, [logs]).query).not.toHaveProperty('topGroups')
  const asked = { ...requestOf(state, hour, [ranking]).query, topGroupsRange: { startTime: 1, endTime: 2 } }
  expect(portableQuery(asked, [ranking])).toMatchObject({ topGroups: 10, topGroupsRange: { startTime: 1 } })
  for (const known of [[logs], []]) {
    expect(portableQuery(asked, known)).not.toHaveProperty('topGroups')
    expect(portableQuery(asked, known)).not.toHaveProperty('topGroupsRange')
  }
})

test('a change of source that is taken back never changes another series', () => {
  const [first, second] = ['a', 'b'].map((field) => ({ ...newSeries, sourceId: 'logs', field }))
  const former = { series: [first!, second!], groupBy: ['Body'], formula: '' }
  const moved = { ...first!, sourceId: 'traces', field: '', alias: 'edited since' }
  const now = { series: [moved, second!], groupBy: [], formula: '' }
  expect(withFormerSource(now, 0, former, 'traces')).toEqual({
    series: [{ ...first, alias: 'edited since' }, second],
    groupBy: ['Body'],
  })
  for (const series of [[second!], [{ ...second!, sourceId: 'traces' }], [second!, moved]]) {
    expect(withFormerSource({ ...now, series }, 0, former, 'traces')).toEqual({})
  }
})

test('rows of all other groups are told from those of a group by their mark', () => {
  const rows = [
    { series_0: '5', Body: 'a', __hdx_time_bucket: '2026-11-20T21:00:00Z' },
    { series_0: '70', __other_groups: 9990, __hdx_time_bucket: '2026-11-20T21:00:00Z' },
  ]
  const series = [{ sourceId: 'logs', aggFn: 'count' as const, where: '', groupBy: ['Body'] }]
  const time = Date.parse('2026-11-20T21:00:00Z')
  expect(pointsOf({ series }, rows)).toEqual([
    { ts_bucket: time, group: ['a'], 'series_0.data': '5' },
    { ts_bucket: time, group: [], otherGroups: 9990, 'series_0.data': '70' },
  ])
})

test('the tables that an answer was read from are no group, in both forms of it', () => {
  const readFrom = ['otel_logs_rollup_15m']
  const series = [{ sourceId: 'logs', aggFn: 'count' as const, where: '', groupBy: ['Body'] }]
  const row = { series_0: '5', Body: 'a', __hdx_time_bucket: '2026-11-20T21:00:00Z' }
  const points = pointsOf({ series }, [
    { ...row, __read_from: readFrom },
    { ...row, Body: 'b' },
  ])
  expect(points?.map(({ group }) => group)).toEqual([['a'], ['b']])
  expect(readFromOf(points ?? [])).toEqual(readFrom)
  expect(readFromOf([{ ts_bucket: 1, group: ['a'], readFrom }])).toEqual(readFrom)
  expect(readFromOf([])).toEqual([])
})

describe('seriesOf', () => {
  const options = (count: number, formula = '') => ({
    series: Array.from({ length: count }, () => newSeries),
    formula,
    units: { series: [], common: 'number' },
    empty: 'gap' as const,
  })

  test('loses and adds nothing: the total of the lines is the total of the points', () => {
    const point = fc.record({
      ts_bucket: fc.integer({ min: 0, max: 20 }).map((bucket) => 1.7e12 + bucket * 60_000),
      group: fc.constantFrom('a', 'b', 'c', ''),
      first: fc.option(fc.nat(1e9)),
      second: fc.option(fc.nat(1e9)),
    })
    const answer = fc.uniqueArray(point, { selector: ({ ts_bucket, group }) => `${ts_bucket} ${group}`, maxLength: 60 })
    fc.assert(
      fc.property(answer, (rows) => {
        const points = rows.map(({ ts_bucket, group, first, second }): ChartPoint => ({
          ts_bucket,
          group: [group],
          // Counts arrive as text, averages as numbers.
          ...(first !== null && { 'series_0.data': String(first) }),
          ...(second !== null && { 'series_1.data': second }),
        }))
        const lines = seriesOf(points, options(2))
        const drawn = lines.flatMap((line) => line.points.map(([, value]) => value ?? 0))
        const sent = rows.flatMap(({ first, second }) => [first ?? 0, second ?? 0])
        const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
        expect(sum(drawn)).toBe(sum(sent))
        for (const { points } of lines) expect(points).toEqual(points.toSorted(([a], [b]) => a - b))
        expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
      }),
    )
  })

  const points: ChartPoint[] = [
    { ts_bucket: 1, group: ['x'], 'series_0.data': '10', 'series_1.data': 5 },
    { ts_bucket: 2, group: ['x'], 'series_0.data': '10', 'series_1.data': 0 },
    { ts_bucket: 1, group: [''], 'series_0.data': '90' },
  ]

  test('says of each line whether it grows while its bucket lasts', () => {
    const of = (formula: string) =>
      seriesOf(points, {
        ...options(0, formula),
        series: [newSeries, { ...newSeries, aggFn: 'quantile', field: 'Duration' }],
      }).map(({ id, accumulates }) => [id.slice(0, 1), accumulates])
    expect(of('')).toEqual([
      ['A', true],
      ['A', true],
      ['B', false],
    ])
    expect(of('A * 2')[0]).toEqual(['f', true])
    expect(of('B * 2')[0]).toEqual(['f', false])
  })

  test('names lines by their group, the largest first', () => {
    expect(seriesOf(points, options(1)).map(({ label }) => label)).toEqual(['(none)', 'x'])
    expect(seriesOf([{ ts_bucket: 1, group: [], 'series_0.data': null }], options(1))).toMatchObject([
      { label: 'count', points: [[1, null]] },
    ])
  })

  test('computes a formula for each group, with gaps where it has no value', () => {
    const lines = seriesOf(points, options(2, 'A / B'))
    expect(lines.find(({ label }) => label === 'x')?.points).toEqual([
      [1, 2],
      [2, null],
    ])
    expect(lines.find(({ label }) => label === '(none)')?.points).toEqual([[1, null]])
  })

  test('computes with a count of 0 where only other series have rows, and with no average then', () => {
    const group = (
      label: string,
      formula: string,
      aggFn: SeriesState['aggFn'] = 'count',
      empty: 'gap' | 'zero' = 'gap',
    ) =>
      seriesOf(points, {
        ...options(0, formula),
        series: [newSeries, { ...newSeries, aggFn, field: 'Duration' }],
        empty,
      }).find((line) => line.label === label)?.points
    expect(group('(none)', 'B / A')).toEqual([[1, 0]])
    expect(group('(none)', 'A / B')).toEqual([[1, null]])
    expect(group('(none)', 'B / A', 'avg')).toEqual([[1, null]])
    expect(group('(none)', 'B / A', 'avg', 'zero')).toEqual([[1, 0]])
  })

  test('shifts an earlier period onto the current one', () => {
    expect(earlier(seriesOf(points, options(1)), { earlier: 100, bucketMs: 1, zone: 'utc' })[1]).toMatchObject({
      ghost: true,
      points: [
        [101, 10],
        [102, 10],
      ],
    })
  })

  test('distinguishes series with the same name', () => {
    const errors = { ...newSeries, where: 'SeverityText:error' }
    expect(namesOf([newSeries, errors])).toEqual(['count', 'count where SeverityText:error'])
    const lines = seriesOf([{ ts_bucket: 1, group: [], 'series_0.data': 3, 'series_1.data': 1 }], {
      ...options(2),
      series: [newSeries, errors],
    })
    expect(lines.map(({ label }) => label)).toEqual(['count', 'count where SeverityText:error'])
    expect(namesOf([{ ...newSeries, aggFn: 'avg', field: ' Duration ' }])).toEqual(['avg(Duration)'])
  })
})

describe('query', () => {
  test('counts log records by severity on the first visit, and is valid', () => {
    const state = withDefaults(blank, sources)
    expect(state.series).toMatchObject([{ sourceId: 'logs', aggFn: 'count' }])
    expect(state.groupBy).toEqual(['SeverityText'])
    expect(problemsOf(state, sources)).toEqual({})
    expect(chartQuery.safeParse(requestOf(state, hour, sources).query).success).toBe(true)
  })

  test('has source names in the URL, and reports an unknown source', () => {
    const state = withDefaults({ ...blank, series: [{ ...newSeries, sourceId: 'traces' }] }, sources)
    const [named] = withSourceNames(state, sources).series
    expect(named?.sourceId).toBe('Traces')
    expect(withDefaults({ ...blank, series: [named!] }, [{ ...traces, id: 'elsewhere' }]).series[0]?.sourceId).toBe(
      'elsewhere',
    )
    const lost = withDefaults({ ...blank, series: [named!] }, [logs])
    expect(problemsOf(lost, [logs])).toHaveProperty(['series.0.sourceId'])
    const twins = [traces, { ...traces, id: 'twin' }]
    expect(withSourceNames({ ...blank, series: [{ ...newSeries, sourceId: 'twin' }] }, twins).series[0]?.sourceId).toBe(
      'twin',
    )
  })

  test('with a relative range starts at a whole bucket, with an absolute one at its start', () => {
    const state = withDefaults(blank, sources)
    const { query, bucketMs } = requestOf(state, hour, sources)
    expect(bucketMs).toBe(60_000)
    expect(query).toMatchObject({ granularity: '1m', startTime: Date.parse('2026-11-20T21:47:00Z'), endTime: hour.to })
    const absolute = { ...state, from: String(hour.from), to: String(hour.to) }
    expect(requestOf(absolute, hour, sources).query.startTime).toBe(hour.from)
  })

  test('has a previous period of the same whole buckets', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 90 * 86_400_000 }), (length) => {
        const span = { from: hour.to - length, to: hour.to }
        // Where clocks change, a day and its parts have other lengths.
        const state = withDefaults({ ...blank, tz: 'utc' }, sources)
        const { bucketMs, earlier, span: read } = requestOf(state, span, sources)
        // The range that is read may start up to one bucket before or after the chosen one.
        expect(read.to).toBe(span.to)
        expect(Math.abs(read.from - span.from)).toBeLessThan(bucketMs)
        expect(earlier % bucketMs).toBe(0)
        expect(earlier).toBeGreaterThanOrEqual(read.to - read.from)
        expect(earlier - (read.to - read.from)).toBeLessThan(bucketMs)
      }),
      { examples: [[15_001]] },
    )
  })

  test('has the fields of each kind of source', () => {
    const series = { ...newSeries, aggFn: 'quantile' as const, field: 'Duration', metricName: 'm' }
    const [trace, metric] = requestOf(
      {
        ...blank,
        series: [
          { ...series, sourceId: 'traces' },
          { ...series, sourceId: 'metrics' },
        ],
      },
      hour,
      sources,
    ).query.series
    expect(trace).toMatchObject({ field: 'Duration', level: 0.95 })
    expect(trace).not.toHaveProperty('metricName')
    expect(metric).toMatchObject({ metricName: 'm', metricDataType: 'gauge' })
    expect(metric).not.toHaveProperty('field')
  })

  test('reports missing values at their fields', () => {
    const state = {
      ...blank,
      formula: 'A / C',
      series: [
        { ...newSeries, sourceId: 'traces', aggFn: 'avg' as const },
        { ...newSeries, sourceId: 'metrics' },
      ],
    }
    expect(Object.keys(problemsOf(state, sources))).toEqual(['series.0.field', 'series.1.metricName', 'formula'])
    expect(problemsOf({ ...state, formula: 'A /' }, sources).formula).toBeDefined()
  })

  test('rejects an aggregation of a text column at its field, but not of a text or an expression', () => {
    const problem = (aggFn: SeriesState['aggFn'], field: string, sourceId = 'traces') =>
      problemsOf({ ...blank, series: [{ ...newSeries, sourceId, aggFn, field, metricName: 'm' }] }, sources)[
        'series.0.field'
      ]
    for (const aggFn of ['sum', 'avg', 'min', 'max', 'quantile', 'last_value'] as const) {
      expect(problem(aggFn, ' ServiceName ')).toContain('ServiceName is text')
      expect(problem(aggFn, '`ServiceName`')).toContain('ServiceName is text')
      for (const field of ['Duration', 'Body', 'length(ServiceName)', "SpanAttributes['a']"]) {
        expect(problem(aggFn, field)).toBeUndefined()
      }
    }
    expect(problem('any', 'ServiceName')).toBeUndefined()
    expect(problem('count_distinct', 'ServiceName')).toBeUndefined()
    expect(problem('max', 'ServiceName', 'metrics')).toBeUndefined()
  })

  test('stacks additive series, and draws others as lines', () => {
    expect(chartOf(withDefaults(blank, sources))).toBe('stackedBar')
    expect(chartOf({ ...blank, series: [newSeries, { ...newSeries, aggFn: 'avg' }] })).toBe('line')
    expect(chartOf({ ...blank, series: [newSeries], formula: 'A / 2' })).toBe('line')
    expect(chartOf({ ...blank, series: [newSeries], chart: 'area' })).toBe('area')
  })

  test('formats computations over durations as durations', () => {
    const series = { ...newSeries, sourceId: 'traces', field: 'Duration', aggFn: 'avg' as const }
    const unitsFor = (state: Partial<typeof blank>) => unitsOf({ ...blank, ...state }, sources, new Map())
    const two = [series, { ...series, aggFn: 'max' as const }]
    expect(unitsFor({ series: two }).common).toBe('ns')
    const mixed = [series, { ...series, aggFn: 'count' as const }]
    expect(unitsFor({ series: mixed })).toEqual({ series: ['ns', 'number'], common: 'number' })
    expect(unitsFor({ series: [series], unit: 'bytes' })).toEqual({ series: ['bytes'], common: 'bytes' })
    expect(unitsFor({ series: two, formula: 'B - A' }).common).toBe('ns')
    expect(unitsFor({ series: two, formula: 'B / A' }).common).toBe('number')
    expect(unitsFor({ series: two, formula: 'B / ' }).common).toBe('ns')
  })

  test('formats metrics in their unit, as the deployment lists it', () => {
    const metric = { ...newSeries, sourceId: 'metrics', aggFn: 'avg' as const, metricName: 'memory' }
    const units = new Map([
      ['gauge memory', 'By'],
      ['sum memory', '{page}'],
    ])
    const unitFor = (series: typeof newSeries) => unitsOf({ ...blank, series: [series] }, sources, units).common
    expect(unitFor(metric)).toBe('bytes')
    expect(unitFor({ ...metric, metricType: 'sum' })).toBe('number')
    expect(unitFor({ ...metric, metricName: 'unknown' })).toBe('number')
    expect(unitFor({ ...metric, aggFn: 'count' })).toBe('number')
  })

  test('reports a range with too many buckets, with the finest bucket that fits', () => {
    const span = fc
      .integer({ min: 1000, max: 3653 * 86_400_000 })
      .map((length) => ({ from: 1.5e12, to: 1.5e12 + length }))
    fc.assert(
      fc.property(span, fc.constantFrom(...granularities, 'auto' as const), (span, g) => {
        const { buckets, coarser } = estimate(g, span)
        expect(coarser === null).toBe(buckets <= maxBuckets)
        if (coarser) expect(estimate(coarser, span).buckets).toBeLessThanOrEqual(maxBuckets)
      }),
    )
  })
})

describe('suggestions', () => {
  test('list what fits the aggregation first', () => {
    expect(fieldsFor('avg', fieldsOf(traces))[0]).toBe('Duration')
    expect(fieldsFor('avg', fieldsOf(traces))).not.toContain('ServiceName')
    expect(fieldsFor('count_distinct', fieldsOf(traces))[0]).toBe('ServiceName')
    expect(groupFields(fieldsOf(logs)).slice(0, 2)).toEqual(['ServiceName', 'SeverityText'])
    expect(fieldsOf(undefined)).toEqual([])
  })

  test('include attributes as columns in either notation', () => {
    const fields = withAttributes(fieldsOf(logs), [{ column: 'LogAttributes', names: ['http.method'] }])
    expect(groupFields(fields)).toContain("LogAttributes['http.method']")
    expect(completions('LogAttributes.http', 18, fields, 'lucene').names).toEqual(['LogAttributes.http.method:'])
  })

  test('continue a condition at the cursor', () => {
    expect(completions('level:x AND Sev', 15, fieldsOf(logs), 'lucene')).toEqual({
      start: 12,
      names: ['SeverityText:', 'SeverityNumber:'],
    })
    expect(completions('x ', 2, fieldsOf(logs), 'lucene').names).toEqual([])
    expect(completions('level = 1 AND Sev', 17, fieldsOf(logs), 'sql').names).toEqual([
      'SeverityText',
      'SeverityNumber',
    ])
  })
})

describe('what prevents a query from being sent', () => {
  test('swaps a reversed range, and replaces any other invalid one by the last hour', () => {
    expect(blockerOf({ ...blank, from: 'now', to: 'now-1h' })?.fix).toEqual({ from: 'now-1h', to: 'now' })
    expect(blockerOf({ ...blank, from: '1795249573798', to: '1795149573798' })?.fix).toEqual({
      from: '1795149573798',
      to: '1795249573798',
    })
    const tooLong = { ...blank, from: 'now-90y' }
    expect(blockerOf(tooLong)).toMatchObject({
      fix: { from: 'now-1h', to: 'now' },
      fixLabel: 'Show the last hour',
    })
    expect(blockerOf(blank)).toBeNull()
  })
})
