/** Random numbers that are the same for the same seed. */
export interface Random {
  /** 0 up to, not including, 1. */
  next(): number
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
  /** Around a median, never negative, with a long tail to the right, as latencies have. */
  latency(median: number): number
  /** Hexadecimal digits of so many bytes. */
  hex(bytes: number): string
}

/** A generator for one seed (32 bits are used). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // A Weyl sequence through a 32-bit mixer: fast, and random enough for sample data.
  const integer = () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  const next = () => integer() / 0x1_0000_0000
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)] ?? items[0],
    latency: (median) => {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
      return median * Math.exp(0.45 * normal)
    },
    hex: (bytes) => {
      let text = ''
      while (text.length < bytes * 2) text += integer().toString(16).padStart(8, '0')
      return text.slice(0, bytes * 2)
    },
  }
}
