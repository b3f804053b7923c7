/**
 * The fields of the sizes of services and pipes, as forms, reviews and plans call them and write their values. Plans use them for the
 * shared size of database pipes as well, whose page says CPU and Memory.
 */

/** Their titles on the page, by their names in the API. */
export const sizeTitles = {
  autoscalingMode: 'Scaling mode',
  numReplicas: 'Replicas',
  minReplicas: 'Minimum replicas',
  maxReplicas: 'Maximum replicas',
  minReplicaMemoryGb: 'Minimum memory per replica',
  maxReplicaMemoryGb: 'Maximum memory per replica',
  idleScaling: 'Automatic idling',
  idleTimeoutMinutes: 'Idle timeout',
  replicas: 'Replicas',
  replicaCpuMillicores: 'CPU per replica',
  replicaMemoryGb: 'Memory per replica',
  concurrency: 'Concurrency',
} as const

export const isSizeField = (field: unknown): field is keyof typeof sizeTitles =>
  typeof field === 'string' && Object.hasOwn(sizeTitles, field)

/**
 * A value with its unit: "0.125 vCPU" of 125 millicores, "8 GiB", "15 min", "yes". A concurrency of 0 is automatic.
 * @returns empty for a value that is not known
 */
export function formatSizeValue(field: string, value: unknown): string {
  if (value == null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Number.isNaN(value)) return 'not a number'
  if (field === 'concurrency' && value === 0) return '0 (automatic)'
  if (field === 'replicaCpuMillicores') return `${Number(value) / 1000} vCPU`
  const unit = field.endsWith('MemoryGb') ? ' GiB' : field === 'idleTimeoutMinutes' ? ' min' : ''
  return String(value) + unit
}
