import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { alertableDisplayTypes, dashboardSummary } from '#contract/stack/dashboards/dashboards.ts'
import { parseJson } from '#contract/wire/json.ts'
import { outlineOf } from './outline.ts'
import { readOutline } from './outlineText.ts'
import { dashboardSummaryOf } from './summary.ts'
import { anyDashboard } from './testing/arbitraries.ts'

const summaryOf = (record: unknown) => dashboardSummary.parse(dashboardSummaryOf(record))

test('says what a list shows of a dashboard, and nothing else', () => {
  const tile = (id: string, x: number, displayType: string) => ({
    id,
    name: id,
    x,
    y: 0,
    w: 12,
    h: 4,
    config: { displayType },
  })
  const record = {
    id: 'd1',
    name: 'Shop',
    tags: ['web'],
    tiles: [tile('errors', 0, 'line'), tile('notes', 12, 'markdown')],
    filters: [],
    future: true,
  }
  expect(dashboardSummaryOf(record)).toEqual({
    id: 'd1',
    name: 'Shop',
    tags: ['web'],
    tileCount: 2,
    outline: '0 0 12 4,12 0 12 4',
    unevaluatedTiles: ['notes'],
  })
})

test('agrees with the whole dashboard, whatever that has', () => {
  fc.assert(
    fc.property(anyDashboard, (dashboard) => {
      const summary = summaryOf(dashboard)
      const places = outlineOf(dashboard).map(({ x, y, w, h }) => ({ x, y, w, h }))
      expect(readOutline(summary.outline)).toEqual(places)
      expect(summary).toMatchObject({ id: dashboard.id, name: dashboard.name, tags: dashboard.tags })
      expect(summary.tileCount).toBe(dashboard.tiles.length)
      const unevaluated = dashboard.tiles.filter(({ config }) => {
        const type = config?.displayType
        return type !== undefined && !alertableDisplayTypes.includes(type)
      })
      expect(summary.unevaluatedTiles).toEqual(unevaluated.flatMap(({ id }) => id ?? []))
    }),
  )
})

test('reads places that are written as decimals', () => {
  const record = parseJson('{"id":"d","name":"D","tiles":[{"x":0.0,"y":1.0,"w":6.0,"h":2}]}')
  expect(summaryOf(record)).toMatchObject({ outline: '0 1 6 2', tileCount: 1, tags: [] })
})

test('lists a dashboard with tiles that it cannot read, without their outline', () => {
  const record = { id: 'd', name: 'D', tags: [], tiles: [{ id: 't', x: 'left' }, null] }
  expect(summaryOf(record)).toMatchObject({ name: 'D', tileCount: 2, outline: '', unevaluatedTiles: [] })
})

test('a record without a name, and what is no record, is left to the check of the page', () => {
  for (const record of [{ id: 'd', tiles: [] }, 'text', null]) {
    expect(dashboardSummary.safeParse(dashboardSummaryOf(record)).success).toBe(false)
  }
})
