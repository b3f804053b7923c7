import { startTransition, useEffect, useState } from 'react'

/** Rows that are drawn at once: more than a screen has. */
const atFirst = 30
/** Rows of each further step. */
const step = 40

/**
 * How many rows of a list are drawn by now. The first are there at once and the rest follow in steps, between which the page
 * answers. In the end all of them are drawn, so that the browser's search finds them.
 */
export function useDrawnCount(count: number): number {
  const [drawn, setDrawn] = useState(atFirst)
  useEffect(() => {
    if (drawn >= count) return undefined
    const timer = setTimeout(() => startTransition(() => setDrawn(drawn + step)))
    return () => clearTimeout(timer)
  }, [drawn, count])
  return Math.min(drawn, count)
}
