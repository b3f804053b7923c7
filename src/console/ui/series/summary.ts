/** A chart in one or two sentences, for screen readers and for a quick overview. */
import { group } from 'd3-array'
import { measureOf } from '#domain/charts/axisUnits.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import type { Zone } from '#domain/time/zone.ts'
import type { Frame } from './series.ts'
import { type Stats, formatTrend } from './stats.ts'
import { formatDuration } from '../time/formatLength.ts'
import { formatWithin } from '../time/formatRangeTime.ts'

/** Units whose extremes are named. */
const maxUnits = 2

interface Summed {
  frame: Frame
  stats: ReadonlyMap<string, Stats>
  bucketMs: number
  zone: Zone
  unit: Unit
}

/** `8 series, one point is 1 minute. Highest 1,234 in checkout (22:10), lowest 0 in cart (21:45). 2 rising, 6 steady.` */
export function summarySentence({ frame, stats, bucketMs, zone, unit }: Summed): string {
  const all = frame.rows.flatMap(({ series }) => {
    const found = stats.get(series.id)
    return found && !series.ghost ? [{ series, stats: found, unit: series.unit ?? unit }] : []
  })
  const [first] = all
  if (!first) return 'No values in this range.'
  const point = `one point is ${formatDuration(bucketMs)}`
  const at = (time: number) => formatWhen(time, frame, zone)
  if (all.length === 1) {
    const { min, max, last, minAt, maxAt, change } = first.stats
    const value = (number: number) => formatValue(number, first.unit)
    const trend = formatTrend(change)
    const extremes = `lowest ${value(min)} (${at(minAt)}), highest ${value(max)} (${at(maxAt)}), last ${value(last)}`
    return `${first.series.label}: ${extremes}${trend && `, ${trend}`}; ${point}.`
  }
  // Values in different units are not compared.
  const byUnit = [...group(all, ({ unit }) => measureOf(unit)).values()]
  const extremes = byUnit.map((some) => {
    const highest = some.reduce((a, b) => (b.stats.max > a.stats.max ? b : a))
    const lowest = some.reduce((a, b) => (b.stats.min < a.stats.min ? b : a))
    const high = `Highest ${formatValue(highest.stats.max, highest.unit)} in ${highest.series.label} (${at(highest.stats.maxAt)})`
    const low = `lowest ${formatValue(lowest.stats.min, lowest.unit)} in ${lowest.series.label} (${at(lowest.stats.minAt)})`
    return `${high}, ${low}.`
  })
  const trends = trendCounts(all.map(({ stats }) => stats))
  return `${all.length} series, ${point}. ${extremes.slice(0, maxUnits).join(' ')}${trends}`
}

function formatWhen(time: number, frame: Frame, zone: Zone): string {
  const length = (frame.times.at(-1) ?? time) - (frame.times[0] ?? time)
  return formatWithin(time, length, zone, 'minute')
}

function trendCounts(all: Stats[]): string {
  const trends = all.map(({ change }) => formatTrend(change).split(' ')[0])
  const counted = ['rising', 'falling', 'steady'].flatMap((trend) => {
    const count = trends.filter((other) => other === trend).length
    return count ? [`${count} ${trend}`] : []
  })
  return counted.length ? ` ${counted.join(', ')}.` : ''
}
