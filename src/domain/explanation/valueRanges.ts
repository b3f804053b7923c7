/** Ranges of numbers with about as many rows each, so that attributes of many different numbers can be compared. */
import type { Sides, ValueCount } from './attributeCounts.ts'

interface NumberCount extends Sides<number> {
  number: number
}

/** Ranges of an attribute. */
const ranges = 8

/** The numbers of an attribute in ascending order; null if a value is none. */
export function numbersOf(texts: ReadonlyMap<string, Sides<number>>): NumberCount[] | null {
  const numbers: NumberCount[] = []
  for (const [text, count] of texts) {
    const number = /^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN
    if (!Number.isFinite(number)) return null
    numbers.push({ number, ...count })
  }
  return numbers.toSorted((a, b) => a.number - b.number)
}

/** The numbers at which ranges begin, without the first: both sides have the same say, however many rows each has. */
export function boundsOf(numbers: readonly NumberCount[]): number[] {
  const total = (side: keyof Sides<number>) => numbers.reduce((sum, count) => sum + count[side], 0)
  const [inside, outside] = [Math.max(1, total('inside')), Math.max(1, total('outside'))]
  const bounds = new Set<number>()
  let [before, next] = [0, 1]
  for (const [at, count] of numbers.entries()) {
    if (at > 0 && before >= next / ranges) {
      bounds.add(rounded(count.number, numbers[at - 1]?.number ?? count.number))
      next = Math.floor(before * ranges) + 1
    }
    before += (count.inside / inside + count.outside / outside) / 2
  }
  return [...bounds]
}

/** The number with the fewest digits that is above one number and at most another. */
function rounded(most: number, above: number): number {
  for (let digits = 1; digits <= 15; digits++) {
    const short = Number(most.toPrecision(digits))
    if (short > above && short <= most) return short
  }
  return most
}

/** Rows by range. */
export function countRanges(numbers: readonly NumberCount[], bounds: readonly number[]): ValueCount[] {
  const starts = [null, ...bounds]
  const counted = starts.map((from, at): ValueCount => ({
    value: { kind: 'range', from, to: starts[at + 1] ?? null },
    inside: 0,
    outside: 0,
  }))
  let at = 0
  for (const { number, inside, outside } of numbers) {
    while (at < bounds.length && number >= (bounds[at] ?? Infinity)) at++
    const count = counted[at]
    if (!count) continue
    count.inside += inside
    count.outside += outside
  }
  return counted
}
