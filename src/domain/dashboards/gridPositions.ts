/** Positions on the 24-column grid of a dashboard: docs/DEPLOYMENTS.md#tiles. */
import { gridColumns } from '#contract/stack/dashboards/dashboards.ts'

export interface GridPosition {
  x: number
  y: number
  w: number
  h: number
}

/** A position inside the grid and of at least one cell, whole cells. */
export function clampPosition({ x, y, w, h }: GridPosition): GridPosition {
  const width = Math.min(Math.max(Math.round(w), 1), gridColumns)
  return {
    w: width,
    h: Math.max(Math.round(h), 1),
    x: Math.min(Math.max(Math.round(x), 0), gridColumns - width),
    y: Math.max(Math.round(y), 0),
  }
}

/** The number of rows from the top to below the lowest position; 0 without any. As a loop, for dashboards of any size. */
export function gridHeight(positions: readonly Pick<GridPosition, 'y' | 'h'>[]): number {
  return positions.reduce((bottom, { y, h }) => Math.max(bottom, y + h), 0)
}

export function collides(a: GridPosition, b: GridPosition): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

/** The first position, row by row, where a tile of this size covers no other. */
export function firstFreePosition(taken: readonly GridPosition[], size: { w: number; h: number }): GridPosition {
  const { w, h } = clampPosition({ x: 0, y: 0, ...size })
  // A free position starts at the top, or directly below a tile.
  const rows = [0, ...taken.map((tile) => tile.y + tile.h)].toSorted((a, b) => a - b)
  for (const y of rows) {
    for (let x = 0; x + w <= gridColumns; x++) {
      const position = { x, y, w, h }
      if (!taken.some((other) => collides(position, other))) return position
    }
  }
  return { x: 0, y: gridHeight(taken), w, h }
}
