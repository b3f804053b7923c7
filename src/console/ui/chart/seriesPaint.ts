/** Opacity, dash, width and curve of a series: the same as elements, on the canvas and in a file. */
import { type CurveFactory, curveLinear, curveMonotoneX, curveStepAfter } from 'd3-shape'
import type { LineInterpolation } from './chartTypes.ts'
import type { SeriesStyle } from '../series/palette.ts'
import type { Series } from '../series/series.ts'

export const fillOpacity = { area: 0.16, openArea: 0.05, bar: 0.9, openBar: 0.3 }
export const openDash = { line: [3, 4], bar: [2, 2] }
const ghostDash = [2, 4]
const overlayDash = [8, 4]

/** How a line leads from value to value. A smooth line has no extremes that the values lack. */
export const curves = {
  linear: curveLinear,
  smooth: curveMonotoneX,
  step: curveStepAfter,
} as const satisfies Record<LineInterpolation, CurveFactory>

export interface LinePaint {
  opacity: number
  dash: readonly number[]
  width: number
}

/** Points of all lines together beyond which lines are thin: wide ones take several times as long and run together. */
const maxWidePoints = 5000

/** Pixels. */
export const lineWidth = (points: number): number => (points > maxWidePoints ? 1 : 1.5)

/** Diameter in pixels of a point without neighbours, which the line itself would show as a speck. */
export const loneDot = 5

/** Whether the point at an index has a value and the ones beside it have none. */
export function isLone(values: readonly (number | null | undefined)[], index: number): boolean {
  return values[index] != null && values[index - 1] == null && values[index + 1] == null
}

/** How the line of a series is drawn, `width` pixels being that of an ordinary one. */
export function linePaint({ ghost, overlay }: Series, { dash }: SeriesStyle, width: number): LinePaint {
  return {
    opacity: ghost ? 0.55 : 1,
    dash: ghost ? ghostDash : overlay ? overlayDash : dash,
    width: overlay ? width * 1.3 : width,
  }
}
