/** Counts the values of attributes in two sets of rows: those of a selection, and those around it. */
import type { AttributeCounts, ComparedRow, Sides, ValueCount } from './attributeCounts.ts'
import { boundsOf, countRanges, numbersOf } from './valueRanges.ts'

/** Numbers of so many different values are also counted by ranges. */
const manyNumbers = 20

/**
 * The counts of every attribute of the rows. An attribute of many different numbers is counted twice: by value and by
 * range. Attributes whose numbers only rise with the time of the rows are in `clocks` and not counted: they differ between
 * any two ranges of time.
 */
export function countAttributes(rows: Sides<readonly ComparedRow[]>): { counts: AttributeCounts[]; clocks: string[] } {
  const attributes = new Map<string, Map<string, Sides<number>>>()
  for (const side of ['inside', 'outside'] as const) {
    for (const { values, weight = 1 } of rows[side]) {
      for (const [attribute, text] of values) {
        if (text === '') continue
        const counts = attributes.get(attribute) ?? new Map<string, Sides<number>>()
        attributes.set(attribute, counts)
        const count = counts.get(text) ?? { inside: 0, outside: 0 }
        counts.set(text, count)
        count[side] += weight
      }
    }
  }
  const byTime = [...rows.inside, ...rows.outside].toSorted((a, b) => a.at - b.at)
  const clocks: string[] = []
  const counts = [...attributes].flatMap(([attribute, texts]): AttributeCounts[] => {
    const byValue = { attribute, ...listed(texts) }
    const numbers = texts.size > manyNumbers ? numbersOf(texts) : null
    if (!numbers) return [byValue]
    if (followsClock(byTime, attribute)) {
      clocks.push(attribute)
      return []
    }
    const none = { values: 0, inside: 0, outside: 0 }
    return [byValue, { attribute, values: countRanges(numbers, boundsOf(numbers)), others: none }]
  })
  return { counts, clocks }
}

/** Values that are listed of an attribute, at most. */
const maxListed = 40
/** A value with fewer rows, or a smaller share of the rows with the attribute on both sides, is not listed by itself. */
const fewest = { rows: 5, share: 0.01 }

/** The values that are common enough to compare. All others are one, so that an attribute of IDs says nothing. */
function listed(texts: ReadonlyMap<string, Sides<number>>): Omit<AttributeCounts, 'attribute'> {
  const all = [...texts.values()].reduce(
    (sum, { inside, outside }) => ({ inside: sum.inside + inside, outside: sum.outside + outside }),
    { inside: 0, outside: 0 },
  )
  const share = ({ inside, outside }: Sides<number>) =>
    Math.max(inside / Math.max(1, all.inside), outside / Math.max(1, all.outside))
  const common = [...texts]
    .filter(([, count]) => count.inside + count.outside >= fewest.rows && share(count) >= fewest.share)
    .toSorted(([, a], [, b]) => share(b) - share(a))
    .slice(0, maxListed)
  const values = common.map(([text, count]): ValueCount => ({ value: { kind: 'text', text }, ...count }))
  const rest = (side: keyof Sides<number>) => all[side] - values.reduce((sum, count) => sum + count[side], 0)
  const others = texts.size - values.length
  return {
    values,
    others: { values: others, inside: others ? rest('inside') : 0, outside: others ? rest('outside') : 0 },
  }
}

/** The share of neighbors in time whose numbers rise, from which they are taken for a clock or a counter of rows. */
const risingShare = 0.97

function followsClock(byTime: readonly ComparedRow[], attribute: string): boolean {
  const numbers = byTime.flatMap(({ values, at }) => {
    const text = values.get(attribute)
    return text === undefined || text === '' || Number.isNaN(at) ? [] : [Number(text)]
  })
  if (numbers.length < manyNumbers) return false
  const rising = numbers.filter((number, at) => at > 0 && number >= (numbers[at - 1] ?? 0)).length
  return rising / (numbers.length - 1) >= risingShare
}
