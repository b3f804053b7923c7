/** Tiles and the explorer show the same figures over the stack and over what behaves as deployments do: the right ones. */
import { describe, expect, test } from 'vitest'
import type { ChartPoint, ChartQuery } from '#contract/stack/charts.ts'
import { queryChartsWith } from '#console/charting/queryCharts.ts'
import { UnknownGroupsError } from '#console/api/groupErrors.ts'
import { tileLines, tileTotal } from '#console/charting/tiles/tileData.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { isTotal, planTile } from '#console/charting/tiles/tileQuery.ts'
import { requestOf } from '#console/features/explorer/query.ts'
import { seriesOf } from '#console/features/explorer/lines.ts'
import { totalsOf } from '#console/features/explorer/numbers.ts'
import { readExplorer } from '#console/features/explorer/state.ts'
import { placeInScale } from '#domain/series/heatmap.ts'
import type { ChartBehavior } from '#stack/config.ts'
import { knownRows, hour, minute, sources, start } from './testing/knownRows.ts'

const { ask } = knownRows()
/** Both ends are at bucket boundaries, and all rows are within. */
const range = { from: start - 17_001, to: start + 14 * minute + 9001 }
const behaviors: ChartBehavior[] = ['own', 'deployment']

interface Drawn {
  group: readonly string[]
  values: readonly (number | null)[]
}

/** The values that a tile draws: its totals, or the sums of its lines. */
async function drawn(config: TileConfig, behavior: ChartBehavior, span = range): Promise<Drawn[]> {
  const plan = planTile(config, { span, granularity: 'auto', zone: 'utc', conditions: [], sourceId: (id) => id })
  if (plan.kind !== 'query') throw new Error(JSON.stringify(plan))
  const answers: ChartPoint[][] = []
  for (const { query } of plan.requests) answers.push(await ask(query, behavior))
  if (isTotal(config)) return [...tileTotal(config, plan, answers, span).rows]
  return tileLines(config, plan, answers).map(({ group, points }) => ({
    group,
    values: [points.reduce((sum, [, value]) => sum + (value ?? 0), 0)],
  }))
}

const item = (more: object) => ({ aggFn: 'count', where: '', whereLanguage: 'lucene', ...more })
const tile = (sourceId: string, select: object, groupBy = ''): TileConfig => ({
  sourceId,
  select: [item(select)],
  groupBy,
})
const memory = { metricName: 'memory', metricType: 'gauge' }
const requests = { metricName: 'requests', metricType: 'sum' }
const latency = { metricName: 'latency', metricType: 'histogram' }
const status = "SpanAttributes['http.response.status_code']"

const heatmapScale = { kind: 'linear' as const, edges: [1.5e6, 3e6, 5e6, 6e6], hasLower: false }
const heatmapRow = `toString(${placeInScale('toFloat64OrNull(toString(Duration))', heatmapScale)})`

const kinds = ['line', 'stacked_bar', 'table', 'number', 'pie', 'bar'] as const
const grouped = kinds.filter((kind) => kind !== 'number')

/** Values of a tile that are the same however its range is cut: what adds up. */
const additive: [what: string, config: TileConfig, expected: Record<string, number>][] = [
  ['a map key', tile('trace', {}, "SpanAttributes['http.request.method']"), { GET: 2, POST: 1 }],
  ['a map key with a dot', tile('trace', {}, 'SpanAttributes.http.request.method'), { GET: 2, POST: 1 }],
  ['a quoted name', tile('trace', {}, '`ServiceName`'), { cart: 2, web: 1 }],
  ['an expression', tile('trace', {}, 'round(Duration / 1e6)'), { 2: 1, 4: 1, 6: 1 }],
  ['rows of a heatmap', tile('trace', {}, heatmapRow), { 0: 1, 1: 1, 2: 1 }],
  ['two expressions', tile('trace', {}, `upper(ServiceName), ${status}`), { 'CART · 200': 2, 'WEB · 500': 1 }],
  [
    'decimals',
    tile('trace', { aggFn: 'sum', valueExpression: 'Duration / 1000000.0' }, 'ServiceName'),
    { cart: 6, web: 6 },
  ],
  [
    'keys with dots',
    tile('trace', { aggFn: 'sum', valueExpression: `toFloat64OrZero(${status})` }, 'ServiceName'),
    { cart: 400, web: 500 },
  ],
  ['a plain key', tile('trace', { aggFn: 'sum', valueExpression: status }, 'ServiceName'), { cart: 400, web: 500 }],
  ['free text', tile('log', { where: 'order' }, 'SeverityText'), { info: 1, error: 1 }],
  [
    'more free text',
    tile('log', { where: '-"was placed" SeverityText:(info OR error)' }, 'SeverityText'),
    { info: 1, error: 1 },
  ],
  ['text of spans', tile('trace', { where: 'cart' }, 'ServiceName'), { cart: 2 }],
  [
    'a counter',
    tile('metric', { ...requests, aggFn: 'sum', valueExpression: 'Value' }, 'ServiceName'),
    { cart: 12, web: 60 },
  ],
  [
    'a counter by an attribute',
    tile('metric', { ...requests, aggFn: 'increase', valueExpression: 'Value' }, "Attributes['host.name']"),
    { 'cart-1': 12, 'web-1': 60 },
  ],
  ['a histogram', tile('metric', latency, 'ServiceName'), { cart: 24, web: 48 }],
]

