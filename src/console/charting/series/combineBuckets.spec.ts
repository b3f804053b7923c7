import { describe, expect, test } from 'vitest'
import { aggFns } from '#contract/stack/charts.ts'
import { parseFormula } from '#contract/stack/dashboards/formulas.ts'
import { accumulates, formulaAccumulates } from './combineBuckets.ts'
import { tileLines } from '../tiles/tileData.ts'
import type { TileConfig } from '../tiles/tileConfig.ts'
import { planTile } from '../tiles/tileQuery.ts'

describe('what accumulates while its bucket lasts', () => {
  test('are counts, sums and increases', () => {
    expect(aggFns.filter(accumulates)).toEqual(['count', 'count_distinct', 'sum', 'increase'])
  })

  test.each([
    ['A + B', true],
    ['A - B', true],
    ['-A', true],
    ['A / 60', true],
    ['2 * (A + B) - 1', true],
    ['A * C', true],
    ['A / C', true],
    ['A * B / B', true],
    ['A / B', false],
    ['(A - B) / A * 100', false],
    ['1 - A / B', false],
    ['C / A', false],
    ['C * 2', false],
    ['7', false],
  ])('is of formulas of counts and a quantile: %s %s', (text, expected) => {
    expect(formulaAccumulates(parseFormula(text), ['count', 'increase', 'quantile'])).toBe(expected)
  })

  const linesOf = (config: TileConfig) => {
    const scope = { span: { from: 0, to: 3_600_000 }, granularity: '1m', zone: 'utc', conditions: [] } as const
    const plan = planTile(config, { ...scope, sourceId: (id) => id })
    if (plan.kind !== 'query') throw new Error(plan.kind)
    const point = { ts_bucket: 0, 'series_0.data': '6', 'series_1.data': '3' }
    return tileLines(config, plan, [[point]]).map((line) => [line.label, line.accumulates])
  }
  const tile: TileConfig = { displayType: 'line', sourceId: 's' }

  test('is of each line of a tile by itself', () => {
    const select = [
      { aggFn: 'count', alias: 'requests' },
      { aggFn: 'quantile', valueExpression: 'Duration', level: 0.95, alias: 'p95' },
    ]
    expect(linesOf({ ...tile, select })).toEqual([
      ['requests', true],
      ['p95', false],
    ])
  })

  test('is of the sums of a tile, and not of its ratios', () => {
    const select = [{ aggFn: 'count' }, { aggFn: 'count', where: 'x' }]
    expect(linesOf({ ...tile, select, asRatio: true })).toMatchObject([[expect.anything(), false]])
    const formulas = [{ expression: 'A + B' }, { expression: 'A / B' }]
    expect(linesOf({ ...tile, select, formulas })).toEqual([
      ['A + B', true],
      ['A / B', false],
    ])
  })
})
