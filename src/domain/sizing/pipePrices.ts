/** Sizes and prices of the price list: docs/DEPLOYMENTS.md#scaling-of-pipes. A connection may have its own rates. */

export const pipeSizes = [
  { name: 'XS', replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
  { name: 'S', replicaCpuMillicores: 250, replicaMemoryGb: 1 },
  { name: 'M', replicaCpuMillicores: 500, replicaMemoryGb: 2 },
  { name: 'L', replicaCpuMillicores: 1000, replicaMemoryGb: 4 },
  { name: 'XL', replicaCpuMillicores: 2000, replicaMemoryGb: 8 },
] as const

/** The size of a new streaming pipe. */
export const defaultPipeSize = { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 } as const

export const pipeRates = {
  /** USD per compute unit per hour, with or without data. */
  computeUnitHour: 0.2,
  /** USD per GB that a streaming pipe receives. */
  streamingGigabyte: 0.04,
  /** USD per GB of the initial load of a database pipe, and of its changes. */
  initialLoadGigabyte: 0.1,
  changeGigabyte: 0.2,
} as const

/** One compute unit. */
const unit = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }

/** Billed hours of a month. */
export const monthHours = 730

export interface PipeSize {
  replicas: number
  replicaCpuMillicores: number
  replicaMemoryGb: number
}

/** The total size and cost of all replicas. If CPU and memory do not match, the larger part counts. */
export function pipeTotals(size: PipeSize, usdPerUnitHour: number = pipeRates.computeUnitHour) {
  const units =
    size.replicas *
    Math.max(size.replicaCpuMillicores / unit.replicaCpuMillicores, size.replicaMemoryGb / unit.replicaMemoryGb)
  return {
    vcpu: (size.replicas * size.replicaCpuMillicores) / 1000,
    memoryGb: size.replicas * size.replicaMemoryGb,
    computeUnits: units,
    usdPerHour: units * usdPerUnitHour,
    usdPerMonth: units * usdPerUnitHour * monthHours,
  }
}
