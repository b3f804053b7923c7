/** The chord `g` and a second key, which opens a page. While it is open, keys of a part of the page mean nothing. */

/** How long after `g` the second key counts, in milliseconds. */
const chordTime = 1200

let openUntil = 0

export function openChord(): void {
  openUntil = performance.now() + chordTime
}

export const isChordOpen = (): boolean => performance.now() < openUntil

/** @returns whether it was open */
export function closeChord(): boolean {
  const wasOpen = isChordOpen()
  openUntil = 0
  return wasOpen
}
