import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '#console/api/queryClient.ts'
import { readPicture } from '#console/charting/thumbnail/pictures.ts'
import { planTile } from '#console/charting/tiles/tileQuery.ts'
import type { ChartPoint } from '#contract/stack/charts.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { takePicture } from './takePicture.ts'
import { tileQueryOptions } from './tiles/useTileData.ts'

const minute = 60_000
const end = Date.parse('2026-11-20T10:00:00Z')
const scope = {
  span: { from: end - 10 * minute, to: end },
  granularity: '1m',
  zone: 'utc',
  conditions: [],
  sourceId: (id: string) => id,
} as const
const data = { connectionId: 'c', reason: null, scope, sources: [], zone: 'utc' } as const
const config = { displayType: 'line', sourceId: 's', select: [{ aggFn: 'count' }] }
const tile = { id: 't', name: 'Secret name', x: 0, y: 0, w: 12, h: 6, config }
const dashboard = { id: 'd', name: 'Secret name', tiles: [tile], tags: [] } as unknown as Dashboard // what the picture reads

function answer(points: ChartPoint[]): void {
  const plan = planTile(config, scope)
  if (plan.kind !== 'query') throw new Error('the tile has a query')
  queryClient.setQueryData(tileQueryOptions('c', plan, []).queryKey, { points: [points], readAt: end, plan })
}

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
})

test('keeps shapes without names, values or times', () => {
  answer([1200, 4800].map((value, at) => ({ ts_bucket: end - (9 - at) * minute, 'series_0.data': value })))
  takePicture('c', dashboard, data)
  expect(readPicture('c', 'd')).toEqual({
    tiles: [{ x: 0, y: 0, w: 12, h: 6, shape: { kind: 'lines', lines: [[0.25, 1]] } }],
  })
  const stored = localStorage.getItem('stack-console.pictures') ?? ''
  expect(stored).not.toMatch(/Secret|1200|4800|1763/)
})

test('keeps the last picture while nothing is read, and those of the newest 24 dashboards', () => {
  answer([{ ts_bucket: end - minute, 'series_0.data': 1 }])
  for (let at = 0; at < 30; at++) takePicture('c', { ...dashboard, id: `d${at}` }, data)
  queryClient.clear()
  takePicture('c', { ...dashboard, id: 'd29' }, data)
  const seen = Array.from({ length: 30 }, (_, at) => readPicture('c', `d${at}`) !== undefined)
  expect(seen.filter(Boolean)).toHaveLength(24)
  expect(seen.at(-1)).toBe(true)
})

test('reads nothing from storage that is damaged', () => {
  localStorage.setItem('stack-console.pictures', '[["c/d",{"tiles":[{"x":0}]}]]')
  expect(readPicture('c', 'd')).toBeUndefined()
  localStorage.setItem('stack-console.pictures', '{')
  expect(readPicture('c', 'd')).toBeUndefined()
})
