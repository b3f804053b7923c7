import type { Service } from '#contract/cloud/services/services.ts'

/**
 * The service with both memory bounds. Deployments report the one size of a horizontally scaled service as
 * `replicaMemoryGb`, some only as that (docs/DEPLOYMENTS.md#services), and accept it as two equal bounds.
 */
export function withMemoryBounds(service: Service): Service {
  const { replicaMemoryGb: size, minReplicaMemoryGb: min, maxReplicaMemoryGb: max } = service
  if (size == null) return service
  return { ...service, minReplicaMemoryGb: min ?? size, maxReplicaMemoryGb: max ?? size }
}
