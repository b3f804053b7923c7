/** A chart as a file: an SVG on white in any theme, and a PNG made from it. */
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { chartSeries } from './ChartSeries.tsx'
import { chartColors, defaultStyle, type SeriesStyle } from '../series/palette.ts'
import { PlotChart } from './PlotChart.tsx'
import { type PlotInput, plotModel } from './plotModel.ts'
import { type FrameRow, groupRows, type Series } from '../series/series.ts'
import { formatBucket, formatDuration } from '../time/formatTime.ts'
import { formatValue, noValue, type Unit } from '../units.ts'

/** What a chart draws now. */
export interface ChartSnapshot extends PlotInput {
  title: string
}

const paper = '#ffffff'
const textColor = '#17181c'
const labelColor = '#5c606b'
const lineColor = '#e0e2e8'
const padding = 20
const minWidth = 640
const legendRow = 18
/** About the width of a letter in the legend. */
const letterWidth = 6.3

/** The chart with title, range, axes and legend as a standalone document without external fonts, styles or scripts. */
export function chartSvg(chart: ChartSnapshot): string {
  const width = Math.max(minWidth, Math.round(chart.width))
  return svgDocument(chart, plotSvg(chart, width), width + 2 * padding)
}

/** Adds title, range and legend to a plot. */
export function svgDocument(chart: ChartSnapshot, plot: string, width: number): string {
  const head = 58
  const legend = legendOf(chart, width - 2 * padding)
  const height = head + chart.height + 14 + legend.height + padding
  const title = truncate(chart.title, Math.floor((width - 2 * padding) / 8.4))
  const body = [
    `<rect width="${width}" height="${height}" fill="${paper}"/>`,
    `<text x="${padding}" y="${padding + 12}" font-size="16" font-weight="600" fill="${textColor}">${escaped(title)}</text>`,
    `<text x="${padding}" y="${padding + 31}" fill="${labelColor}">${escaped(rangeText(chart))}</text>`,
    `<g transform="translate(${padding},${head})">${plot}</g>`,
    `<g transform="translate(${padding},${head + chart.height + 14})">${legend.svg}</g>`,
  ]
  const font = 'font-family="Inter, Helvetica, Arial, sans-serif" font-size="12"'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" ${font}><title>${escaped(chart.title)}</title>${body.join('')}</svg>`
}

function rangeText({ span, bucketMs, zone }: ChartSnapshot): string {
  const ends = [span.from, span.to].map((time) => formatBucket(time, bucketMs, zone))
  return `${ends.join(' to ')}${zone === 'utc' ? ' UTC' : ''}, one point is ${formatDuration(bucketMs)}`
}

/** The plot, rendered off the page. */
function plotSvg(chart: ChartSnapshot, width: number): string {
  const container = document.createElement('div')
  const root = createRoot(container)
  const model = plotModel({ ...chart, width }, false)
  // recharts renders in several rounds, each of which starts the next: they all end here.
  flushSync(() =>
    root.render(
      <PlotChart model={model} lineColor={lineColor} textColor={labelColor}>
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

/** Names with their highest value in columns, one block for each group. */
function legendOf({ frame, styles, unit }: ChartSnapshot, width: number): { svg: string; height: number } {
  const groups = groupRows(frame.rows)
  const entries = frame.rows.map(({ series, values }) => legendText(series, values, unit))
  const longest = Math.max(0, ...entries.map((text) => Math.min(text.length, 90)))
  const column = Math.round(Math.min(width, longest * letterWidth + 44))
  const columns = Math.max(1, Math.floor(width / column))
  const parts: string[] = []
  let y = 0
  for (const { name, rows } of groups) {
    if (groups.length > 1) {
      parts.push(`<text y="${y + 12}" font-weight="600" fill="${textColor}">${escaped(name || 'Others')}</text>`)
      y += legendRow
    }
    rows.forEach(({ series, values }, index) => {
      const x = (index % columns) * column
      const line = y + Math.floor(index / columns) * legendRow
      const text = truncate(legendText(series, values, unit), Math.floor((column - 30) / letterWidth))
      parts.push(`${swatch(series, styles.get(series.id) ?? defaultStyle, x, line + 8)}`)
      parts.push(`<text x="${x + 24}" y="${line + 12}" fill="${textColor}">${escaped(text)}</text>`)
    })
    y += Math.ceil(rows.length / columns) * legendRow
  }
  return { svg: parts.join(''), height: y }
}

function legendText({ label, unit }: Series, values: FrameRow['values'], chartUnit: Unit): string {
  const present = values.filter((value) => value !== null)
  const highest = present.length > 0 ? formatValue(Math.max(...present), unit ?? chartUnit) : noValue
  return `${label}  (max ${highest})`
}

function swatch({ ghost, overlay }: Series, { color, dash }: SeriesStyle, x: number, y: number): string {
  const pattern = ghost ? [2, 3] : overlay ? [4, 2] : dash
  const dashes = pattern.length > 0 ? ` stroke-dasharray="${pattern.join(' ')}"` : ''
  return `<path d="M${x},${y}h16" stroke="${chartColors.light[color]}" stroke-width="3" stroke-opacity="${ghost ? 0.55 : 1}"${dashes}/>`
}

const truncate = (text: string, max: number) => (text.length > max ? `${text.slice(0, Math.max(1, max - 1))}…` : text)

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text of an XML document: labels are data, and may contain characters that XML does not allow. */
function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the removed characters
  const plain = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
  return plain.replace(/[&<>"]/g, (char) => entities[char]!)
}

/** The file as a PNG with `density` pixels for one of the screen. Throws if the browser cannot draw it. */
export async function svgToPng(svg: string, density = 2): Promise<Blob> {
  const image = new Image()
  // As data and not as a blob: the page's own rules allow images from nowhere else.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * density
  canvas.height = image.naturalHeight * density
  const context = canvas.getContext('2d')
  context?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((done, fail) => {
    canvas.toBlob(
      (blob) => (blob && context ? done(blob) : fail(new Error('The browser could not create the image.'))),
      'image/png',
    )
  })
}
