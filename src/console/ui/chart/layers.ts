/** How the paths of a series are inked, on the screen as in a file. */
import type { DrawnSeries } from './drawing.ts'

/** One stroke or filling of one path. */
export interface Layer {
  path: string
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
export function layersOf({ line, fill, ghost, overlay }: DrawnSeries, dash: readonly number[], bars: boolean): Layer[] {
  const opacity = ghost ? ghostOpacity : 1
  const weight = overlay ? 1.3 : 1
  const filled = (path: string, strength: number): Layer => ({
    path,
    kind: 'fill',
    opacity: opacity * strength,
    dash: [],
    weight,
  })
  const stroked = (path: string, pattern: readonly number[]): Layer => ({
    path,
    kind: 'stroke',
    opacity,
    dash: pattern,
    weight,
  })
  const halo = (path: string): Layer => ({ path, kind: 'halo', opacity: 0.85, dash: [], weight: weight * 2.2 })
  const layers = [
    ...(fill ? [filled(fill.sure, bars ? 0.9 : 0.16), filled(fill.open, bars ? 0.3 : 0.05)] : []),
    ...(fill && bars ? [stroked(fill.open, openBarDash)] : []),
    ...(line && overlay && bars ? [halo(line.sure), halo(line.open)] : []),
    ...(line
      ? [stroked(line.sure, ghost ? ghostDash : overlay ? overlayDash : dash), stroked(line.open, openDash)]
      : []),
  ]
  return layers.filter(({ path }) => path !== '')
}

/** Letters of all paths together that make a drawing dense: about ten a point. */
const denseLetters = 50_000

/** Wider lines than one pixel take three times as long, and run together where points lie dense. */
export function lineWidth(drawn: readonly DrawnSeries[]): number {
  const letters = drawn.reduce((sum, { line }) => sum + (line?.sure.length ?? 0), 0)
  return letters > denseLetters ? 1 : 1.5
}
