/**
 * A service as it is kept: what answers carry, and what is under way. What time alone decides is worked out from stored
 * times on every read, so that a restart in between changes nothing (managed reference 4.3, spec 4.3).
 */
import {
  commandStates,
  type ReplicaScalingInput,
  type Service,
  type ServiceCommand,
  type ServiceUpdate,
} from '#contract/services.ts'

export interface ServiceDocument extends Service {
  /** Kept, never answered. */
  internal?: {
    /** The state that follows, and from when on it holds. */
    change?: { to: string; at: string }
    /** Values that were asked for and hold from then on; null for a field that is not there any longer. */
    scaling?: { values: ScaledFields; at: string }
  }
}

/** What a scaling request sets, and which fields it takes away. */
export type ScaledFields = Record<string, string | number | boolean | null | undefined>

/** The document with everything applied that is due. */
export function settledService(document: ServiceDocument, now: number): ServiceDocument {
  const { internal = {}, ...service } = document
  const { change, scaling } = internal
  const changed = change !== undefined && isDue(change, now)
  const scaled = scaling !== undefined && isDue(scaling, now)
  const settled = {
    ...service,
    ...(changed && { state: change.to }),
    internal: { ...(change && !changed && { change }), ...(scaling && !scaled && { scaling }) },
  }
  return scaled ? withScaling(settled, scaling.values) : settled
}

function withScaling(service: ServiceDocument, values: ScaledFields): ServiceDocument {
  const removed = new Set(Object.keys(values).filter((field) => values[field] === null))
  const kept = Object.entries({ ...service, ...values }).filter(([field]) => !removed.has(field))
  return Object.fromEntries(kept) as ServiceDocument // a service, its scaling fields replaced
}

function isDue({ at }: { at: string }, now: number): boolean {
  return now >= Date.parse(at)
}

/** What an answer holds. */
export function serviceAnswer(document: ServiceDocument, now: number): Service {
  const { internal: _internal, ...service } = settledService(document, now)
  return { ...service, autoscalingMode: service.autoscalingMode ?? 'vertical', currentScaling: currentScaling(service) }
}

function currentScaling(service: Service) {
  const { numReplicas, minReplicas = numReplicas, maxReplicas = numReplicas } = service
  return {
    effectiveAutoscalingMode: service.autoscalingMode ?? 'vertical',
    effectiveMinReplicaMemoryGb: service.minReplicaMemoryGb,
    effectiveMaxReplicaMemoryGb: service.maxReplicaMemoryGb,
    effectiveMinReplicas: minReplicas,
    effectiveMaxReplicas: maxReplicas,
    effectiveIdleScaling: service.idleScaling,
    effectiveIdleTimeoutMinutes: service.idleTimeoutMinutes,
  }
}

const commandPaths: Record<ServiceCommand, { via: string; to: string }> = {
  start: { via: 'starting', to: 'running' },
  stop: { via: 'stopping', to: 'stopped' },
  awake: { via: 'awaking', to: 'running' },
}

/** The service after a command: under way where the command applies to its state, unchanged where it does not. */
export function commandedService(service: ServiceDocument, command: ServiceCommand, at: string): ServiceDocument {
  if (!commandStates[command].includes(service.state ?? '')) return service
  const { via, to } = commandPaths[command]
  return { ...service, state: via, internal: { ...service.internal, change: { to, at } } }
}

/** The service with the fields of a change applied; of the lists, `remove` is done before `add` (spec 4.3). */
export function updatedService(service: ServiceDocument, update: ServiceUpdate): ServiceDocument {
  const { name, ipAccessList, privateEndpointIds, releaseChannel, endpoints, transparentDataEncryptionKeyId } = update
  return {
    ...service,
    ...(name !== undefined && { name }),
    ...(releaseChannel !== undefined && { releaseChannel }),
    ...(transparentDataEncryptionKeyId !== undefined && { transparentDataEncryptionKeyId }),
    ...(ipAccessList && { ipAccessList: changedAccess(service.ipAccessList ?? [], ipAccessList) }),
    ...(privateEndpointIds && {
      privateEndpointIds: changedIds(service.privateEndpointIds ?? [], privateEndpointIds),
    }),
    ...(endpoints && { endpoints: toggledEndpoints(service, endpoints) }),
  }
}

type AccessList = NonNullable<Service['ipAccessList']>

/** Entries are known by their source. Stored order is kept: new ones come last, known ones keep their place. */
function changedAccess(list: AccessList, change: NonNullable<ServiceUpdate['ipAccessList']>): AccessList {
  const removed = new Set(change.remove?.map((entry) => entry.source))
  const entries = new Map(list.filter((entry) => !removed.has(entry.source)).map((entry) => [entry.source, entry]))
  for (const { source, description = '' } of change.add ?? []) entries.set(source, { source, description })
  return [...entries.values()]
}

function changedIds(list: string[], { add = [], remove = [] }: { add?: string[]; remove?: string[] }): string[] {
  return [...new Set([...list.filter((id) => !remove.includes(id)), ...add])]
}

function toggledEndpoints(service: Service, toggles: NonNullable<ServiceUpdate['endpoints']>) {
  const endpoints = service.endpoints ?? []
  const toggle = toggles.at(-1) // `mysql` is the only protocol there is to switch
  if (!toggle) return endpoints
  const others = endpoints.filter((endpoint) => endpoint.protocol !== toggle.protocol)
  if (!toggle.enabled) return others
  const known = endpoints.find((endpoint) => endpoint.protocol === toggle.protocol)
  const host = endpoints[0]?.host ?? '127.0.0.1'
  return [
    ...others,
    known ?? { protocol: toggle.protocol, host, port: 3306, username: `mysql4${service.id.slice(0, 8)}` },
  ]
}

/** A problem of a scaling request that only the stored service shows. */
export class ScalingProblem extends Error {
  override readonly name = 'ScalingProblem'

  constructor(
    readonly field: keyof ReplicaScalingInput,
    message: string,
  ) {
    super(message)
  }
}

/**
 * What a scaling request makes of the service once it has taken effect: managed reference 4.4.
 * @throws ScalingProblem where it does not fit the service
 */
export function scaledService(service: Service, input: ReplicaScalingInput): ScaledFields {
  const stored = service.autoscalingMode ?? 'vertical'
  const { minReplicas, maxReplicas, numReplicas, idleScaling, idleTimeoutMinutes } = input
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
    ...totals(memory, mode === 'vertical' ? (fixed ?? service.numReplicas) : undefined),
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

/** The older fields that count all replicas together; services with a band of replicas have none. */
function totals({ minReplicaMemoryGb: min, maxReplicaMemoryGb: max }: Memory, replicas: number | null | undefined) {
  if (min == null || max == null || replicas == null) {
    return { minTotalMemoryGb: null, maxTotalMemoryGb: null }
  }
  return { minTotalMemoryGb: min * replicas, maxTotalMemoryGb: max * replicas }
}
