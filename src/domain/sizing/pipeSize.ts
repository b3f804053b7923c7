/**
 * The size of a streaming pipe, or of the database pipes of a service, by its measured load. CPU is the work of all replicas
 * together, which other sizes share; memory is what one replica needed, whatever its size. Replicas never become fewer: each
 * reads partitions of its own.
 */
import { pipeTotals, type PipeSize } from '#domain/sizing/pipePrices.ts'
import type { MeasuredLoad } from '#contract/console/sampling/sizeLoads.ts'
import { expectedUse, highestShare, isMeasured, minHours, needsHours, shortShare, type Advice } from './advice.ts'

type ReplicaSize = Omit<PipeSize, 'replicas'>

export interface PipeSizing {
  /** The size in effect. */
  now: PipeSize
  /** At that size; null if nothing is measured. */
  load: MeasuredLoad | null
  /** Millicores of all replicas that the source needs by its present rate, where it sends more than is written. */
  demand?: number
  /** The sizes of a replica that there are, the smallest first. */
  sizes: readonly ReplicaSize[]
  maxReplicas: number
}

/** The size that leaves headroom at the peak that was measured. */
export function advisePipeSize(sizing: PipeSizing): Advice<PipeSize> {
  const { now, load } = sizing
  if (!isMeasured(load, minHours.larger)) return needsHours(minHours.larger)
  const { cpu, memory } = load
  if (!cpu) return { kind: 'unknown', missing: 'cpu', needed: null }
  if (!memory) return { kind: 'unknown', missing: 'memory', needed: null }
  const need = { cpu: Math.max(cpu.peak * now.replicas, sizing.demand ?? 0), memory: memory.peak }
  const short = {
    cpu: cpu.p95 >= shortShare * now.replicaCpuMillicores || (sizing.demand ?? 0) > millicores(now),
    memory: memory.peak >= shortShare * bytes(now),
  }
  const expectedAt = (size: PipeSize) => {
    const share = now.replicas / size.replicas
    const ofCpu = expectedUse(cpu, size.replicaCpuMillicores, share)
    return {
      cpu: { ...ofCpu, high: Math.max(ofCpu.high, need.cpu / size.replicas) },
      memory: expectedUse(memory, bytes(size)),
    }
  }
  if (short.cpu || short.memory) {
    const size = largerSize(sizing, need, short)
    if (!size) return { kind: 'keep', expected: expectedAt(now), isShort: true }
    return { kind: 'larger', size, expected: expectedAt(size), isEnough: fits(size, need) }
  }
  if (!isMeasured(load, minHours.smaller)) return needsHours(minHours.smaller)
  const smaller = sizing.sizes
    .map((size): PipeSize => ({ ...size, replicas: now.replicas }))
    .find((pipeSize) => isNotLarger(pipeSize, now) && unitsOf(pipeSize) < unitsOf(now) && fits(pipeSize, need))
  if (!smaller) return { kind: 'keep', expected: expectedAt(now), isShort: false }
  return { kind: 'smaller', size: smaller, expected: expectedAt(smaller), isEnough: true }
}

/** Millicores of all replicas, and bytes of one. */
interface Need {
  cpu: number
  memory: number
}

/** The smallest one that is enough; otherwise the largest that there is; null if that is the present one. */
function largerSize(
  { now, sizes, maxReplicas }: PipeSizing,
  need: Need,
  short: { cpu: boolean; memory: boolean },
): PipeSize | null {
  const larger = sizes
    .map((size): PipeSize => ({ ...size, replicas: now.replicas }))
    .filter((pipeSize) => isNotLarger(now, pipeSize))
    .filter((pipeSize) => !short.cpu || pipeSize.replicaCpuMillicores > now.replicaCpuMillicores)
    .filter((pipeSize) => !short.memory || pipeSize.replicaMemoryGb > now.replicaMemoryGb)
  const found = larger.find((pipeSize) => fits(pipeSize, need))
  if (found) return found
  const largest = larger.at(-1) ?? now
  // More replicas share the CPU. They do not need less memory each.
  for (let replicas = now.replicas + 1; short.cpu && replicas <= maxReplicas; replicas++) {
    const more = { ...largest, replicas }
    if (isCpuEnough(more, need) || replicas === maxReplicas) return more
  }
  return largest === now ? null : largest
}

const bytes = ({ replicaMemoryGb }: ReplicaSize): number => replicaMemoryGb * 2 ** 30
const millicores = ({ replicas, replicaCpuMillicores }: PipeSize): number => replicas * replicaCpuMillicores
const unitsOf = (size: PipeSize): number => pipeTotals(size).computeUnits

const isCpuEnough = (size: PipeSize, need: Need): boolean => need.cpu <= highestShare * millicores(size)
const fits = (size: PipeSize, need: Need): boolean =>
  isCpuEnough(size, need) && need.memory <= highestShare * bytes(size)
const isNotLarger = (size: ReplicaSize, other: ReplicaSize): boolean =>
  size.replicaCpuMillicores <= other.replicaCpuMillicores && size.replicaMemoryGb <= other.replicaMemoryGb
