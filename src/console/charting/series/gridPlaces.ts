/** Places on the 24-column grid of a dashboard: docs/DEPLOYMENTS.md#tiles. */
import { gridColumns } from '#contract/stack/dashboards/dashboards.ts'

export interface Place {
  x: number
  y: number
  w: number
  h: number
}

/** A place inside the grid and of at least one cell, whole cells. */
export function clampPlace({ x, y, w, h }: Place): Place {
  const width = Math.min(Math.max(Math.round(w), 1), gridColumns)
  return {
    w: width,
    h: Math.max(Math.round(h), 1),
    x: Math.min(Math.max(Math.round(x), 0), gridColumns - width),
    y: Math.max(Math.round(y), 0),
  }
}

export function collides(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

/** The first place, row by row, where a tile of this size covers no other. */
export function firstFreePlace(taken: readonly Place[], size: { w: number; h: number }): Place {
  const { w, h } = clampPlace({ x: 0, y: 0, ...size })
  // A free place starts at the top, or directly below a tile.
  const rows = [0, ...taken.map((place) => place.y + place.h)].toSorted((a, b) => a - b)
  for (const y of rows) {
    for (let x = 0; x + w <= gridColumns; x++) {
      const place = { x, y, w, h }
      if (!taken.some((other) => collides(place, other))) return place
    }
  }
  return { x: 0, y: Math.max(0, ...taken.map((place) => place.y + place.h)), w, h }
}
