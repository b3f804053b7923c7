/** The lines of a table that are in sight. All lines have the same height, which makes this simple. */
import { useEffect, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'

/** Lines that are drawn above and below those in sight. */
const around = 8
/** Pixels before the first measurement, and where nothing can be measured: a screen of rows. */
const defaultRoom = 640

interface LinesInSight {
  /** Indexes of the lines to draw. */
  places: number[]
  /** Pixels of the lines above and below them. */
  before: number
  after: number
}

/** @param height of the scroller in pixels, 0 until it is laid out */
export function useLinesInSight(
  scroller: RefObject<HTMLElement | null>,
  height: number,
  count: number,
  lineHeight: number,
): LinesInSight {
  // A number, not the position: a scroll within a line draws nothing.
  const [top, setTop] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const measure = () => setTop(Math.floor(element.scrollTop / lineHeight))
    measure()
    // Before the browser paints, so that a fast scroll shows no gap.
    const scrolled = () => flushSync(measure)
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => element.removeEventListener('scroll', scrolled)
  }, [scroller, lineHeight])
  return linesInSight({ top, lines: Math.ceil((height || defaultRoom) / lineHeight), count, lineHeight })
}

interface Sight {
  /** The first line in sight, as it was scrolled. */
  top: number
  /** The lines that fit. */
  lines: number
  count: number
  lineHeight: number
}

export function linesInSight({ top, lines, count, lineHeight }: Sight): LinesInSight {
  // A filter may leave fewer lines than were scrolled past.
  const at = Math.max(0, Math.min(top, count - lines))
  const first = Math.max(0, at - around)
  const end = Math.min(count, at + lines + 1 + around)
  return {
    places: Array.from({ length: end - first }, (_, step) => first + step),
    before: first * lineHeight,
    after: (count - end) * lineHeight,
  }
}
