/** The words of an explanation: how much was read, the measure, the values. */
import type { Explanation } from '#console/charting/explanation/question.ts'
import type { AttributeValue } from '#domain/explanation/attributeCounts.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import { counted } from '#domain/text/words.ts'

/** The things that are compared: rows, or the values of time series in buckets. */
export const rowName = (way: Explanation['way']): string => (way === 'series' ? 'value' : 'row')

/**
 * "Compared 1,200 of 4,031 rows in the selection with all 900 rows in the rest of the chart, read by 9 requests." Or, where the
 * deployment counts: "…, counted by the deployment in one request, which read 56,241 rows."
 */
export function readText({ read, total, requests, way, counted: own }: Explanation): string {
  const row = rowName(way)
  const side = (name: keyof typeof read) =>
    read[name] < total[name]
      ? `${formatValue(read[name])} of ${counted(total[name], row)}`
      : `all ${counted(total[name], row)}`
  const how = own
    ? `counted by the deployment in one request, which read ${counted(own.rowsRead, 'row')}`
    : `read by ${counted(requests, 'request')}`
  const text = `Compared ${side('inside')} in the selection with ${side('outside')} in the rest of the chart, ${how}.`
  if (way === 'series') return text
  return read.inside < total.inside || read.outside < total.outside
    ? `${text} The shares are those of the sample.`
    : text
}

/** The measure, and the attributes that are not listed. */
export function measureText({ ranked, attributes, clocks, counted: own }: Explanation): string {
  const listed = ranked.reduce((sum, { same }) => sum + 1 + same.length, 0)
  const alike = attributes - listed
  return [
    'Ranked by the Jensen-Shannon divergence of the values, in bits: 0 means the same shares, 1 no common value. The divergence expected by chance for this number of rows is subtracted. It is computed for the rows with the attribute and for all rows; the larger value counts.',
    ...(alike > 0
      ? [`${counted(alike, 'other attribute')} ${alike === 1 ? 'does' : 'do'} not differ by more than chance.`]
      : []),
    ...(own && own.leftOut > 0
      ? [`Left out, because fewer rows have them than those that were compared: ${counted(own.leftOut, 'attribute')}.`]
      : []),
    ...(clocks.length > 0 ? [`Left out, because they rise with the time: ${clocks.join(', ')}.`] : []),
  ].join(' ')
}

/** A value as it is shown; null for rows without the attribute. The unit is that of ranges. */
export function valueLabel(value: AttributeValue | null, unit: Unit): string {
  if (value === null) return '(none)'
  if (value.kind === 'text') return value.text
  const { from, to } = value
  const format = (number: number) => (unit === 'number' ? exactNumber(number) : formatValue(number, unit))
  if (from === null) return `less than ${format(to ?? 0)}`
  return to === null ? `${format(from)} or more` : `${format(from)} to ${format(to)}`
}

const exactNumber = (number: number): string => number.toLocaleString('en-US', { maximumFractionDigits: 6 })

/** A share of 0 to 1 in percent. Only 0 is shown as 0 %, and only 1 as 100 %. */
export function percentText(share: number): string {
  if (share > 0 && share < 0.001) return '< 0.1 %'
  if (share < 1 && share > 0.999) return '> 99.9 %'
  return `${Number((share * 100).toFixed(share < 0.1 ? 1 : 0))} %`
}
