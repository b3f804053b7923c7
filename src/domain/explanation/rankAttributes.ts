/**
 * Ranks attributes by how much their values differ between a selection and the rows around it: the Jensen-Shannon divergence
 * in bits, less what chance alone makes of so few rows and so many values. So neither rare values nor attributes with
 * another value in each row come first.
 */
import { ascending } from 'd3-array'
import type { AttributeCounts, Sides, ValueCount } from './attributeCounts.ts'
import { chanceDivergence, jensenShannon } from './divergence.ts'

export interface RankedAttribute {
  attribute: string
  /** Attributes with the same values in the same rows. */
  same: string[]
  /** Bits beyond chance, more than 0 and at most 1. */
  divergence: number
  /** The values with the largest difference first. */
  values: ValueCount[]
  others: AttributeCounts['others']
  /** Rows with the attribute. */
  present: Sides<number>
  /** Whether the difference is that of all rows, with and without the attribute, or of the rows that have it. */
  of: 'all' | 'present'
}

/** Fewer rows with an attribute on one side say nothing about its values. */
const fewestPresent = 5

/**
 * The attributes that differ by more than chance, the most different first.
 * @param counts an attribute may have several, by value and by range: those that differ the most count
 * @param totals number of rows, which have the attributes or not
 */
export function rankAttributes(counts: readonly AttributeCounts[], totals: Sides<number>): RankedAttribute[] {
  const best = new Map<string, RankedAttribute>()
  for (const count of counts) {
    const ranked = rankedOf(count, totals)
    const known = best.get(count.attribute)
    if (ranked.divergence > (known?.divergence ?? 0)) best.set(count.attribute, ranked)
  }
  const sorted = [...best.values()].toSorted(
    (a, b) => b.divergence - a.divergence || a.values.length - b.values.length || ascending(a.attribute, b.attribute),
  )
  return withoutCopies(sorted)
}

function rankedOf({ attribute, values, others }: AttributeCounts, totals: Sides<number>): RankedAttribute {
  const all = others.values > 0 ? [...values, others] : values
  const sum = (side: keyof Sides<number>) => all.reduce((total, count) => total + count[side], 0)
  const present = { inside: sum('inside'), outside: sum('outside') }
  const missing = { inside: totals.inside - present.inside, outside: totals.outside - present.outside }
  const hasBoth = Math.min(present.inside, present.outside) >= fewestPresent
  // Few rows may have the attribute that says it all: they are compared with each other, too.
  const ofPresent = hasBoth ? beyondChance(all, present) : 0
  const ofAll = beyondChance(missing.inside + missing.outside > 0 ? [...all, missing] : all, totals)
  const sizes = ofPresent > ofAll ? present : totals
  const change = (count: Sides<number>) =>
    count.inside / Math.max(1, sizes.inside) - count.outside / Math.max(1, sizes.outside)
  return {
    attribute,
    same: [],
    divergence: Math.max(ofPresent, ofAll),
    values: values.toSorted((a, b) => Math.abs(change(b)) - Math.abs(change(a))),
    others,
    present,
    of: ofPresent > ofAll ? 'present' : 'all',
  }
}

function beyondChance(counts: readonly Sides<number>[], sizes: Sides<number>): number {
  const inside = counts.map((count) => count.inside)
  const outside = counts.map((count) => count.outside)
  return Math.max(0, jensenShannon(inside, outside) - chanceDivergence(counts.length, sizes.inside, sizes.outside))
}

/** Columns are often also attributes, such as the name of the service: the shorter name stands for both. */
function withoutCopies(ranked: readonly RankedAttribute[]): RankedAttribute[] {
  const kept = new Map<string, RankedAttribute>()
  for (const attribute of ranked) {
    const key = JSON.stringify([attribute.values.toSorted(byValue), attribute.others])
    const known = kept.get(key)
    if (!known) kept.set(key, attribute)
    else if (attribute.attribute.length < known.attribute.length) {
      kept.set(key, { ...attribute, same: [...known.same, known.attribute] })
    } else known.same.push(attribute.attribute)
  }
  return [...kept.values()]
}

const byValue = (a: ValueCount, b: ValueCount) => ascending(JSON.stringify(a.value), JSON.stringify(b.value))
