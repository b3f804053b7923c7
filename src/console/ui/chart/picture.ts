/** A chart as a file: an SVG of what is drawn, on white whatever the theme, and a PNG made from it. */
import type { Span } from '../time/range.ts'
import type { Zone } from '../time/zone.ts'
import { bandsOf, type ChartType, drawSeries, isBar, valueAxis } from './drawing.ts'
import { layersOf, linePoints, lineWidth } from './layers.ts'
import { margin, plotOf, scaleOf, timeTickCount } from './layout.ts'
import { chartColors, plainStyle, type SeriesStyle } from './palette.ts'
import { px, SvgPen } from './pen.ts'
import { byGroup, type Frame, type Series } from './series.ts'
import { bucketLabel, clockLabel, clockTicks, lengthWords } from './ticks.ts'
import { formatValue, noValue, type Unit } from './units.ts'

/** What a chart draws, as its handle tells it. */
export interface DrawnChart {
  title: string
  frame: Frame
  styles: ReadonlyMap<string, SeriesStyle>
  type: ChartType
  span: Span
  bucketMs: number
  isComplete: (time: number) => boolean
  zone: Zone
  unit: Unit
  /** Pixels of the plot with its axes. */
  width: number
  height: number
}

const paper = '#ffffff'
const ink = '#17181c'
const muted = '#5c606b'
const hairline = '#e0e2e8'
const edge = 20
const minWidth = 640
const legendRow = 18
/** About how wide a letter of the legend is. */
const letter = 6.3

/** The chart with title, range, axes and legend as a document of its own: no fonts, styles or scripts from elsewhere. */
export function chartSvg(chart: DrawnChart): string {
  const width = Math.max(minWidth, Math.round(chart.width)) + 2 * edge
  const head = 58
  const legend = legendOf(chart, width - 2 * edge)
  const height = head + chart.height + 14 + legend.height + edge
  const title = fitted(chart.title, Math.floor((width - 2 * edge) / 8.4))
  const body = [
    `<rect width="${width}" height="${height}" fill="${paper}"/>`,
    `<text x="${edge}" y="${edge + 12}" font-size="16" font-weight="600" fill="${ink}">${escaped(title)}</text>`,
    `<text x="${edge}" y="${edge + 31}" fill="${muted}">${escaped(rangeWords(chart))}</text>`,
    `<g transform="translate(${edge},${head})">${plotSvg(chart, width - 2 * edge)}</g>`,
    `<g transform="translate(${edge},${head + chart.height + 14})">${legend.svg}</g>`,
  ]
  const font = 'font-family="Inter, Helvetica, Arial, sans-serif" font-size="12"'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" ${font}><title>${escaped(chart.title)}</title>${body.join('')}</svg>`
}

function rangeWords({ span, bucketMs, zone }: DrawnChart): string {
  const ends = [span.from, span.to].map((time) => bucketLabel(time, bucketMs, zone))
  return `${ends.join(' to ')}${zone === 'utc' ? ' UTC' : ''}, one point is ${lengthWords(bucketMs)}`
}

