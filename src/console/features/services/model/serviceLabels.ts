/** Labels and states of services. */
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import { commandStates, serviceStates, type Service, type ServiceCommand } from '#contract/cloud/services/services.ts'
import { capitalized } from '#domain/text/words.ts'
import { withMemoryBounds } from './replicaMemory.ts'

const tones: Record<string, ChipTone> = {
  running: 'ok',
  idle: 'ok',
  starting: 'accent',
  stopping: 'accent',
  awaking: 'accent',
  provisioning: 'accent',
  partially_running: 'warn',
  degraded: 'warn',
  failed: 'bad',
}

/** Unknown states are neutral. */
export const stateTone = (state: string | null | undefined): ChipTone => tones[state ?? ''] ?? 'neutral'

/** `partially_running` -> "Partially running". */
export function stateLabel(state: string | null | undefined): string {
  if (!state) return 'Unknown'
  const spaced = state.replaceAll('_', ' ')
  return capitalized(spaced)
}

const providerLabels: Record<string, string> = { aws: 'AWS', gcp: 'Google Cloud', azure: 'Azure' }

/** Unknown providers keep their names. */
export const providerLabel = (provider: string): string => providerLabels[provider] ?? provider

export const stateOptions = serviceStates.map((state) => ({ value: state, label: stateLabel(state) }))

/** States that end without a command, so the service is polled more often. */
export const isTransitional = ({ state }: Service): boolean =>
  ['starting', 'stopping', 'awaking', 'provisioning', 'terminating', 'softdeleting'].includes(state ?? '')

export const serviceName = (service: Pick<Service, 'id' | 'name'>): string => service.name || service.id

/** "3 × 8 to 24 GiB", "2 to 6 × 16 GiB". */
export function formatServiceSize(service: Service): string {
  const { minReplicaMemoryGb: min, maxReplicaMemoryGb: max } = withMemoryBounds(service)
  const { numReplicas, minReplicas, maxReplicas } = service
  const replicas =
    service.autoscalingMode === 'horizontal' ? range(minReplicas, maxReplicas) : String(numReplicas ?? '')
  const memory = range(min, max)
  return [replicas, memory && `${memory} GiB`].filter(Boolean).join(' × ')
}

/** "24 to 48 GiB", the memory of all replicas together; null where it is not known. */
export function formatTotalMemory(service: Service): string | null {
  const { minReplicaMemoryGb, maxReplicaMemoryGb } = withMemoryBounds(service)
  const { autoscalingMode, numReplicas, minReplicas, maxReplicas } = service
  const [least, most] = autoscalingMode === 'horizontal' ? [minReplicas, maxReplicas] : [numReplicas, numReplicas]
  if (least == null || most == null || minReplicaMemoryGb == null || maxReplicaMemoryGb == null) return null
  return `${range(least * minReplicaMemoryGb, most * maxReplicaMemoryGb)} GiB`
}

function range(from: number | null | undefined, to: number | null | undefined): string {
  if (from == null || to == null) return String(from ?? to ?? '')
  return from === to ? String(from) : `${from} to ${to}`
}

/** "after 15 min without queries", "never". */
export function formatIdle(service: Service): string {
  const short = idleShort(service)
  return short.startsWith('after') ? `${short} without queries` : short
}

/** "after 15 min", "never". */
export function idleShort({ idleScaling, idleTimeoutMinutes }: Service): string {
  if (idleScaling == null) return ''
  if (!idleScaling) return 'never'
  return idleTimeoutMinutes == null ? 'when unused' : `after ${idleTimeoutMinutes} min`
}

export const commandLabels: Record<ServiceCommand, string> = { start: 'Start', stop: 'Stop', awake: 'Wake' }

/** Why a command is not available. Undefined if it is, and for unknown states. */
export function commandReason(service: Service, command: ServiceCommand): string | undefined {
  const state = service.state ?? ''
  const known = (serviceStates as readonly string[]).includes(state)
  if (!known || commandStates[command].includes(state)) return undefined
  const verb = { start: 'started', stop: 'stopped', awake: 'woken' }[command]
  return `A service that is ${stateLabel(state).toLowerCase()} cannot be ${verb}.`
}
