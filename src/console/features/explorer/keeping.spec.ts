import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aggFns, type ChartPoint } from '#contract/stack/charts.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { metricTypes, type Source } from '#contract/stack/sources.ts'
import { tileConfigStrict } from '#contract/stack/dashboards/tileConfigs.ts'
import { writtenCondition } from '#console/charting/freeText.ts'
import { planTile } from '#console/charting/tiles/tileQuery.ts'
import { units } from '#domain/charts/units.ts'
import { chartFileName } from '#console/charting/export/saveChart.ts'
import { totalsOf } from './numbers.ts'
import { matchesOf, withOverlay, translateQuery, withChosen } from './overlay.ts'
import { requestOf } from './query.ts'
import { sameTile, whyNotAdd } from '#console/charting/tiles/saveTile.ts'
import { type ExplorerState, newSeries, readExplorer } from './state.ts'
import { kindOf, savedKinds, tileOf } from './tile.ts'

const id = (digit: string) => digit.repeat(24)
const logs: Source = { id: id('a'), name: 'Logs', kind: 'log' }
const metrics: Source = { id: id('b'), name: 'Metrics', kind: 'metric' }
const sources = [logs, metrics]
const { state: blank } = readExplorer({})
const span = { from: Date.parse('2026-11-20T21:00:00Z'), to: Date.parse('2026-11-20T22:00:00Z') }

