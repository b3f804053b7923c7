/** Rows of which one attribute is the cause of what differs between two sides. */
import type { ComparedRow } from '../attributeCounts.ts'

const times = (count: number, make: (at: number) => ComparedRow) => Array.from({ length: count }, (_, at) => make(at))

/**
 * Rows with attributes of 2 to 60 values of unequal shares, IDs, numbers, and one that mostly follows the cause. In the
 * selection, 30 to 90 % of the rows have one value of the cause.
 */
export function plantedCase(seed: number) {
  const random = randomOf(seed)
  const below = (count: number) => Math.floor(random() * count)
  const attributes = Array.from({ length: 12 }, (_, at) => ({
    name: `attribute ${at}`,
    values: 2 + below(59),
    skew: 1 + random() * 2,
    coverage: random() < 0.5 ? 1 : 0.3 + random() * 0.7,
  }))
  const cause = attributes[below(attributes.length)]!
  const [planted, strength] = [below(cause.values), 0.3 + random() * 0.6]
  const make = (count: number, inTrouble: boolean) =>
    times(count, (at) => {
      const isCaused = inTrouble && random() < strength
      const values: Record<string, string> = {
        id: String(random()),
        number: String(below(100_000)),
        shard: String(at % 3),
      }
      for (const { name, values: count, skew, coverage } of attributes) {
        const usual = Math.floor(count * random() ** skew)
        if (name === cause.name && isCaused) values[name] = `v${planted}`
        else if (random() < coverage) values[name] = `v${usual}`
      }
      values['symptom'] = random() < (values[cause.name] === `v${planted}` ? 0.7 : 0.1) ? 'slow' : 'fast'
      return { at, values: new Map(Object.entries(values)) }
    })
  return { cause: cause.name, inside: make(80 + below(900), true), outside: make(200 + below(1000), false) }
}

/** A generator of numbers from 0 to 1 that repeats itself for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
