/** The cost of pipe sizes. */
import { pipeTotals, type PipeSize } from '#domain/sizing/pipePrices.ts'
import { formatDollars } from '#domain/charts/amounts.ts'
import type { Values } from '../model/scalingParameters.ts'

export const perHour = (usd: number): string => formatDollars(usd, 4)
export const perMonth = (usd: number): string => formatDollars(usd, 0)

/** The size of all replicas. Null if one of the values is unknown or not a number. */
export function pipeSizeOf({ replicas, replicaCpuMillicores, replicaMemoryGb }: Values): PipeSize | null {
  if (!replicas || !replicaCpuMillicores || !replicaMemoryGb) return null
  return { replicas, replicaCpuMillicores, replicaMemoryGb }
}

type Sizes = readonly (PipeSize | null)[]

/** "$9 → $18 per month", or "$9 per month" if the cost does not change. Null if a size is unknown. */
export function formatCost(now: Sizes, planned: Sizes, rate: number): string | null {
  const costs = [now, planned].map((sizes) => monthlyOf(sizes, rate))
  if (costs.includes(null)) return null
  return `${[...new Set(costs)].join(' → ')} per month`
}

function monthlyOf(sizes: Sizes, rate: number): string | null {
  const known = sizes.filter((size) => size !== null)
  if (known.length < sizes.length) return null
  return perMonth(known.reduce((sum, size) => sum + pipeTotals(size, rate).usdPerMonth, 0))
}
