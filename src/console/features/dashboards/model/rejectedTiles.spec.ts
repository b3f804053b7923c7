import { expect, test } from 'vitest'
import { dashboard as dashboardSchema } from '#contract/stack/dashboards/dashboards.ts'
import { rejectedTiles, withoutTiles } from './rejectedTiles.ts'

const place = { x: 0, y: 0, w: 4, h: 4 }
const dashboard = dashboardSchema.parse({
  id: 'd',
  name: 'D',
  tiles: [
    { name: 'Flow', ...place, config: { displayType: 'sankey' } },
    { name: 'Lines', ...place, config: { displayType: 'line' } },
    { name: '', ...place },
  ],
})

test('tiles that an error mentions are named, and can be skipped', () => {
  const refused = rejectedTiles(
    [
      { path: 'tiles.0.config.displayType', message: 'no such kind' },
      { path: 'tiles.0.config.sourceId', message: 'no such source' },
      { path: 'tiles.2', message: 'no configuration' },
    ],
    dashboard,
  )
  expect(refused).toEqual([
    { index: 0, name: 'Flow', messages: ['no such kind', 'no such source'] },
    { index: 2, name: 'Untitled tile', messages: ['no configuration'] },
  ])
  expect(withoutTiles(dashboard, refused ?? []).tiles.map(({ name }) => name)).toEqual(['Lines'])
})

test('an error about anything else is not solved by skipping tiles', () => {
  const tile = { path: 'tiles.1', message: 'x' }
  expect(rejectedTiles([tile, { path: 'name', message: 'too long' }], dashboard)).toBeNull()
  expect(rejectedTiles([{ path: 'tiles.7', message: 'x' }], dashboard)).toBeNull()
  expect(rejectedTiles([{ path: 'tilesets.1', message: 'x' }], dashboard)).toBeNull()
  expect(rejectedTiles(undefined, dashboard)).toBeNull()
})
