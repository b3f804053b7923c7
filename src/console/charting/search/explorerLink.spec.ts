import { expect, test } from 'vitest'
import { explorerLink } from './explorerLink.ts'
import type { TileConfig } from '../tiles/tileConfig.ts'
import { planTile } from '../tiles/tileQuery.ts'

const span = { from: Date.parse('2026-11-20T10:00:00Z'), to: Date.parse('2026-11-20T11:00:00Z') }
const scope = {
  span,
  granularity: '1m',
  zone: 'utc',
  conditions: [{ lucene: 'ServiceName:shop', label: 'Service' }],
  sourceId: (id: string) => `there-${id}`,
} as const

function linkOf(config: TileConfig) {
  const plan = planTile(config, scope)
  if (plan.kind !== 'query') throw new Error('This tile has no query.')
  return explorerLink(config, plan, { from: 'now-1h', to: 'now' })
}

const select = [
  { aggFn: 'count', where: 'SeverityText:error', whereLanguage: 'lucene', alias: 'Errors' },
  { aggFn: 'quantile', level: 0.95, valueExpression: 'Duration', where: '', whereLanguage: 'lucene' },
] as const

test('the explorer has the series of a tile, with the conditions of the dashboard and the sources of the connection', () => {
  const { search } = linkOf({ displayType: 'line', sourceId: 's1', select: [...select], groupBy: 'Region, Zone' })
  expect(search).toMatchObject({
    a: 'count',
    'a.in': 'there-s1',
    'a.lang': 'lucene',
    'a.as': 'Errors',
    b: 'quantile',
    'b.field': 'Duration',
    'b.level': '0.95',
    by: 'Region,Zone',
    chart: 'line',
    from: 'now-1h',
    to: 'now',
  })
  expect(search?.['a.where']).toContain('SeverityText:error')
  expect(search?.['a.where']).toContain('ServiceName:shop')
  expect(search?.['b.where']).toContain('ServiceName:shop')
})

test('ratios and formulas are formulas, totals are tables, and a comparison stays one', () => {
  const shared = { sourceId: 's1', select: [...select] }
  expect(linkOf({ ...shared, displayType: 'line', asRatio: true }).search).toMatchObject({ formula: 'A / B' })
  expect(linkOf({ ...shared, displayType: 'table' }).search).toMatchObject({ view: 'table' })
  expect(linkOf({ ...shared, displayType: 'number' }).search).toMatchObject({ view: 'number' })
  const compared = linkOf({ ...shared, displayType: 'line', compareToPreviousPeriod: true })
  expect(compared.search).toMatchObject({ compare: 'previous' })
})

test('the limit of a tile stays one, and more than one formula is refused', () => {
  const tile: TileConfig = { displayType: 'line', sourceId: 's1', select: [...select] }
  expect(linkOf({ ...tile, seriesLimit: 5 }).search).toMatchObject({ top: '5' })
  const formulas = [{ expression: 'A / B' }, { expression: 'A + B' }]
  expect(linkOf({ ...tile, formulas }).problem).toBe('The explorer draws one formula, and this tile has 2.')
})

test('more series than the explorer has are refused with the reason', () => {
  const many = Array.from({ length: 6 }, () => select[0])
  expect(linkOf({ displayType: 'line', sourceId: 's1', select: many })).toEqual({
    problem: 'The explorer draws at most 5 series.',
  })
})
