import { describe, expect, test } from 'vitest'
import { aggFns } from '#contract/charts.ts'
import { metricTypes } from '#contract/sources.ts'
import { aggregateNote, aggregateOptions } from './aggregates.ts'

const offered = (sourceKind: string | undefined, metricType = '', set = 'count') =>
  aggregateOptions({ sourceKind, metricType }, set).map(({ value }) => value)

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
      expect(offered('metric', type)).toEqual(['count', 'sum', 'avg', 'quantile'])
    }
  })

  test('the selected one stays offered, with its label', () => {
    for (const set of aggFns) expect(offered('metric', 'histogram', set)).toContain(set)
    expect(aggregateOptions({ sourceKind: 'log', metricType: '' }, 'increase').at(-1)).toEqual({
      value: 'increase',
      label: 'increase (counter)',
    })
    expect(offered('log', '', 'of a newer deployment')).toEqual(offered('log'))
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
