/**
 * The outline of a dashboard as a short text for lists: `0 0 12 4,12 0 12 4` of x, y, width and height. Apart from `outline.ts`,
 * whose code lists do not need.
 */
import type { GridPosition } from './gridPositions.ts'

export function outlineText(places: readonly GridPosition[]): string {
  return places.map(({ x, y, w, h }) => `${x} ${y} ${w} ${h}`).join()
}

/** The places in a text of `outlineText`. */
export function readOutline(text: string): GridPosition[] {
  if (text === '') return []
  return text.split(',').map((place) => {
    const [x = 0, y = 0, w = 1, h = 1] = place.split(' ').map(Number)
    return { x, y, w, h }
  })
}
