/** A plot with title, range and legend as an SVG document. */
import { formatValue, noValue, type Unit } from '#domain/charts/units.ts'
import type { Zone } from '#domain/time/zone.ts'
import type { Span } from '#domain/time/span.ts'
import { groupRows, type Frame, type FrameRow, type Series } from './series.ts'
import { chartColors, defaultStyle, type SeriesStyle } from './palette.ts'
import { formatDuration } from '../time/formatLength.ts'
import { formatBucket } from '../time/formatRangeTime.ts'
import { zoneSuffix } from '../time/formatTime.ts'

export interface PlotDocument {
  title: string
  frame: Frame
  styles: ReadonlyMap<string, SeriesStyle>
  span: Span
  bucketMs: number
  zone: Zone
  unit: Unit
  /** Pixels of the plot. */
  height: number
  /** The groups of the legend; those of the series by default. */
  groupOf?: ((series: Series) => string) | undefined
}

export const paper = '#ffffff'
export const labelColor = '#5c606b'
/** Pixels around the plot. */
export const padding = 20
const textColor = '#17181c'
const legendRow = 18
/** About the width of a letter in the legend. */
const letterWidth = 6.3

/** Adds title, range and legend to a plot: without external fonts, styles or scripts, on white in any theme. */
export function svgDocument(chart: PlotDocument, plot: string, width: number): string {
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

function rangeText({ span, bucketMs, zone }: PlotDocument): string {
  const ends = [span.from, span.to].map((time) => formatBucket(time, bucketMs, zone))
  return `${ends.join(' to ')}${zoneSuffix(zone)}, one point is ${formatDuration(bucketMs)}`
}

/** Names with their highest value in columns, one block for each group. */
function legendOf({ frame, styles, unit, groupOf }: PlotDocument, width: number): { svg: string; height: number } {
  const groups = groupRows(frame.rows, groupOf)
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
  return `<path d="M${x},${y}h16" stroke="${chartColors.light[color]}" stroke-width="3" stroke-opacity="${ghost ? 0.8 : 1}"${dashes}/>`
}

const truncate = (text: string, max: number) => (text.length > max ? `${text.slice(0, Math.max(1, max - 1))}…` : text)

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text of an XML document: labels are data, and may contain characters that XML does not allow. */
export function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the removed characters
  const plain = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
  return plain.replace(/[&<>"]/g, (char) => entities[char]!)
}
