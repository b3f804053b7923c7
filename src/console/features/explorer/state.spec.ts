import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aggFns, granularities } from '#contract/stack/charts.ts'
import { metricTypes } from '#contract/stack/sources.ts'
import { parseSearch, stringifySearch } from '#console/shell/urlState.ts'
import { chartTypes } from '#console/ui/chart/chartTypes.ts'
import { units } from '#domain/charts/units.ts'
import { refreshChoices } from '#console/ui/time/refresh.ts'
import { type ExplorerState, readExplorer, writeExplorer } from './state.ts'

const text = fc.string({ maxLength: 40 })
const series = fc.record({
  sourceId: fc.stringMatching(/^[a-f0-9]{0,24}$/),
  aggFn: fc.constantFrom(...aggFns),
  field: text,
  level: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
  where: text,
  whereLanguage: fc.constantFrom('lucene' as const, 'sql' as const),
  metricName: text,
  metricType: fc.constantFrom(...metricTypes),
  alias: text,
})
const state: fc.Arbitrary<ExplorerState> = fc.record({
  from: fc.constantFrom('now-1h', 'now-1d/d', '1763000000000'),
  to: fc.constantFrom('now', 'now-1d/d', '1763000500000'),
  tz: fc.constantFrom('local' as const, 'utc' as const),
  g: fc.constantFrom(...granularities, 'auto' as const),
  chart: fc.constantFrom('auto' as const, ...chartTypes),
  unit: fc.constantFrom('auto' as const, ...units),
  formula: text,
  empty: fc.constantFrom('gap' as const, 'zero' as const),
  compare: fc.constantFrom('off', 'previous', '1d', '90m'),
  top: fc.constantFrom(0, 5, 8),
  scale: fc.constantFrom('linear' as const, 'log' as const),
  view: fc.constantFrom('chart' as const, 'table' as const, 'number' as const),
  over: text,
  match: text,
  refresh: fc.constantFrom(...refreshChoices),
  groupBy: fc.array(fc.constantFrom('ServiceName', "LogAttributes['a,b']", 'SeverityText'), { maxLength: 3 }),
  series: fc.array(series, { maxLength: 5 }),
})

describe('URL', () => {
  test('keeps every state', () => {
    fc.assert(
      fc.property(state, (state) => {
        const address = stringifySearch(writeExplorer(state))
        expect(readExplorer(parseSearch(address))).toEqual({ state, notices: [] })
      }),
      { numRuns: 500 },
    )
  })

  test('opens with any text, and reports each invalid value', () => {
    const keys = fc.constantFrom(
      'from',
      'to',
      'tz',
      'g',
      'chart',
      'unit',
      'a',
      'a.level',
      'b',
      'b.lang',
      'by',
      'refresh',
      'x',
    )
    fc.assert(
      fc.property(fc.dictionary(keys, fc.string()), (search) => {
        const { state, notices } = readExplorer(search)
        expect(readExplorer(parseSearch(stringifySearch(writeExplorer(state)))).notices).toEqual([])
        expect(notices.length).toBeLessThanOrEqual(Object.keys(search).length)
      }),
    )
    const { state: fixed, notices } = readExplorer({ g: '3m', a: 'median', 'a.where': 'x' })
    expect(fixed.g).toBe('auto')
    expect(fixed.series[0]).toMatchObject({ aggFn: 'count', where: 'x' })
    expect(notices).toHaveLength(2)
  })

  test('omits defaults, and is readable', () => {
    const { state } = readExplorer({ a: 'avg', 'a.field': 'Duration', by: 'ServiceName' })
    expect(stringifySearch(writeExplorer(state))).toBe('?by=ServiceName&a=avg&a.field=Duration')
  })
})
