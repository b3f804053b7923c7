/** A chart as a file: an SVG on white in any theme. */
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { chartSeries } from './ChartSeries.tsx'
import { chartColors, type SeriesStyle } from '../series/palette.ts'
import { labelColor, padding, paper, svgDocument } from '../series/svgDocument.ts'
import { PlotChart } from './PlotChart.tsx'
import { type PlotInput, plotModel } from './plotModel.ts'
import { legendGroups } from './secondAxis.ts'

/** What a chart draws now. */
export interface ChartSnapshot extends PlotInput {
  title: string
}

const lineColor = '#e0e2e8'
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
  // recharts renders in several rounds, each of which starts the next: they all end here.
  flushSync(() =>
    root.render(
      <PlotChart model={model} lineColor={lineColor} textColor={labelColor} colorOf={colorOf}>
        {chartSeries(model, colorOf, paper)}
      </PlotChart>,
    ),
  )
  const svg = container.querySelector('svg')
  // On a page it fills its container, here it has a size.
  svg?.removeAttribute('style')
  const text = svg ? new XMLSerializer().serializeToString(svg) : ''
  root.unmount()
  return text
}

const colorOf = ({ color }: SeriesStyle): string => chartColors.light[color]!
