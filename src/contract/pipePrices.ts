/** Sizes that the price list names, and what they cost: managed reference 6.4. A connection may have rates of its own. */

export const pipeSizes = [
  { name: 'XS', replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
  { name: 'S', replicaCpuMillicores: 250, replicaMemoryGb: 1 },
  { name: 'M', replicaCpuMillicores: 500, replicaMemoryGb: 2 },
  { name: 'L', replicaCpuMillicores: 1000, replicaMemoryGb: 4 },
  { name: 'XL', replicaCpuMillicores: 2000, replicaMemoryGb: 8 },
] as const

/** What a new streaming pipe starts with. */
export const defaultPipeSize = { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 } as const

export const pipeRates = {
  /** USD for a compute unit and hour, whether or not data flows. */
  computeUnitHour: 0.2,
  /** USD for a GB that a streaming pipe receives. */
  streamingGigabyte: 0.04,
  /** USD for a GB of the first copy of a database pipe, and of its changes. */
  initialLoadGigabyte: 0.1,
  changeGigabyte: 0.2,
} as const

/** A compute unit is this much of one replica. */
const unit = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }

/** Hours of a month, as bills count them. */
const monthHours = 730

export interface PipeSize {
  replicas: number
  replicaCpuMillicores: number
  replicaMemoryGb: number
}

/** What all replicas add up to, and cost. Pairs off the list's ratio are counted by the larger part. */
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
