/** Chart points by group: for each series, the value of every bucket. */
import type { ChartPoint } from '#contract/stack/charts.ts'
import { isLossless } from '#contract/wire/lossyNumbers.ts'
import { counted } from '#domain/text/words.ts'

/** Bucket start (epoch milliseconds) to value. */
export type BucketValues = Map<number, number | null>

export interface GroupValues {
  group: string[]
  /** For the line "Other": the number of its groups. Its label is no value of a group. */
  others?: number
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

/** How many groups are one, of groups that a deployment ranked; 0 if each is by itself. */
export const otherGroupsIn = (points: readonly ChartPoint[]): number =>
  points.find(({ otherGroups }) => otherGroups !== undefined)?.otherGroups ?? 0

/** The key of the line "Other". It is no JSON, so it never equals the key of a group. */
const othersKey = 'others'
const othersLabel = (count: number): string => `Other (${counted(count, 'value')})`

/** Adds the points of a response to their groups. */
export function addPoints(groups: Groups, points: readonly ChartPoint[], { first, count, total }: SeriesRange): void {
  for (const point of points) {
    const { otherGroups: others } = point
    const group = others === undefined ? (point.group ?? []).map(groupLabel) : [othersLabel(others)]
    const key = others === undefined ? JSON.stringify(group) : othersKey
    const entry = groups.get(key) ?? {
      group,
      ...(others !== undefined && { others }),
      values: Array.from({ length: total }, (): BucketValues => new Map()),
    }
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

const emptyLabel = '(none)'
const nullLabel = '(null)'
/** Texts that could be taken for one of these labels, or for such a text in quotes. */
const likeLabel = /^["\\]*\((?:none|null)\)["\\]*$/

/**
 * The label of a group's value, by which it can be clicked, another for each value: the empty text and NULL have one of
 * their own, and a text that is written like them is in quotes.
 */
export function groupLabel(value: unknown): string {
  if (value === null || value === undefined) return nullLabel
  if (value === '') return emptyLabel
  if (isLossless(value)) return value.value
  if (typeof value !== 'string') return JSON.stringify(value)
  return likeLabel.test(value) ? JSON.stringify(value) : value
}

/** The value that a label is of; null for NULL. */
export function labeledValue(label: string): string | null {
  if (label === nullLabel) return null
  if (label === emptyLabel) return ''
  return likeLabel.test(label) ? unquoted(label) : label
}

/** A condition may have a text with quotes that are no JSON: that is the value itself. */
function unquoted(label: string): string {
  try {
    return String(JSON.parse(label))
  } catch {
    return label
  }
}

/** Whether a label is the value itself. */
export const isPlainLabel = (label: string): boolean => labeledValue(label) === label
