import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { gridColumns } from '#contract/stack/dashboards/dashboards.ts'
import { anyDashboard } from './testing/arbitraries.ts'
import { outlineOf } from './outline.ts'
import { sectionsOf, tilesOnTab } from './sections.ts'

const tile = (id: string, y: number, more: object = {}) => ({ id, name: id, x: 0, y, w: 12, h: 4, ...more })

test('stacks groups vertically, with the first tab of each', () => {
  const containers = [
    { id: 'a', title: 'A', tabs: ['one', 'two'].map((id) => ({ id, title: id })) },
    { id: 'b', title: 'B' },
  ]
  const tiles = [
    tile('last', 0, { containerId: 'b' }),
    tile('hidden', 0, { containerId: 'a', tabId: 'two' }),
    tile('seen', 0, { containerId: 'a', tabId: 'one' }),
    tile('free', 9),
  ]
  expect(outlineOf({ tiles, containers }).map(({ y }) => y)).toEqual([9, 13, 17])
})

test('a dashboard of 200,000 tiles has an outline', () => {
  const tiles = Array.from({ length: 200_000 }, (_, index) => tile(`t${index}`, index))
  expect(outlineOf({ tiles })).toHaveLength(tiles.length)
})

test('every visible tile has a place on the grid, and none overlaps one of another group', () => {
  fc.assert(
    fc.property(anyDashboard, (dashboard) => {
      const places = outlineOf(dashboard)
      const shown = sectionsOf(dashboard).map((section) => tilesOnTab(section, undefined).length)
      expect(places).toHaveLength(shown.reduce((sum, count) => sum + count, 0))
      let bottom = 0
      let at = 0
      for (const count of shown) {
        const group = places.slice(at, at + count)
        for (const { x, y, w, h } of group) {
          expect([x, y - bottom, w, h].every((value) => value >= 0)).toBe(true)
          expect(x + w).toBeLessThanOrEqual(gridColumns)
        }
        bottom = Math.max(bottom, ...group.map(({ y, h }) => y + h))
        at += count
      }
    }),
  )
})
