/** Applies a scaling request to a service: docs/DEPLOYMENTS.md#services. */
import type { ReplicaScalingInput, Service } from '#contract/cloud/services/services.ts'

/** The fields that a scaling request sets and removes. */
export type ScaledFields = Record<string, string | number | boolean | null | undefined>

/** A problem of a scaling request that depends on the stored service. */
export class ScalingProblem extends Error {
  override readonly name = 'ScalingProblem'

  readonly field: keyof ReplicaScalingInput

  constructor(field: keyof ReplicaScalingInput, message: string) {
    super(message)
    this.field = field
  }
}

/**
 * The changes of a scaling request once it has taken effect.
 * @throws ScalingProblem if it does not fit the service
 */
export function scaledService(service: Service, input: ReplicaScalingInput): ScaledFields {
  const stored = service.autoscalingMode ?? 'vertical'
  const { minReplicas, maxReplicas, numReplicas } = input
  // The values of a change that is not in effect yet are kept.
  const { idleScaling = service.idleScaling, idleTimeoutMinutes = service.idleTimeoutMinutes } = input
  const isBand = minReplicas !== undefined && minReplicas !== maxReplicas
  const mode = input.autoscalingMode ?? (isBand ? 'horizontal' : stored)
  const fixed = numReplicas ?? (mode === 'vertical' ? minReplicas : undefined)
  if (mode === 'vertical' && isBand) {
    throw new ScalingProblem('minReplicas', 'minReplicas and maxReplicas must be equal in vertical scaling')
  }
  if (mode === 'horizontal' && numReplicas !== undefined) {
    throw new ScalingProblem('numReplicas', 'horizontal scaling takes minReplicas and maxReplicas')
  }
  if (mode !== stored && (mode === 'vertical' ? fixed : minReplicas) === undefined) {
    const needed = mode === 'vertical' ? 'numReplicas' : 'minReplicas and maxReplicas'
    throw new ScalingProblem('autoscalingMode', `changing to ${mode} scaling needs ${needed}`)
  }
  const memory = {
    minReplicaMemoryGb: input.minReplicaMemoryGb ?? service.minReplicaMemoryGb,
    maxReplicaMemoryGb: input.maxReplicaMemoryGb ?? service.maxReplicaMemoryGb,
  }
  checkMemory(memory, input, mode)
  return {
    autoscalingMode: mode,
    ...memory,
    ...(mode === 'vertical'
      ? {
          numReplicas: fixed ?? service.numReplicas,
          minReplicas: null,
          maxReplicas: null,
          replicaMemoryGb: null,
        }
      : {
          numReplicas: null,
          minReplicas: minReplicas ?? service.minReplicas,
          maxReplicas: maxReplicas ?? service.maxReplicas,
          replicaMemoryGb: memory.minReplicaMemoryGb,
        }),
    ...(idleScaling !== undefined && { idleScaling }),
    ...(idleTimeoutMinutes !== undefined && { idleTimeoutMinutes }),
  }
}

type Memory = Pick<Service, 'minReplicaMemoryGb' | 'maxReplicaMemoryGb'>

function checkMemory(memory: Memory, input: ReplicaScalingInput, mode: string): void {
  const { minReplicaMemoryGb: min, maxReplicaMemoryGb: max } = memory
  if (min == null || max == null) return
  const field = input.minReplicaMemoryGb === undefined ? 'maxReplicaMemoryGb' : 'minReplicaMemoryGb'
  if (min > max) {
    throw new ScalingProblem(field, `minReplicaMemoryGb ${min} must not be greater than maxReplicaMemoryGb ${max}`)
  }
  if (mode === 'horizontal' && min !== max) {
    throw new ScalingProblem(field, 'minReplicaMemoryGb and maxReplicaMemoryGb must be equal in horizontal scaling')
  }
}
