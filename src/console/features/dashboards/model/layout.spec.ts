import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { clampPosition, collides, firstFreePosition } from '#domain/dashboards/gridPositions.ts'
import { gridColumns, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import { compact, inReadingOrder, placeTile } from './layout.ts'

const anyPlace = fc.record({
  x: fc.integer({ min: 0, max: 23 }),
  y: fc.integer({ min: 0, max: 50 }),
  w: fc.integer({ min: 1, max: 24 }),
  h: fc.integer({ min: 1, max: 12 }),
})
const anyTiles: fc.Arbitrary<Tile[]> = fc
  .array(anyPlace, { maxLength: 12 })
  .map((places) => places.map((place, index) => ({ id: `t${index}`, ...place })))

const overlapping = (tiles: Tile[]) =>
  tiles.flatMap((tile, index) => tiles.slice(index + 1).filter((other) => collides(tile, other)))
const inside = (tile: Tile) =>
  tile.x >= 0 && tile.y >= 0 && tile.w >= 1 && tile.h >= 1 && tile.x + tile.w <= gridColumns

test('a free place overlaps nothing and is inside the grid', () => {
  fc.assert(
    fc.property(anyTiles, anyPlace, (tiles, size) => {
      const taken = tiles.map(clampPosition)
      const place = firstFreePosition(taken, size)
      expect(taken.some((other) => collides(place, other))).toBe(false)
      expect(inside({ ...place })).toBe(true)
    }),
  )
})

test('compacted tiles are inside the grid without overlap, and compacting again changes nothing', () => {
  fc.assert(
    fc.property(anyTiles, (tiles) => {
      const tidy = compact(tiles)
      expect(overlapping(tidy)).toEqual([])
      expect(tidy.every(inside)).toBe(true)
      expect(compact(tidy)).toEqual(tidy)
    }),
  )
})

test('moving and resizing keeps every tile, inside and without overlap', () => {
  fc.assert(
    fc.property(anyTiles, fc.nat(), anyPlace, (tiles, pick, place) => {
      fc.pre(tiles.length > 0)
      const tidy = compact(tiles)
      const id = tidy[pick % tidy.length]!.id!
      const moved = placeTile(tidy, id, place)
      expect(moved.map((tile) => tile.id)).toEqual(tidy.map((tile) => tile.id))
      expect(overlapping(moved)).toEqual([])
      expect(moved.every(inside)).toBe(true)
      const subject = moved.find((tile) => tile.id === id)!
      expect([subject.w, subject.h]).toEqual([clampPosition(place).w, clampPosition(place).h])
    }),
  )
})

test('a tile moves sideways where there is room', () => {
  const tiles = [{ id: 'a', x: 0, y: 0, w: 6, h: 4 }]
  expect(placeTile(tiles, 'a', { x: 6 })[0]).toMatchObject({ x: 6, y: 0 })
})

test('reading order is row by row', () => {
  const tiles = [
    { id: 'c', x: 0, y: 4, w: 6, h: 4 },
    { id: 'b', x: 6, y: 0, w: 6, h: 4 },
    { id: 'a', x: 0, y: 0, w: 6, h: 4 },
  ]
  expect(inReadingOrder(tiles).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})
