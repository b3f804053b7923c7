/** The shape of a dashboard: where its tiles lie when it is opened. */
import { clampPosition, gridHeight, type GridPosition } from './gridPositions.ts'
import { sectionsOf, tilesOnTab, type Container, type PlacedTile } from './sections.ts'

interface OutlinedTile extends GridPosition {
  id: string | undefined
}

/** Places of the tiles that are seen, by tile, on one grid: group under group, of each its first tab. */
export function outlineOf(dashboard: {
  tiles: readonly (PlacedTile & GridPosition & { id?: string | undefined })[]
  containers?: readonly Container[] | undefined
}): OutlinedTile[] {
  const places: OutlinedTile[] = []
  let top = 0
  for (const section of sectionsOf(dashboard)) {
    const own = tilesOnTab(section, undefined).map((tile) => ({ id: tile.id, ...clampPosition(tile) }))
    // Not as arguments of one call: a dashboard of 100,000 tiles would have more of them than a call may.
    for (const place of own) places.push({ ...place, y: place.y + top })
    top += gridHeight(own)
  }
  return places
}
