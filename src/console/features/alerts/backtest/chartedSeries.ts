/** The groups of a backtest as series of a chart. */
import type { Series } from '#console/ui/series/series.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import type { WindowValues } from '#domain/alerting/evaluateWindow.ts'
import { firingLabel } from './backtestText.ts'

/** Groups that are drawn: those with the highest values. */
const maxDrawn = 5

export interface ChartedSeries {
  series: Series[]
  /** The groups that are not drawn, and the highest value of theirs. */
  others: number
  highestOther: string
}

export function chartedSeries(windows: readonly WindowValues[], grouped: boolean, unit: Unit): ChartedSeries {
  const groups = new Map<string, { label: string; peak: number; points: [number, number | null][] }>()
  for (const { start, values } of windows) {
    for (const { key, group, value } of values) {
      const known = groups.get(key) ?? { label: firingLabel(group, key), peak: -Infinity, points: [] }
      groups.set(key, known)
      known.peak = Math.max(known.peak, value)
      known.points.push([start, value])
    }
    // Without groups, a window without rows is 0.
    if (!grouped && values.length === 0) addZero(groups, start)
  }
  const sorted = [...groups].toSorted(([, a], [, b]) => b.peak - a.peak)
  const left = sorted.slice(maxDrawn)
  return {
    series: sorted.slice(0, maxDrawn).map(([id, { label, points }]) => ({ id, label, points })),
    others: left.length,
    highestOther: formatValue(left[0]?.[1].peak ?? null, unit),
  }
}

function addZero(groups: Map<string, { label: string; peak: number; points: [number, number | null][] }>, at: number) {
  const known = groups.get('') ?? { label: 'Value', peak: 0, points: [] }
  groups.set('', known)
  known.points.push([at, 0])
}
