/** The columns of a wide table that are in sight. All columns but the first, which stays in sight, have the same width. */
import { useEffect, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { linesInSight } from '#console/ui/table/useLinesInSight.ts'

/** With fewer, all of them are drawn, as wide as there is room. */
const few = 24

interface ColumnsInSight {
  /** Indexes of the columns to draw. */
  places: number[]
  /** Pixels of the columns before and after them; undefined while all are drawn. */
  outside: { before: number; after: number } | undefined
}

/** @param width of the scroller in pixels, 0 until it is laid out */
export function useColumnsInSight(
  scroller: RefObject<HTMLElement | null>,
  width: number,
  count: number,
  columnWidth: number,
): ColumnsInSight {
  const isWide = count > few
  // A number, not the position: a scroll within a column draws nothing.
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (!element || !isWide) return undefined
    const measure = () => setLeft(Math.floor(element.scrollLeft / columnWidth))
    measure()
    // Before the browser paints, so that a fast scroll shows no gap.
    const scrolled = () => flushSync(measure)
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => element.removeEventListener('scroll', scrolled)
  }, [scroller, isWide, columnWidth])
  if (!isWide) return { places: Array.from({ length: count }, (_, place) => place), outside: undefined }
  const lines = Math.ceil((width || defaultRoom) / columnWidth)
  const { places, before, after } = linesInSight({ top: left, lines, count, lineHeight: columnWidth })
  return { places, outside: { before, after } }
}

/** Pixels before the first measurement. */
const defaultRoom = 1_200
