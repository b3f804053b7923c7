/** What sizes cost, in words. */
import { pipeTotals, type PipeSize } from '#contract/pipePrices.ts'
import type { Values } from '../model/scalingParameters.ts'

const dollars = (digits: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: digits })

const [hour, month] = [dollars(4), dollars(0)]

export const perHour = (usd: number): string => hour.format(usd)
export const perMonth = (usd: number): string => month.format(usd)

/** What all replicas of a pipe add up to; null while one of the numbers is not known, or not a number. */
export function pipeSizeOf({ replicas, replicaCpuMillicores, replicaMemoryGb }: Values): PipeSize | null {
  if (!replicas || !replicaCpuMillicores || !replicaMemoryGb) return null
  return { replicas, replicaCpuMillicores, replicaMemoryGb }
}

type Sizes = readonly (PipeSize | null)[]

/** "$9 → $18 per month" of all sizes together, or "$9 per month" where that stays; null while one of them is not known. */
export function formatCost(now: Sizes, then: Sizes, rate: number): string | null {
  const costs = [now, then].map((sizes) => monthlyOf(sizes, rate))
  if (costs.includes(null)) return null
  return `${[...new Set(costs)].join(' → ')} per month`
}

function monthlyOf(sizes: Sizes, rate: number): string | null {
  const known = sizes.filter((size) => size !== null)
  if (known.length < sizes.length) return null
  return perMonth(known.reduce((sum, size) => sum + pipeTotals(size, rate).usdPerMonth, 0))
}
