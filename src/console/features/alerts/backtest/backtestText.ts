/** The texts of a backtest. */
import { groupLabel } from '#console/charting/series/groupValues.ts'
import { counted } from '#domain/text/words.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import type { TooManyGroups } from '#console/api/groupErrors.ts'
import type { BacktestWarning } from '#domain/alerting/backtestWarnings.ts'
import type { Group } from '#domain/alerting/groupState.ts'
import type { Sweep } from '#domain/alerting/sweep.ts'

/** The values of a group: `checkout, 500`. */
export function firingLabel(group: Group | null, key: string): string {
  if (!group) return key === '' ? 'No group' : key
  return Object.values(group).map(groupLabel).join(', ')
}

/** Why a range cannot be read: `7 days of these groups have more values than a chart query returns (100,000).` */
export function tooManyText(days: number, { maxPoints }: TooManyGroups): string {
  const range = days === 1 ? 'One day of these groups has' : `${days} days of these groups have`
  const limit = maxPoints === null ? '' : ` (${formatValue(maxPoints)})`
  return `${range} more values than a chart query returns${limit}.`
}

/** A threshold is typed in the unit of the data, such as nanoseconds: what it is. Null where it is written the same. */
export function thresholdText(threshold: number | null, unit: Unit): string | null {
  const typed = formatValue(threshold)
  const inUnit = formatValue(threshold, unit)
  return typed === inUnit ? null : `A threshold of ${typed} is ${inUnit}.`
}

/** The text of the chart of firings by threshold. */
export function sweepText({ points, flat }: Sweep, unit: Unit): string {
  if (flat)
    return `${formatValue(flat.from, unit)} to ${formatValue(flat.to, unit)}: ${counted(flat.firings, 'firing')} each.`
  if (points.every(({ firings }) => firings === 0)) return 'No threshold fires in this range.'
  return 'No wide range of thresholds fires equally often.'
}

/** ` in cart`; nothing for an alert without groups. */
const inGroup = (key: string): string => (key === '' ? '' : ` in ${key}`)

/** The text of a warning. */
export function warningText(warning: BacktestWarning, unit: Unit): string {
  switch (warning.kind) {
    case 'noRowMatched':
      return 'No row matched in the whole range. Check the condition and the source: the threshold was not tested.'
    case 'neverFires':
      return `Never fires in this range. The value closest to the threshold is ${formatValue(warning.closest, unit)}.`
    case 'alwaysFires':
      return `Fires ${formatValue(Math.round(warning.share * 100))} % of the time${inGroup(warning.groupKey)}.`
    case 'flaps':
      return `Flaps${inGroup(warning.groupKey)}: it fired again within 3 windows ${counted(warning.times, 'time')}.${
        warning.calmer
          ? ` With ${warning.calmer.windows} consecutive windows it fires ${counted(warning.calmer.firings, 'time')}.`
          : ''
      }`
    case 'edge':
      return `The threshold is at an edge: at ${formatValue(warning.threshold, unit)} it fires ${counted(warning.firings, 'time')}.`
    case 'numericGroup':
      return `The group column ${warning.column} is a number. Some deployments compare it instead of the value: convert it with toString().`
    case 'misaligned':
      return 'Deployments evaluate long windows with an offset or a start time as 0. Remove both, or use an interval of 1 hour or less.'
    case 'heldBack':
      return `${counted(warning.count, 'spike')} held back by the consecutive windows. The worst: ${formatMoment(warning.start)}, ${formatValue(warning.peak, unit)}${inGroup(warning.groupKey)}, ${counted(warning.windows, 'window')}.`
    case 'emptyFires':
      return `No row matched in ${counted(warning.empty, 'window')}. They count as 0, and 0 violates the threshold.`
    case 'emptyWindows':
      return `No row matched in ${formatValue(warning.empty)} of ${formatValue(warning.total)} windows. They count as 0.`
  }
}

/** Warnings that only inform. */
export const isInformation = ({ kind }: BacktestWarning): boolean => kind === 'emptyWindows' || kind === 'heldBack'
