import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { collides } from '#domain/dashboards/gridPositions.ts'
import { dashboard as dashboardSchema, type Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { anyDashboard } from '#domain/dashboards/testing/arbitraries.ts'
import { diff } from '#domain/json/diff.ts'
import * as edit from './editing.ts'
import { sectionsOf, tilesOnTab } from '#domain/dashboards/sections.ts'

const tile = (id: string, rest: object = {}) => ({ id, name: id, x: 0, y: 0, w: 6, h: 4, ...rest })
const dashboardOf = (tiles: object[], containers: object[] = []): Dashboard =>
  dashboardSchema.parse({ id: 'd', name: 'D', tiles, containers })
const idsOf = (dashboard: Dashboard) => dashboard.tiles.map(({ id }) => id)

test('every tile is in exactly one section', () => {
  fc.assert(
    fc.property(anyDashboard, (dashboard) => {
      const placed = sectionsOf(dashboard).flatMap((section) =>
        section.tabs.length > 0
          ? section.tabs.flatMap((tab) => tilesOnTab(section, tab.id))
          : tilesOnTab(section, undefined),
      )
      expect(placed.map(({ id }) => id).toSorted()).toEqual(idsOf(dashboard).toSorted())
    }),
  )
})

test('an edit of one tile does not change others', () => {
  fc.assert(
    fc.property(anyDashboard, fc.nat(), (dashboard, pick) => {
      fc.pre(dashboard.tiles.length > 0)
      const { id } = dashboard.tiles[pick % dashboard.tiles.length]!
      const next = edit.updateTile(dashboard, id!, (one) => ({ ...one, name: 'x' }))
      expect(diff(dashboard, next).every(({ path }) => (path[1] as { id: string }).id === id)).toBe(true)
      expect(edit.withTiles(dashboard, dashboard.tiles)).toBe(dashboard)
    }),
  )
})

test('a new tile takes the first free place of its section', () => {
  const before = dashboardOf([tile('a'), tile('b', { x: 6, containerId: 'c' })], [{ id: 'c', title: 'C' }])
  const added = edit.addTile(before, { name: 'new', w: 6, h: 4 }).tiles.at(-1)
  expect(added).toMatchObject({ x: 6, y: 0 })
  const inside = edit.addTile(before, { name: 'new', w: 6, h: 4 }, { containerId: 'c' }).tiles.at(-1)
  expect(inside).toMatchObject({ x: 0, y: 0, containerId: 'c' })
})

test('a copy is placed beside its original without overlap', () => {
  const after = edit.duplicateTile(dashboardOf([tile('a')]), 'a')
  expect(after.tiles).toHaveLength(2)
  expect(after.tiles[1]?.name).toBe('a (copy)')
  expect(after.tiles[1]?.id).not.toBe('a')
  expect(collides(after.tiles[0]!, after.tiles[1]!)).toBe(false)
})

test('grouping and ungrouping keeps every tile', () => {
  const before = dashboardOf([tile('a'), tile('b', { x: 6 })])
  const grouped = edit.groupTiles(before, ['a', 'b'], 'Group')
  const { id } = grouped.containers![0]!
  expect(grouped.tiles.map(({ containerId }) => containerId)).toEqual([id, id])
  const kept = edit.removeContainer(grouped, id, 'keep')
  expect(kept.containers).toEqual([])
  expect(idsOf(kept)).toEqual(['a', 'b'])
  expect(kept.tiles.every((one) => !('containerId' in one))).toBe(true)
  expect(edit.removeContainer(grouped, id, 'remove').tiles).toEqual([])
})

test('the first tabs are added as a pair, and return their tiles when removed', () => {
  const before = dashboardOf([tile('a', { containerId: 'c' })], [{ id: 'c', title: 'C' }])
  const tabbed = edit.addTab(before, 'c', 'Second')
  const [section] = sectionsOf(tabbed).slice(1)
  expect(section?.tabs.map(({ title }) => title)).toEqual(['Tab 1', 'Second'])
  const second = section!.tabs[1]!.id
  const moved = edit.moveTileToSection(tabbed, 'a', { containerId: 'c', tabId: second })
  expect(tilesOnTab(sectionsOf(moved)[1]!, second)).toHaveLength(1)
  const back = edit.removeTab(moved, 'c', second)
  expect(tilesOnTab(sectionsOf(back)[1]!, undefined)).toHaveLength(1)
})

test('groups change places within their bounds', () => {
  const before = dashboardOf(
    [],
    [
      { id: 'a', title: 'A' },
      { id: 'b', title: 'B' },
    ],
  )
  expect(edit.moveContainer(before, 'a', 1).containers?.map(({ id }) => id)).toEqual(['b', 'a'])
  expect(edit.moveContainer(before, 'a', -1)).toBe(before)
})
