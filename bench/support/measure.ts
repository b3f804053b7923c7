/** Timing, and the table in bench/README.md. */
import { performance } from 'node:perf_hooks'

/** One line of the table. `aim` is the limit of the figure. */
export interface Row {
  what: string
  result: string
  aim: string
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Milliseconds that the work takes. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/**
 * Runs two pieces of work in turn, A B A B …, after a warm-up of each, so that a slow machine affects both.
 * @returns medians in milliseconds, and the median of the ratios A/B pair by pair
 */
export async function compare(a: () => Promise<unknown>, b: () => Promise<unknown>, runs: number) {
  await a()
  await b()
  const pairs: { a: number; b: number }[] = []
  for (let run = 0; run < runs; run++) pairs.push({ a: await time(a), b: await time(b) })
  return {
    a: median(pairs.map((pair) => pair.a)),
    b: median(pairs.map((pair) => pair.b)),
    ratio: median(pairs.map((pair) => pair.a / pair.b)),
  }
}

export const milliseconds = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
export const times = (ratio: number) => `${ratio.toFixed(2)}×`
export const thousands = (value: number) => `${Math.round(value / 1000)} k`
