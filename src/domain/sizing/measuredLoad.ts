/** The load of a pipe or service over several days, from the highest measurements of each hour. */
import type { MeasuredLoad, UsedResource } from '#contract/console/sampling/sizeLoads.ts'

/** The limits of a replica: millicores, bytes. Null is not reported. */
interface Limits {
  cpuLimit: number | null
  memoryLimit: number | null
}

/** The measurements of an hour at one size. Null is not reported. */
export interface LoadHour extends Limits {
  /** The start of the hour and the last measurement, epoch milliseconds. */
  at: number
  lastAt: number
  /** How much of it was measured. */
  seconds: number
  cpuHigh: number | null
  memoryHigh: number | null
}

export const hourLength = 3_600_000
const dayLength = 24 * hourLength
/** Hours of a day that must be measured for its peak to count. */
const minHoursOfDay = 4

/**
 * The load at the size that was measured last; null without a measurement.
 * @param hours in any order
 */
export function measuredLoad(hours: readonly LoadHour[]): MeasuredLoad | null {
  const ordered = hours.toSorted((a, b) => a.lastAt - b.lastAt)
  const newest = ordered.at(-1)
  if (!newest) return null
  const limits = {
    cpuLimit: ordered.findLast(({ cpuLimit }) => cpuLimit !== null)?.cpuLimit ?? null,
    memoryLimit: ordered.findLast(({ memoryLimit }) => memoryLimit !== null)?.memoryLimit ?? null,
  }
  const atThisSize = ordered.slice(ordered.findLastIndex((loadHour) => isOfOtherSize(loadHour, limits)) + 1)
  const seconds = atThisSize.reduce((sum, loadHour) => sum + Math.min(hourLength / 1000, loadHour.seconds), 0)
  return {
    since: atThisSize[0]?.at ?? newest.at,
    hours: Math.round(seconds / 360) / 10,
    cpu: usedOf(atThisSize, 'cpuHigh', limits.cpuLimit),
    memory: usedOf(atThisSize, 'memoryHigh', limits.memoryLimit),
  }
}

/** Whether a limit differs. One that is not reported for a while is no change, nor is another rounding of it. */
export const isOfOtherSize = (hour: Limits, limits: Limits): boolean =>
  differs(hour.cpuLimit, limits.cpuLimit) || differs(hour.memoryLimit, limits.memoryLimit)

const differs = (a: number | null, b: number | null) =>
  a !== null && b !== null && Math.abs(a - b) > 0.02 * Math.max(a, b)

function usedOf(
  hours: readonly LoadHour[],
  measure: 'cpuHigh' | 'memoryHigh',
  limit: number | null,
): UsedResource | null {
  const measured = hours.flatMap((hour) => {
    const value = hour[measure]
    return value === null ? [] : [{ at: hour.at, value }]
  })
  if (measured.length === 0) return null
  const sorted = measured.map(({ value }) => value).toSorted((a, b) => a - b)
  const days = new Map<number, number[]>()
  for (const { at, value } of measured) {
    const day = Math.floor(at / dayLength)
    days.set(day, [...(days.get(day) ?? []), value])
  }
  const peaks = [...days.values()].flatMap((day) => (day.length < minHoursOfDay ? [] : [Math.max(...day)]))
  return {
    limit,
    p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0,
    peak: sorted.at(-1) ?? 0,
    quietestDay: peaks.length < 2 ? null : Math.min(...peaks),
  }
}
