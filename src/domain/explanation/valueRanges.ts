/** Ranges of numbers with about as many rows each, so that attributes of many different numbers can be compared. */
import type { Sides, ValueCount } from './attributeCounts.ts'

/** Rows with a text, and the times between which they are: epoch milliseconds, from Infinity to -Infinity where none is known. */
export interface TextCount extends Sides<number> {
  first: number
  last: number
}

export interface NumberCount extends TextCount {
  number: number
}

/** Ranges of an attribute. */
export const ranges = 8

/** The numbers of an attribute in ascending order, those that are written in several ways more than once; null if a value is none. */
export function numbersOf(texts: ReadonlyMap<string, TextCount>): NumberCount[] | null {
  const numbers: NumberCount[] = []
  for (const [text, count] of texts) {
    const number = numberText.test(text) ? Number(text) : NaN
    if (!Number.isFinite(number)) return null
    numbers.push({ number, ...count })
  }
  return numbers.toSorted((a, b) => a.number - b.number || a.first - b.first || a.last - b.last)
}

const numberText = /^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i

/** Neighboring numbers: the first one, the last one, and their rows. */
export interface NumberRange extends Sides<number> {
  from: number
  to: number
}

/** Ranges with about as many rows each: both sides have the same say, however many rows each has. */
export function rangesOf(numbers: readonly NumberCount[]): NumberRange[] {
  const total = (side: keyof Sides<number>) => numbers.reduce((sum, count) => sum + count[side], 0)
  const [inside, outside] = [Math.max(1, total('inside')), Math.max(1, total('outside'))]
  const before = { inside: 0, outside: 0 }
  const found = new Map<number, NumberRange>()
  let place = 0
  for (const [at, count] of numbers.entries()) {
    // In whole numbers for whole rows, so that everybody comes to the same ranges.
    const share = (before.inside * outside + before.outside * inside) / 2
    if (count.number !== numbers[at - 1]?.number) place = Math.floor((share * ranges) / (inside * outside))
    const range = found.get(place) ?? { from: count.number, to: count.number, inside: 0, outside: 0 }
    found.set(place, range)
    range.to = count.number
    for (const side of ['inside', 'outside'] as const) {
      range[side] += count[side]
      before[side] += count[side]
    }
  }
  return [...found.values()]
}

/** The rows of ranges that end where the next one begins, at round numbers; the first and the last one have no end. */
export function rangeCounts(found: readonly NumberRange[]): ValueCount[] {
  const starts = found.map(({ from }, at) => (at === 0 ? null : rounded(from, found[at - 1]?.to ?? from)))
  return found.map(({ inside, outside }, at) => ({
    value: { kind: 'range', from: starts[at] ?? null, to: starts[at + 1] ?? null },
    inside,
    outside,
  }))
}

/** The number with the fewest digits that is above one number and at most another. */
function rounded(most: number, above: number): number {
  for (let digits = 1; digits <= 15; digits++) {
    const short = Number(most.toPrecision(digits))
    if (short > above && short <= most) return short
  }
  return most
}
