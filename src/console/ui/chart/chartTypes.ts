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
