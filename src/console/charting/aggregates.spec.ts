import { describe, expect, test } from 'vitest'
import { aggFns } from '#contract/stack/charts.ts'
import { metricTypes } from '#contract/stack/sources.ts'
import { aggregateNote, aggregateOptions, fieldWithAggregate } from './aggregates.ts'

const offered = (sourceKind: string | undefined, metricType = '', set = 'count') =>
  aggregateOptions({ sourceKind, metricType }, { aggFn: set, level: null }, [0.95]).map(({ value }) => value)

describe('offered aggregations', () => {
  test('increase requires a counter', () => {
    expect(metricTypes.filter((type) => offered('metric', type).includes('increase'))).toEqual(['sum'])
    for (const kind of ['log', 'trace', undefined]) expect(offered(kind, 'sum')).not.toContain('increase')
  })

  test('custom expressions require records', () => {
    expect(offered('log')).toContain('none')
    for (const type of metricTypes) expect(offered('metric', type)).not.toContain('none')
  })

  test('a distribution has no minimum and no distinct values', () => {
    for (const type of ['histogram', 'exponential histogram', 'summary']) {
      expect(offered('metric', type)).toEqual(['count', 'sum', 'avg', 'quantile 0.95'])
    }
  })

  test('the selected one stays offered, with its label', () => {
    for (const set of aggFns) expect(offered('metric', 'histogram', set)).toContain(set)
    const increase = { aggFn: 'increase', level: null }
    expect(aggregateOptions({ sourceKind: 'log', metricType: '' }, increase, [0.95]).at(-1)).toEqual({
      value: 'increase',
      label: 'increase (counter)',
      chosen: { aggFn: 'increase' },
    })
    expect(offered('log', '', 'of a newer deployment')).toEqual(offered('log'))
  })

  test('each quantile is one of its own, also a level that is not offered', () => {
    const labels = (level: number | null) =>
      aggregateOptions({ sourceKind: 'trace', metricType: '' }, { aggFn: 'quantile', level }, [0.5, 0.95, 0.999])
        .filter(({ chosen }) => chosen.aggFn === 'quantile')
        .map(({ label }) => label)
    expect(labels(0.95)).toEqual(['p50', 'p95', 'p99.9'])
    expect(labels(0.75)).toEqual(['p50', 'p75', 'p95', 'p99.9'])
    expect(labels(null)).toEqual(['quantile', 'p50', 'p95', 'p99.9'])
  })
})

test('those that only some deployments support have a hint', () => {
  const note = (metricType: string, aggFn: string) => aggregateNote({ sourceKind: 'metric', metricType }, aggFn)
  for (const aggFn of ['sum', 'avg']) expect(note('histogram', aggFn)).toContain('only quantile and count')
  for (const aggFn of ['quantile', 'count']) expect(note('histogram', aggFn)).toBeUndefined()
  expect(note('summary', 'quantile')).toContain('summaries')
  expect(note('sum', 'avg')).toBeUndefined()
  expect(aggregateNote({ sourceKind: 'log', metricType: 'histogram' }, 'sum')).toBeUndefined()
})

test('numbers of spans are of their duration until another field is chosen', () => {
  const traces = { id: 't', name: 'Traces', kind: 'trace', durationExpression: 'Duration' }
  expect(fieldWithAggregate('quantile', '', traces)).toBe('Duration')
  expect(fieldWithAggregate('quantile', 'Size', traces)).toBe('Size')
  expect(fieldWithAggregate('count_distinct', '', traces)).toBe('')
  expect(fieldWithAggregate('avg', '', { id: 'l', name: 'Logs', kind: 'log' })).toBe('')
})
