import type { Service } from '#contract/services.ts'

/**
 * The service with both bounds of a replica's memory: deployments tell the one size of a horizontal service as
 * `replicaMemoryGb`, some of them that alone (managed reference 4.1), and are sent it as two equal bounds (4.4).
 */
export function withMemoryBounds(service: Service): Service {
  const { replicaMemoryGb: size, minReplicaMemoryGb: min, maxReplicaMemoryGb: max } = service
  if (size == null) return service
  return { ...service, minReplicaMemoryGb: min ?? size, maxReplicaMemoryGb: max ?? size }
}
