/** A chart as a file: an SVG on white in any theme. */
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { ChartSeries } from './ChartSeries.tsx'
import { chartColors, type SeriesStyle } from '../series/palette.ts'
import { escaped, labelColor, padding, paper, svgDocument } from '../series/svgDocument.ts'
import { PlotChart } from './PlotChart.tsx'
import { placeLabels } from './markLabels.ts'
import { type PlotInput, type PlotModel, plotArea, plotModel } from './plotModel.ts'
import { legendGroups } from './secondAxis.ts'

/** A moment that is marked on the time axis. */
export interface ChartMark {
  /** Epoch milliseconds. */
  time: number
  label: string
  /** Its label comes before others where there is no room for all. */
  strong: boolean
}

/** The current drawing of a chart. */
export interface ChartSnapshot extends PlotInput {
  title: string
  marks?: readonly ChartMark[]
}

const lineColor = '#e0e2e8'
const strongColor = '#3a44ad'
const minWidth = 640

/** The chart with title, range, axes and legend. */
export function chartSvg(chart: ChartSnapshot): string {
  const width = Math.max(minWidth, Math.round(chart.width))
  const groupOf = legendGroups({ ...chart, rows: chart.frame.rows }, chart.frame)
  return svgDocument({ ...chart, groupOf }, plotSvg(chart, width), width + 2 * padding)
}

/** The plot, rendered off the page. */
function plotSvg(chart: ChartSnapshot, width: number): string {
  const container = document.createElement('div')
  const root = createRoot(container)
  const model = plotModel({ ...chart, width }, false)
  flushSync(() =>
    root.render(
      <PlotChart model={model} lineColor={lineColor} textColor={labelColor} colorOf={colorOf}>
        <ChartSeries model={model} colorOf={colorOf} background={paper} />
      </PlotChart>,
    ),
  )
  const svg = container.querySelector('svg')
  const text = svg ? new XMLSerializer().serializeToString(svg) : ''
  root.unmount()
  return text + marksSvg(model, chart.marks ?? [])
}

/** A line through each mark, and as many labels above the plot as there is room for. */
function marksSvg(model: PlotModel, marks: readonly ChartMark[]): string {
  const { left, right, top, bottom } = plotArea(model)
  const { from, to } = model.span
  const placed = marks.map((mark) => ({ ...mark, x: left + ((mark.time - from) / (to - from)) * (right - left) }))
  const labels = placeLabels(placed, { left, right })
  const lines = placed.map(
    ({ x, strong }) =>
      `<g fill="${paper}" stroke="${strong ? strongColor : labelColor}"><path d="M${x.toFixed(1)},${top}V${bottom}" stroke-dasharray="2 2"/><circle cx="${x.toFixed(1)}" cy="${bottom}" r="4"/></g>`,
  )
  const texts = labels.map(
    ({ x, text }) =>
      `<text x="${x.toFixed(1)}" y="${top - 5}" font-size="11" fill="${labelColor}">${escaped(text)}</text>`,
  )
  return [...lines, ...texts].join('')
}

const colorOf = ({ color }: SeriesStyle): string => chartColors.light[color]!
