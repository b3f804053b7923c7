/** Counts the values of attributes in two sets of rows: those of a selection, and those around it. */
import { ascending } from 'd3-array'
import type { AttributeCounts, ComparedRow, Sides, ValueCount } from './attributeCounts.ts'
import { numbersOf, rangeCounts, rangesOf, type NumberCount, type TextCount } from './valueRanges.ts'

/** Which values are compared, and how: the same for all that count them. */
export const countRules = {
  /** Numbers of more than so many different values are also counted by ranges. */
  manyNumbers: 20,
  /** Values that are listed of an attribute, at most. */
  listed: 40,
  /** A value with fewer rows, or a smaller share of the rows with the attribute on both sides, is not listed by itself. */
  fewestRows: 5,
  fewestShare: 0.01,
  /** In code points. A longer text is not listed by itself: nobody filters by it. */
  longestText: 1000,
  /** The share of neighboring numbers whose times do not overlap, from which they are taken for a clock or a counter of rows. */
  risingShare: 0.97,
} as const

/**
 * The counts of every attribute of the rows. An attribute of many different numbers is counted twice: by value and by
 * range. Attributes whose numbers only rise with the time of the rows are in `clocks` and not counted: they differ between
 * any two ranges of time.
 */
export function countAttributes(rows: Sides<readonly ComparedRow[]>): { counts: AttributeCounts[]; clocks: string[] } {
  const clocks: string[] = []
  const counts = [...textCounts(rows)].flatMap(([attribute, texts]): AttributeCounts[] => {
    const byValue = { attribute, ...listed(texts) }
    const numbers = texts.size > countRules.manyNumbers ? numbersOf(texts) : null
    if (!numbers) return [byValue]
    if (followsClock(numbers)) {
      clocks.push(attribute)
      return []
    }
    const none = { values: 0, inside: 0, outside: 0 }
    return [byValue, { attribute, values: rangeCounts(rangesOf(numbers)), others: none }]
  })
  return { counts, clocks }
}

/** Rows by attribute and text. */
function textCounts(rows: Sides<readonly ComparedRow[]>): Map<string, Map<string, TextCount>> {
  const attributes = new Map<string, Map<string, TextCount>>()
  for (const side of ['inside', 'outside'] as const) {
    for (const { values, at, weight = 1 } of rows[side]) {
      for (const [attribute, text] of values) {
        if (text === '') continue
        const counts = attributes.get(attribute) ?? new Map<string, TextCount>()
        attributes.set(attribute, counts)
        const count = counts.get(text) ?? { inside: 0, outside: 0, first: Infinity, last: -Infinity }
        counts.set(text, count)
        count[side] += weight
        if (at < count.first) count.first = at
        if (at > count.last) count.last = at
      }
    }
  }
  return attributes
}

/** The values that are common enough to compare. All others count as one value, so that an attribute with IDs shows no difference. */
function listed(texts: ReadonlyMap<string, TextCount>): Omit<AttributeCounts, 'attribute'> {
  const all = [...texts.values()].reduce(
    (sum, { inside, outside }) => ({ inside: sum.inside + inside, outside: sum.outside + outside }),
    { inside: 0, outside: 0 },
  )
  const share = ({ inside, outside }: Sides<number>) =>
    Math.max(inside / Math.max(1, all.inside), outside / Math.max(1, all.outside))
  const { fewestRows, fewestShare, longestText } = countRules
  const common = [...texts]
    .filter(([text, count]) => count.inside + count.outside >= fewestRows && [...text].length <= longestText)
    .filter(([, count]) => share(count) >= fewestShare)
    .toSorted(([a, one], [b, other]) => share(other) - share(one) || ascending(a, b))
    .slice(0, countRules.listed)
  const values = common.map(([text, { inside, outside }]): ValueCount => ({
    value: { kind: 'text', text },
    inside,
    outside,
  }))
  return { values, others: othersOf(values, { values: texts.size, ...all }) }
}

/** The rest of all values of an attribute. */
export function othersOf(
  listedValues: readonly ValueCount[],
  all: AttributeCounts['others'],
): AttributeCounts['others'] {
  const others = all.values - listedValues.length
  const rest = (side: keyof Sides<number>) => all[side] - listedValues.reduce((sum, count) => sum + count[side], 0)
  return { values: others, inside: others ? rest('inside') : 0, outside: others ? rest('outside') : 0 }
}

/** Whether greater numbers are in later rows. */
function followsClock(numbers: readonly NumberCount[]): boolean {
  const timed = numbers.filter(({ first, last }) => first <= last)
  if (timed.length < countRules.manyNumbers) return false
  const rising = timed.filter(({ first }, at) => at > 0 && first >= (timed[at - 1]?.last ?? first)).length
  return rising / (timed.length - 1) >= countRules.risingShare
}
