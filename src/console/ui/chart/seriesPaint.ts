/** Opacity, dash, width and curve of a series: the same as elements, on the canvas and in a file. */
import { type CurveFactory, curveLinear, curveMonotoneX, curveStepAfter } from 'd3-shape'
import type { LineInterpolation } from './chartTypes.ts'
import type { SeriesStyle } from '../series/palette.ts'
import type { Series } from '../series/series.ts'

/** Areas and bars of complete buckets, and of those that are not. Stacked areas cover what is below them. */
export const fillOpacity = { area: [0.13, 0.05], stackedArea: [0.82, 0.33], bar: [1, 0.4] } as const
/** The factor of a line's opacity where it leads to a bucket that is not complete. */
export const openLine = 0.4
/** Pixels between the bars of a stack. */
export const stackGap = 1
export const openDash = { line: [3, 4], bar: [2, 2] }

/** A bar among others in its bucket: pixels from the middle of the bucket to its left edge, and its width. */
export function barSlot(bucketWidth: number, at: number, of: number): { left: number; width: number } {
  const gap = bucketWidth < 4 ? 0 : of > 1 ? bucketWidth * 0.15 : 1
  const width = Math.max((bucketWidth - gap) / of, bucketWidth < 1 ? 1 : 0.5)
  return { left: at * width - (bucketWidth - gap) / 2, width }
}

const ghostDash = [2, 3]
const overlayDash = [8, 4]

/** How a line leads from value to value. A smooth line does not go beyond the values. */
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
export const lineWidth = (points: number): number => (points > maxWidePoints ? 1 : 1.7)

/** How the edge between two areas of a stack is drawn, in the colour of the background. */
export const stackEdge: LinePaint = { opacity: 1, dash: [], width: 1 }

/** Diameter in pixels of a point without neighbours, which the line itself would show as a speck. */
export const loneDot = 5

/** Whether the point at an index has a value and the ones beside it have none. */
export function isLone(values: readonly (number | null | undefined)[], index: number): boolean {
  return values[index] != null && values[index - 1] == null && values[index + 1] == null
}

/** How the line of a series is drawn, `width` pixels being that of an ordinary one. */
export function linePaint({ ghost, overlay }: Series, { dash }: SeriesStyle, width: number): LinePaint {
  return {
    opacity: ghost ? 0.8 : 1,
    dash: ghost ? ghostDash : overlay ? overlayDash : dash,
    width: overlay ? width * 1.3 : width,
  }
}
