/**
 * The memory of a service's replicas by the memory that the fullest one used. The number of replicas is left alone: it is
 * chosen for availability and for queries at a time, which the memory says nothing about.
 */
import { replicaScalingBounds, type Bound } from '#contract/cloud/bounds.ts'
import type { MeasuredLoad } from '#contract/console/sampling/sizeLoads.ts'
import { expectedUse, highestShare, isMeasured, minHours, needsHours, shortShare, type Advice } from './advice.ts'

/** The memory of a replica, GiB. Equal if it is fixed; otherwise the deployment moves it between the two. */
export interface ReplicaMemory {
  min: number
  max: number
}

/** A smaller size must save at least this share of the memory: changing it restarts the replicas. */
const minSaving = 0.2

const memoryBound: Bound | undefined = replicaScalingBounds.find(({ field }) => field === 'maxReplicaMemoryGb')
const { min: least = 0, max: most = 0, step = 1 } = memoryBound ?? {}

/** All sizes, GiB. */
export const serviceSizes: readonly number[] = Array.from(
  { length: Math.floor((most - least) / step) + 1 },
  (_, at) => least + at * step,
)
/** The only sizes of services in an account of the customer, GiB. */
export const ownAccountSizes: readonly number[] = [48, 116, 172, 232]

interface ServiceSizing {
  now: ReplicaMemory
  load: MeasuredLoad | null
  /** GiB, the smallest first. */
  sizes: readonly number[]
}

/** The memory that leaves headroom at the peak that was measured. */
export function adviseServiceSize({ now, load, sizes }: ServiceSizing): Advice<ReplicaMemory> {
  if (!isMeasured(load, minHours.larger)) return needsHours(minHours.larger)
  const { memory } = load
  if (!memory) return { kind: 'unknown', missing: 'memory', needed: null }
  const peak = memory.peak / gib
  const needed = sizes.find((size) => peak <= highestShare * size)
  const expectedAt = ({ max }: ReplicaMemory) => ({ cpu: null, memory: expectedUse(memory, max * gib) })
  if (peak >= shortShare * now.max) {
    const largest = sizes.at(-1) ?? now.max
    const size = withMost(now, needed ?? largest)
    if (size.max <= now.max) return { kind: 'keep', expected: expectedAt(now), isShort: true }
    return { kind: 'larger', size, expected: expectedAt(size), isEnough: needed !== undefined }
  }
  if (!isMeasured(load, minHours.smaller)) return needsHours(minHours.smaller)
  if (needed === undefined || needed > now.max * (1 - minSaving))
    return { kind: 'keep', expected: expectedAt(now), isShort: false }
  const size = withMost(now, needed)
  return { kind: 'smaller', size, expected: expectedAt(size), isEnough: true }
}

const gib = 2 ** 30

/** With another maximum: a fixed size stays fixed, and a minimum never lies above. */
const withMost = ({ min, max }: ReplicaMemory, next: number): ReplicaMemory => ({
  min: min === max ? next : Math.min(min, next),
  max: next,
})
