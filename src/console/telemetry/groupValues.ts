/** Chart points by group: for each series, the value of every bucket. */
import type { ChartPoint } from '#contract/charts.ts'
import { isLossless } from '#contract/lossyNumbers.ts'

/** Bucket start (epoch milliseconds) to value. */
export type BucketValues = Map<number, number | null>

interface GroupValues {
  group: string[]
  /** One entry for each series. */
  values: BucketValues[]
}

/** Groups by the JSON text of their values. */
export type Groups = Map<string, GroupValues>

/** Which series the points of a response belong to: `count` of all `total`, beginning at `first`. */
interface SeriesRange {
  first: number
  count: number
  total: number
}

/** Adds the points of a response to their groups. */
export function addPoints(groups: Groups, points: readonly ChartPoint[], { first, count, total }: SeriesRange): void {
  for (const point of points) {
    const group = (point.group ?? []).map(groupLabel)
    const key = JSON.stringify(group)
    const entry = groups.get(key) ?? { group, values: Array.from({ length: total }, (): BucketValues => new Map()) }
    groups.set(key, entry)
    for (let index = 0; index < count; index++) {
      const value = point[`series_${index}.data`]
      if (value !== undefined) entry.values[first + index]?.set(point.ts_bucket, numberOf(value))
    }
  }
}

/** A value as the API spells it: counts come as text, missing ones as null. */
export function numberOf(value: unknown): number | null {
  if (isLossless(value)) return Number(value.value)
  if (typeof value !== 'number' && (typeof value !== 'string' || value === '')) return null
  const number = Number(value)
  return Number.isNaN(number) ? null : number
}

/** The label of an empty value. */
export const noGroupValue = '(none)'

/** The label of a group's value. An empty value has one too, so that its line can be clicked. */
function groupLabel(value: unknown): string {
  if (value === null || value === undefined || value === '') return noGroupValue
  if (isLossless(value)) return value.value
  return typeof value === 'string' ? value : JSON.stringify(value)
}