const text = fc.string({ maxLength: 20 })
const level = fc.constantFrom(0.5, 0.9, 0.95, 0.99)
const state: fc.Arbitrary<ExplorerState> = fc
  .record({
    source: fc.constantFrom(...sources),
    groupBy: fc.array(fc.constantFrom('ServiceName', "LogAttributes['a,b']"), { maxLength: 2 }),
    unit: fc.constantFrom(...units),
    empty: fc.constantFrom('gap' as const, 'zero' as const),
    compare: fc.constantFrom('off', 'previous', '1d', '90m'),
    top: fc.constantFrom(0, 5, 8),
    scale: fc.constantFrom('linear' as const, 'log' as const),
    formula: fc.constantFrom('', 'A * 100'),
    series: fc.array(
      fc.record({
        aggFn: fc.constantFrom(...aggFns),
        field: text.map((name) => `x${name}`),
        level,
        where: text,
        whereLanguage: fc.constantFrom('lucene' as const, 'sql' as const),
        metricName: text.map((name) => `m${name}`),
        metricType: fc.constantFrom(...metricTypes),
        alias: text,
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(({ source, series, ...page }) => ({
    ...blank,
    ...page,
    series: series.map((one) => ({ ...one, sourceId: source.id })),
  }))

describe('tile', () => {
  test('is valid for deployments, and has the query of the page', () => {
    fc.assert(
      fc.property(state, fc.constantFrom(...savedKinds), (state, kind) => {
        const tile = tileOf(state, sources, { kind, only: null })
        if ('refused' in tile) {
          expect(kind).toBe('number')
          return
        }
        expect(tileConfigStrict.safeParse(tile.config).error).toBeUndefined()
        const scope = {
          span,
          granularity: 'auto' as const,
          zone: 'utc' as const,
          conditions: [],
          sourceId: (one: string) => one,
        }
        const plan = planTile(tile.config, scope)
        if (plan.kind !== 'query') throw new Error(JSON.stringify(plan))
        const groupBy = kind === 'number' ? [] : state.groupBy
        const requested = requestOf({ ...state, groupBy }, span, sources).query.series
        // A tile names the column of a metric's value; the page leaves that to the deployment.
        const isMetric = state.series[0]?.sourceId === metrics.id
        const planned = plan.requests.filter(({ earlier }) => earlier === 0).flatMap(({ query }) => query.series)
        const plain = ({ field, where = '', whereLanguage = 'lucene', ...rest }: (typeof planned)[number]) => ({
          ...rest,
          ...(!isMetric && { field: field?.trim() }),
          // Without a condition, the language does not matter.
          ...(where.trim() !== '' && { where: writtenCondition(where, whereLanguage), whereLanguage }),
        })
        expect(planned.map(plain)).toEqual(requested.map(plain))
      }),
    )
  })

  test('is rejected with the reason where the API has no such tile', () => {
    const one = { ...newSeries, sourceId: logs.id }
    const choice = { kind: 'line' as const, only: null }
    const mixed = { ...blank, series: [one, { ...one, sourceId: metrics.id }] }
    expect(tileOf(mixed, sources, choice)).toHaveProperty('refused')
    expect(tileOf(mixed, sources, { ...choice, only: 1 })).toMatchObject({ config: { sourceId: metrics.id } })
    const odd = { ...blank, series: [{ ...one, aggFn: 'quantile' as const, field: 'Duration', level: 0.75 }] }
    expect(tileOf(odd, sources, choice)).toMatchObject({ refused: expect.stringContaining('p75') })
    expect(kindOf({ ...blank, series: [one] })).toBe('stacked_bar')
    expect(kindOf({ ...blank, series: [one], view: 'number' })).toBe('number')
  })

  const config = { displayType: 'line', sourceId: logs.id, select: [{ aggFn: 'count' }] }
  const dashboard = (tiles: Dashboard['tiles']): Dashboard => ({ id: 'd', name: 'D', tags: [], filters: [], tiles })
  const place = { x: 0, y: 0, w: 4, h: 4 }

  test('is found if it exists already, whatever was filled in', () => {
    const filled = {
      ...config,
      fillNulls: true,
      asRatio: false,
      select: [{ aggFn: 'count', valueExpression: '', where: '', whereLanguage: 'lucene' }],
    }
    const there = dashboard([
      { ...place, id: 'other', config: { ...config, fillNulls: false } },
      { ...place, id: 'same', config: filled },
    ])
    expect(sameTile(there, config)?.id).toBe('same')
    expect(sameTile(there, { ...config, groupBy: 'ServiceName' })).toBeUndefined()
  })

  test('is not added where writing the dashboard back could destroy others', () => {
    expect(whyNotAdd(dashboard([{ ...place, config }]), sources)).toBeNull()
    expect(whyNotAdd(dashboard([{ ...place, name: 'Unseen' }]), sources)).toContain('Unseen')
    expect(whyNotAdd(dashboard([{ ...place, config: { ...config, sourceId: id('c') } }]), sources)).not.toBeNull()
    expect(whyNotAdd(dashboard([]), [{ ...logs, kind: 'promql' }])).not.toBeNull()
    expect(whyNotAdd(dashboard(Array.from({ length: 500 }, () => ({ ...place, config }))), sources)).not.toBeNull()
  })
})

describe('overlay', () => {
  const there: Source[] = [
    { id: 'x', name: 'logs', kind: 'log' },
    { id: 'y', name: 'More logs', kind: 'log' },
  ]
  const series = [{ ...newSeries, sourceId: logs.id }]
  const { query } = requestOf({ ...blank, series }, span, sources)

  test('queries the source of the same kind and name, or the selected one', () => {
    expect(translateQuery(query, matchesOf(series, sources, there, ''))?.series[0]?.sourceId).toBe('x')
    const chosen = withChosen('', logs.id, 'y')
    expect(translateQuery(query, matchesOf(series, sources, there, chosen))?.series[0]?.sourceId).toBe('y')
    expect(matchesOf(series, sources, there, withChosen(chosen, logs.id, 'x'))).toMatchObject([{ to: { id: 'x' } }])
  })

  test('sends no query where a source has no counterpart', () => {
    const metric = [{ ...newSeries, sourceId: metrics.id }]
    const matches = matchesOf(metric, sources, there, '')
    expect(matches).toMatchObject([{ to: null, how: 'no metric source' }])
    expect(translateQuery(requestOf({ ...blank, series: metric }, span, sources).query, matches)).toBeNull()
  })

  test('has lines with separate names, group and style, in the colors of their counterparts', () => {
    const line = { id: 'A/["x"]', label: 'x', points: [] }
    const [own, other] = withOverlay([line], [line], { own: 'Here', other: 'Here' })
    expect(own).toMatchObject({ id: line.id, label: 'x', group: 'Here' })
    expect(other).toMatchObject({ overlay: true, like: line.id })
    expect(other?.id).not.toBe(own?.id)
    expect(other?.group).not.toBe(own?.group)
  })
})

describe('single number', () => {
  const { state } = readExplorer({ a: 'count', view: 'number' })

  test('is queried in as few buckets as possible', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 3000 * 86_400_000 }), (length) => {
        const { query, bucketMs, earlier } = requestOf(state, { from: span.to - length, to: span.to }, sources)
        expect(query).toMatchObject({ startTime: span.to - length, endTime: span.to })
        expect(earlier).toBe(length)
        const buckets = Math.floor(span.to / bucketMs) - Math.floor((span.to - length) / bucketMs) + 1
        expect(buckets === 1 || query.granularity === '30d').toBe(true)
      }),
    )
  })

  test('sums additive values, and says where it is an approximation', () => {
    const points: ChartPoint[] = [
      { ts_bucket: span.from, group: ['a'], 'series_0.data': '3', 'series_1.data': 10 },
      { ts_bucket: span.from + 1_800_000, group: ['a'], 'series_0.data': '4', 'series_1.data': 20 },
      { ts_bucket: span.from, group: ['b'], 'series_0.data': '9' },
    ]
    const series = [newSeries, { ...newSeries, aggFn: 'avg' as const, field: 'x' }]
    const request = { bucketMs: 1_800_000, span, query: requestOf({ ...state, series }, span, sources).query }
    expect(totalsOf(points, { series, formula: '' }, request)).toMatchObject([
      { label: 'count · b', value: 9, approximate: false },
      { label: 'count · a', value: 7, approximate: false },
      { label: 'avg(x) · a', value: 15, approximate: true },
      { label: 'avg(x) · b', value: null },
    ])
    expect(totalsOf(points, { series, formula: 'A * 2' }, request)[0]).toMatchObject({ label: 'b', value: 18 })
  })
})

test('a file name describes the content, without characters that a file system rejects', () => {
  expect(chartFileName('count by SeverityText', 'png')).toBe('count-by-SeverityText.png')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (title) => {
      expect(chartFileName(title, 'svg')).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}._-]*\.svg$/u)
    }),
  )
})
