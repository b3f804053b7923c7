/** How a chart draws its series. */
export const chartTypes = ['line', 'area', 'stackedArea', 'bar', 'stackedBar'] as const
export type ChartType = (typeof chartTypes)[number]

export const chartTypeNames: Record<ChartType, string> = {
  line: 'Line',
  area: 'Area',
  stackedArea: 'Stacked area',
  bar: 'Bar',
  stackedBar: 'Stacked bar',
}

/** How the points of a line are connected. A step holds the value of a bucket until the next one. */
export type LineInterpolation = 'linear' | 'smooth' | 'step'

export const isBar = (type: ChartType): boolean => type === 'bar' || type === 'stackedBar'
export const isStacked = (type: ChartType): boolean => type === 'stackedArea' || type === 'stackedBar'

/** Points of a line beyond which it is solid: dashes are not visible there, and slow to paint. */
const maxDashed = 240

/** Whether the dashes of lines can be seen: not on filled ones. */
export const showsDashes = (type: ChartType, points: number): boolean =>
  !isBar(type) && !isStacked(type) && points <= maxDashed
