import { expect, test } from 'vitest'
import { alertableDisplayTypes, dashboard as readDashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import { sampleDashboard } from './sampleDashboard.ts'
import { stackDashboard } from './stackDashboard.ts'

const sources: Source[] = ['log', 'trace', 'metric'].map((kind, at) => ({ id: `${at}`.repeat(24), name: kind, kind }))
const dashboards = [
  ['stack', stackDashboard.dashboard(sources)],
  ['sample', sampleDashboard(sources)],
] as const

test.each(dashboards)('the %s dashboard has tiles of five types without overlap', (_, { tiles }) => {
  const kinds = new Set(tiles.map((tile) => tile.config.displayType))
  for (const kind of ['line', 'stacked_bar', 'number', 'table', 'markdown']) expect(kinds).toContain(kind)
  const cells = tiles.flatMap(({ x, y, w, h }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(Math.max(...tiles.map(({ x, w }) => x + w))).toBeLessThanOrEqual(24)
})

test.each(dashboards)('the %s dashboard is valid for the console', (_, dashboard) => {
  expect(readDashboard.parse({ ...dashboard, id: 'd' }).name).toBe(dashboard.name)
})

test('reports a missing source', () => {
  expect(() => sampleDashboard(sources.slice(0, 2))).toThrow('metric')
})

test('the sample alert watches a tile that can be evaluated', () => {
  const { name, tiles } = stackDashboard.dashboard(sources)
  const stored = { id: 'd', name, tiles: tiles.map((tile, at) => ({ ...tile, id: `t${at}` })) }
  const [alert] = stackDashboard.alerts(stored, '1'.repeat(24))
  const watched = stored.tiles.find((tile) => tile.id === alert?.tileId)
  expect(alertableDisplayTypes).toContain(watched?.config.displayType)
  expect(alert).toMatchObject({ source: 'tile', dashboardId: 'd' })
})
