/** How the paths of a series are inked, on the screen as in a file. */
import type { DrawnSeries } from './drawing.ts'
import type { Pen } from './pen.ts'

/** One stroke or filling of one path. */
export interface Layer<P extends Pen> {
  path: P
  /** `halo`: in the colour of the ground, so that a line is seen on bars of its own colour. */
  kind: 'fill' | 'stroke' | 'halo'
  opacity: number
  dash: readonly number[]
  /** Times the width of an ordinary line. */
  weight: number
}

const ghostOpacity = 0.55
const ghostDash = [2, 4]
const overlayDash = [8, 4]
const openDash = [3, 4]
const openBarDash = [2, 2]

/** The layers of a series from the ground up. `dash` is that of its place in the palette. */
export function layersOf<P extends Pen>(series: DrawnSeries<P>, dash: readonly number[], bars: boolean): Layer<P>[] {
  const { line, fill, ghost, overlay } = series
  const opacity = ghost ? ghostOpacity : 1
  const weight = overlay ? 1.3 : 1
  const layers: Layer<P>[] = []
  const filled = (path: P | null, strength: number) => {
    if (path) layers.push({ path, kind: 'fill', opacity: opacity * strength, dash: [], weight })
  }
  const stroked = (path: P | null, pattern: readonly number[]) => {
    if (path) layers.push({ path, kind: 'stroke', opacity, dash: pattern, weight })
  }
  const halo = (path: P | null) => {
    if (path) layers.push({ path, kind: 'halo', opacity: 0.85, dash: [], weight: weight * 2.2 })
  }
  if (fill) {
    filled(fill.sure, bars ? 0.9 : 0.16)
    filled(fill.open, bars ? 0.3 : 0.05)
    if (bars) stroked(fill.open, openBarDash)
  }
  if (line) {
    if (overlay && bars) {
      halo(line.sure)
      halo(line.open)
    }
    stroked(line.sure, ghost ? ghostDash : overlay ? overlayDash : dash)
    stroked(line.open, openDash)
  }
  return layers
}

/** Points of all lines together that make a drawing dense. */
const densePoints = 5000

/** Pixels. Wider lines than one take several times as long, and run together where points lie dense. */
export const lineWidth = (points: number): number => (points > densePoints ? 1 : 1.5)

/** Points that all lines together go through. */
export const linePoints = (drawn: readonly DrawnSeries<Pen>[]): number =>
  drawn.reduce((sum, { line, points }) => sum + (line ? points : 0), 0)