describe.each(behaviors)('unmodified connection (%s)', (behavior) => {
  describe.each(grouped)('a tile of the type %s', (displayType) => {
    test.each(additive)('shows %s', async (_, config, expected) => {
      const found = await drawn({ ...config, displayType }, behavior)
      expect(Object.fromEntries(found.map(({ group, values }) => [group.join(' · '), values[0]]))).toEqual(expected)
    })
  })

  test.each(additive)('a number tile shows %s', async (_, config, expected) => {
    const found = await drawn({ ...config, groupBy: '', displayType: 'number' }, behavior)
    const sum = Object.values(expected).reduce((all, value) => all + value, 0)
    expect(found).toEqual([{ group: [], values: [sum] }])
  })

  test.each([
    ['avg', memory, [20], [10, 30]],
    ['sum', memory, [40], [10, 30]],
    ['min', memory, [10], [10, 30]],
    ['max', memory, [30], [10, 30]],
    ['last_value', memory, [expect.any(Number)], [10, 30]],
    ['quantile', latency, [1.25], [0.5, 1.5]],
  ])('shows the %s of a metric over the range', async (aggFn, metric, all, each) => {
    const config = { ...tile('metric', { ...metric, aggFn, valueExpression: 'Value' }), displayType: 'table' }
    expect((await drawn(config, behavior)).map(({ values }) => values[0])).toEqual(all)
    const byService = await drawn({ ...config, groupBy: 'ServiceName' }, behavior)
    expect(Object.fromEntries(byService.map(({ group, values }) => [group[0], values[0]]))).toEqual({
      cart: each[0],
      web: each[1],
    })
  })

  test.each([10 * minute, 15 * minute, hour, 6 * hour, 40 * 24 * hour])(
    'shows all rows of a counter over %d ms',
    async (length) => {
      const config = {
        ...tile('metric', { ...requests, aggFn: 'sum', valueExpression: 'Value' }),
        displayType: 'number',
      }
      const span = { from: start + 12 * minute - length - 1, to: start + 12 * minute + 1 }
      const [row] = await drawn(config, behavior, span)
      // A short range starts with its first bucket, which may contain one row more.
      const rows = Math.min(12, Math.floor((length + 1) / minute))
      expect([rows * 6, (rows + 1) * 6]).toContain(row?.values[0])
    },
  )

  test.each(['1', '2'])('a line keeps its first bucket if its range is not aligned (%s)', async (more) => {
    const config = { ...tile('metric', { ...memory, aggFn: 'max', valueExpression: 'Value' }), displayType: 'line' }
    const asItIs = { ...config, alignDateRangeToGranularity: false }
    const span = { from: start + Number(more), to: start + 11 * minute + 1 }
    expect((await drawn(asItIs, behavior, span))[0]?.values).toEqual((await drawn(config, behavior, span))[0]?.values)
    expect((await drawn(asItIs, behavior, span))[0]?.values).toEqual([12 * 30])
  })

  test('the explorer groups by a map key, over time and in total', async () => {
    const address = {
      a: 'avg',
      'a.in': 'trace',
      'a.field': 'Duration / 1000000.0',
      by: "SpanAttributes['http.request.method']",
    }
    const { state } = readExplorer({ ...address, from: String(range.from), to: String(range.to) })
    const found = requestOf(state, range, sources)
    const points = await ask(found.query, behavior)
    const options = {
      series: state.series,
      formula: '',
      units: { series: [], common: 'number' as const },
      empty: 'gap' as const,
    }
    expect(seriesOf(points, options).map(({ label }) => label)).toEqual(['GET', 'POST'])
    const number = { ...state, view: 'number' as const }
    const total = requestOf(number, range, sources)
    expect(totalsOf(await ask(total.query, behavior), number, total)).toMatchObject([
      { label: 'POST', value: 6 },
      { label: 'GET', value: 3 },
    ])
  })

  test('the explorer shows a metric as one number', async () => {
    const { state } = readExplorer({
      a: 'sum',
      'a.in': 'metric',
      'a.metric': 'requests',
      'a.type': 'sum',
      view: 'number',
    })
    const found = requestOf(state, range, sources)
    expect(totalsOf(await ask(found.query, behavior), state, found)).toMatchObject([{ value: 72, approximate: false }])
  })
})

describe('deployment that does not name its groups', () => {
  const query: ChartQuery = {
    startTime: start,
    endTime: start + hour,
    series: [{ sourceId: 'trace', aggFn: 'count', where: '', groupBy: ['ServiceName'] }],
  }
  const points = [{ ts_bucket: start, group: [null], 'series_0.data': '3' }]

  test('is asked for rows, and trusted if there are none', async () => {
    const rows = [{ __hdx_time_bucket: '2026-01-01T00:00:00Z', ServiceName: null, series_0: '3' }]
    const answers = [points, rows]
    expect(await queryChartsWith(async () => answers.shift() ?? [], query, sources)).toMatchObject([{ group: [null] }])
  })

  test('has a message instead of a chart', async () => {
    const refused = queryChartsWith(async () => points, query, sources)
    await expect(refused).rejects.toBeInstanceOf(UnknownGroupsError)
    await expect(refused).rejects.toThrow(/ServiceName/)
  })
})
