/** Suggests a size that fits the utilization: the next larger one, or the smallest one with headroom. */
import { cdcScalingBounds, pipeScalingBounds } from '#contract/cloud/bounds.ts'
import { pipeSizes, type PipeSize } from '#domain/sizing/pipePrices.ts'
import type { Utilization } from '#console/charting/sampling/utilization.ts'
import type { SizeAssessment } from '#console/charting/sampling/sizeAssessment.ts'
import { cdcScalingParameters, type Values } from '../model/scalingParameters.ts'

interface Size {
  replicaCpuMillicores: number
  replicaMemoryGb: number
}

/** The highest share of a smaller size that current usage may take. */
const comfortable = 0.6

const maxReplicas = Math.max(...pipeScalingBounds.flatMap(({ field, max }) => (field === 'replicas' ? [max] : [])))

/**
 * Null if no parameter would help or the current values are unknown.
 * @param keepsUp whether a size is enough by the projection; undefined while there is none
 */
export type Suggest = (
  recommendation: SizeAssessment['recommendation'],
  utilization: Utilization | null,
  current: Values,
  keepsUp?: (size: PipeSize) => boolean,
) => Values | null

/** Suggests values for a streaming pipe. */
export const suggestedScaling: Suggest = (recommendation, utilization, current, keepsUp = () => true) => {
  const size = sizeOf(current)
  if (!size || !recommendation) return null
  const { replicas } = current
  const enough = pipeSizes.filter((pipeSize) => !replicas || keepsUp({ ...pair(pipeSize), replicas }))
  const other = recommendation === 'scaleUp' ? nextLargerSize(enough, size) : smaller(enough, size, utilization)
  if (other) return { ...other }
  return recommendation === 'scaleUp' && replicas ? moreReplicas({ ...size, replicas }, keepsUp) : null
}

/** The fewest replicas that are enough: of this size if none is larger, otherwise of the largest one. */
function moreReplicas(now: PipeSize, keepsUp: (size: PipeSize) => boolean): Values | null {
  const most = nextLargerSize(pipeSizes.slice(-1), now)
  for (let replicas = now.replicas + 1; replicas <= maxReplicas; replicas++) {
    if (keepsUp({ ...now, ...most, replicas })) return { ...most, replicas }
  }
  return null
}

const [cpuBound] = cdcScalingBounds

/** The stops of the shared size's slider. */
const sharedSizes: readonly Size[] = cdcScalingParameters.flatMap(({ field, marks }) =>
  field === cpuBound.field
    ? marks.map(({ value }) => ({ replicaCpuMillicores: value, replicaMemoryGb: value / 250 }))
    : [],
)

/** Suggests values for the shared size of database pipes. */
export const suggestedSharedSize: Suggest = (recommendation, utilization, current) => {
  const size = sizeOf(current)
  if (!size || !recommendation) return null
  const other =
    recommendation === 'scaleUp' ? nextLargerSize(sharedSizes, size) : smaller(sharedSizes, size, utilization)
  return other && { ...other }
}

function sizeOf({ replicaCpuMillicores, replicaMemoryGb }: Values): Size | null {
  return replicaCpuMillicores && replicaMemoryGb ? { replicaCpuMillicores, replicaMemoryGb } : null
}

/** The next size with more CPU or memory and not less of the other. */
function nextLargerSize(
  sizes: readonly Size[],
  { replicaCpuMillicores: cpu, replicaMemoryGb: memory }: Size,
): Size | null {
  const found = sizes.find(
    (size) =>
      size.replicaCpuMillicores >= cpu &&
      size.replicaMemoryGb >= memory &&
      size.replicaCpuMillicores + size.replicaMemoryGb > cpu + memory,
  )
  return found ? pair(found) : null
}

/** The smallest size that fits recent usage with headroom. */
function smaller(sizes: readonly Size[], now: Size, utilization: Utilization | null): Size | null {
  const fits = (share: number | undefined, had: number, has: number) =>
    share !== undefined && has < had && (share * had) / has <= comfortable
  const found = sizes.find(
    (size) =>
      fits(utilization?.cpu?.p95, now.replicaCpuMillicores, size.replicaCpuMillicores) &&
      fits(utilization?.memory?.p95, now.replicaMemoryGb, size.replicaMemoryGb),
  )
  return found ? pair(found) : null
}

const pair = ({ replicaCpuMillicores, replicaMemoryGb }: Size): Size => ({ replicaCpuMillicores, replicaMemoryGb })