function plotSvg(chart: DrawnChart, width: number): string {
  const { frame, type, span, bucketMs, isComplete, zone, unit, height } = chart
  const bands = bandsOf(frame, type)
  const axis = valueAxis(frame, bands, height, unit)
  const plot = plotOf(width, height, axis.labels)
  const scale = scaleOf(plot, span, [axis.ticks[0]!, axis.ticks.at(-1)!])
  const ground = plot.top + plot.height
  const end = plot.left + plot.width
  const values = axis.ticks.map((value, index) => {
    const y = px(scale.y(value))
    const line = `<path d="M${plot.left},${y}H${end}" stroke="${hairline}"/>`
    const label = escaped(axis.labels[index] ?? '')
    return `${line}<text x="${plot.left - 8}" y="${y}" dy="4" text-anchor="end" font-size="11" fill="${muted}">${label}</text>`
  })
  const times = clockTicks(span.from, span.to, timeTickCount(plot.width), zone).map((time) => {
    const x = px(scale.x(time))
    const label = escaped(clockLabel(time, zone))
    return `<path d="M${x},${ground}v4" stroke="${muted}"/><text x="${x}" y="${ground + margin.bottom - 6}" text-anchor="middle" font-size="11" fill="${muted}">${label}</text>`
  })
  const drawn = drawSeries({ frame, bands, type, plot, scale, bucketMs, isComplete }, () => new SvgPen())
  const thin = lineWidth(linePoints(drawn))
  const series = drawn.map((one) => {
    const style = chart.styles.get(one.id) ?? plainStyle
    const color = chartColors.light[style.place]
    const layers = layersOf(one, style.dash, isBar(type)).map(({ path, kind, opacity, dash, weight }) => {
      if (kind === 'fill') return `<path d="${path.toString()}" fill="${color}" fill-opacity="${opacity}"/>`
      const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : ''
      return `<path d="${path.toString()}" fill="none" stroke="${kind === 'halo' ? paper : color}" stroke-opacity="${opacity}" stroke-width="${thin * weight}"${dashes}/>`
    })
    return `<g stroke-linecap="round" stroke-linejoin="round">${layers.join('')}</g>`
  })
  const base = `<path d="M${plot.left},${ground}H${end}" stroke="${muted}"/>`
  return [...values, ...times, base, ...series].join('')
}

/** Names with their highest and last value in columns, one block a group. */
function legendOf({ frame, styles, unit }: DrawnChart, width: number): { svg: string; height: number } {
  const groups = byGroup(frame.rows)
  const entries = frame.rows.map(({ series, values }) => legendText(series, values, unit))
  const longest = Math.max(0, ...entries.map((text) => Math.min(text.length, 90)))
  const column = Math.min(width, longest * letter + 44)
  const columns = Math.max(1, Math.floor(width / column))
  const parts: string[] = []
  let y = 0
  for (const { name, rows } of groups) {
    if (groups.length > 1) {
      parts.push(`<text y="${y + 12}" font-weight="600" fill="${ink}">${escaped(name || 'Others')}</text>`)
      y += legendRow
    }
    rows.forEach(({ series, values }, index) => {
      const x = (index % columns) * column
      const line = y + Math.floor(index / columns) * legendRow
      const text = fitted(legendText(series, values, unit), Math.floor((column - 30) / letter))
      parts.push(`${swatch(series, styles.get(series.id) ?? plainStyle, x, line + 8)}`)
      parts.push(`<text x="${px(x + 24)}" y="${line + 12}" fill="${ink}">${escaped(text)}</text>`)
    })
    y += Math.ceil(rows.length / columns) * legendRow
  }
  return { svg: parts.join(''), height: y }
}

function legendText(series: Series, values: readonly (number | null)[], unit: Unit): string {
  const present = values.filter((value) => value !== null)
  const highest =
    present.length > 0
      ? formatValue(
          present.reduce((a, b) => Math.max(a, b)),
          series.unit ?? unit,
        )
      : noValue
  return `${series.label}  (max ${highest})`
}

function swatch({ ghost, overlay }: Series, { place, dash }: SeriesStyle, x: number, y: number): string {
  const pattern = ghost ? [2, 3] : overlay ? [4, 2] : dash
  const dashes = pattern.length > 0 ? ` stroke-dasharray="${pattern.join(' ')}"` : ''
  return `<path d="M${px(x)},${y}h16" stroke="${chartColors.light[place]}" stroke-width="3" stroke-opacity="${ghost ? 0.55 : 1}"${dashes}/>`
}

const fitted = (text: string, most: number) => (text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text)

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text of an XML document: labels are data, and may hold what XML cannot. */
function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  const plain = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
  return plain.replace(/[&<>"]/g, (char) => entities[char]!)
}

/** The picture in pixels, `density` of them to a pixel of the screen. Throws where the browser cannot draw it. */
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
      (blob) => (blob && context ? done(blob) : fail(new Error('The browser cannot draw it.'))),
      'image/png',
    )
  })
}
