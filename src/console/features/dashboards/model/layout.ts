/**
 * Positions on the 24-column grid: docs/DEPLOYMENTS.md#tiles. Deployments allow tiles that overlap or exceed the edge; editing
 * arranges them.
 */
import { getCompactor, moveElement, sortLayoutItemsByRowCol } from 'react-grid-layout/core'
import { clampPosition, type GridPosition } from '#domain/dashboards/gridPositions.ts'
import { gridColumns, type Tile } from '#contract/stack/dashboards/dashboards.ts'

/** Smallest tile that can still be read. */
export const minWidth = 2
export const minHeight = 2

const compactor = getCompactor('vertical')

/** An item of the grid library: `i` is the tile's id. */
type Item = GridPosition & { i: string }

/** The tiles without empty rows between them and without overlaps. */
export function compact<T extends Tile>(tiles: readonly T[]): T[] {
  return withPlaces(tiles, compactor.compact(itemsOf(tiles), gridColumns))
}

/** Moves or resizes one tile. Overlapped tiles move away, and gaps close. */
export function placeTile<T extends Tile>(tiles: readonly T[], id: string, place: Partial<GridPosition>): T[] {
  const items = compactor.compact(itemsOf(tiles), gridColumns)
  const item = items.find(({ i }) => i === id)
  if (!item) return [...tiles]
  const target = clampPosition({ x: item.x, y: item.y, w: item.w, h: item.h, ...place })
  const resized = items.map((layoutItem) =>
    layoutItem.i === id ? { ...layoutItem, w: target.w, h: target.h } : layoutItem,
  )
  const subject = resized.find(({ i }) => i === id)!
  const moved = moveElement(resized, subject, target.x, target.y, true, false, 'vertical', gridColumns, false)
  return withPlaces(tiles, compactor.compact(moved, gridColumns))
}

/** Tiles in reading order: row by row, left to right. */
export function inReadingOrder<T extends Tile>(tiles: readonly T[]): T[] {
  const order = new Map(sortLayoutItemsByRowCol(itemsOf(tiles)).map(({ i }, index) => [i, index]))
  return tiles
    .map((tile, index) => ({ tile, rank: order.get(keyOf(tile, index)) ?? index }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ tile }) => tile)
}

const keyOf = (tile: Tile, index: number): string => tile.id ?? `#${index}`

function itemsOf(tiles: readonly Tile[]): Item[] {
  return tiles.map((tile, index) => ({ i: keyOf(tile, index), ...clampPosition(tile) }))
}

function withPlaces<T extends Tile>(tiles: readonly T[], items: readonly Item[]): T[] {
  const places = new Map(items.map((item) => [item.i, item]))
  return tiles.map((tile, index) => {
    const place = places.get(keyOf(tile, index))
    if (!place) return tile
    const { x, y, w, h } = place
    const stays = tile.x === x && tile.y === y && tile.w === w && tile.h === h
    return stays ? tile : { ...tile, x, y, w, h }
  })
}
