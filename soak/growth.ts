/** Measurements at equal intervals: whether they grow without levelling off, and their charts. */

export interface Series {
  name: string
  unit: string
  values: readonly number[]
  /** Growth that counts as noise, in the unit of the values, beside a tenth of the value. None: it may grow, like stored data. */
  allowance?: number
  /** Memory that is collected now and then: its lowest values are compared, because the others tell when that was. */
  isCollected?: boolean
}

/** Fewer values have no meaningful quarters. */
const fewestValues = 16

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const lowest = (values: readonly number[]): number => Math.min(...values)

/** The median of each quarter of a series, or another figure of it. */
export function quarters(
  values: readonly number[],
  figure: (values: readonly number[]) => number = median,
): [number, number, number, number] {
  const quarter = (number: number) =>
    figure(values.slice(Math.floor((values.length * number) / 4), Math.floor((values.length * (number + 1)) / 4)))
  return [quarter(0), quarter(1), quarter(2), quarter(3)]
}

/**
 * Compares the last quarter of a series with the second; the first belongs to the start. It grows if its median, or
 * its lowest value for collected memory, is more than a tenth and the allowance above, and the third quarter lies between
 * both: what levelled off early has no step after it.
 * @returns the finding, or null
 */
export function growthOf({ name, unit, values, allowance, isCollected }: Series): string | null {
  if (allowance === undefined) return null
  if (values.length < fewestValues) return `${name}: ${values.length} values are too few to judge growth`
  const [, second, third, last] = quarters(values, isCollected ? lowest : median)
  const grows = last > second * 1.1 + allowance && last > third
  return grows ? `${name} grows: ${shown(second)} ${unit} in the second quarter, ${shown(last)} in the last` : null
}

export const shown = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 })

const panel = { width: 460, height: 170, left: 70, right: 15, top: 34, bottom: 26 }
const panelsInRow = 3

/** Draws each series in a chart of its own, as one SVG document. @param minutes between two values */
export function chartsOf(title: string, series: readonly Series[], minutes: number): string {
  const width = panelsInRow * panel.width
  const height = 40 + Math.ceil(series.length / panelsInRow) * panel.height
  const panels = series.map((one, at) => {
    const x = (at % panelsInRow) * panel.width
    const y = 40 + Math.floor(at / panelsInRow) * panel.height
    return `<g transform="translate(${x} ${y})">${chartOf(one, minutes)}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/><text x="20" y="26" font-size="16">${title}</text>
${panels.join('\n')}
</svg>
`
}

function chartOf({ name, unit, values }: Series, minutes: number): string {
  const top = Math.max(...values, 1) * 1.05
  const innerWidth = panel.width - panel.left - panel.right
  const innerHeight = panel.height - panel.top - panel.bottom
  const x = (at: number) => panel.left + (innerWidth * at) / Math.max(values.length - 1, 1)
  const y = (value: number) => panel.top + innerHeight * (1 - value / top)
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const grid = [0, 0.5, 1].map((share) => {
    const level = y(top * share)
    return `<line x1="${panel.left}" x2="${panel.width - panel.right}" y1="${level}" y2="${level}" stroke="#ddd"/><text x="${panel.left - 6}" y="${level + 4}" text-anchor="end">${shown(top * share)}</text>`
  })
  const end = shown((values.length - 1) * minutes)
  return [
    `<text x="${panel.left}" y="22" font-weight="bold">${unit ? `${name} (${unit})` : name}</text>`,
    ...grid,
    `<text x="${panel.left}" y="${panel.height - 8}">0 min</text>`,
    `<text x="${panel.width - panel.right}" y="${panel.height - 8}" text-anchor="end">${end} min</text>`,
    `<polyline points="${points}" fill="none" stroke="#1f5fbf" stroke-width="1.5"/>`,
  ].join('')
}
