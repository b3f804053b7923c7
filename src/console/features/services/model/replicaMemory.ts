import type { Service } from '#contract/services.ts'

/**
 * The service with both memory bounds. Deployments report the one size of a horizontally scaled service as
 * `replicaMemoryGb`, some only as that (managed reference 4.1), and accept it as two equal bounds (4.4).
 */
export function withMemoryBounds(service: Service): Service {
  const { replicaMemoryGb: size, minReplicaMemoryGb: min, maxReplicaMemoryGb: max } = service
  if (size == null) return service
  return { ...service, minReplicaMemoryGb: min ?? size, maxReplicaMemoryGb: max ?? size }
}
