/**
 * A service as it is kept: what answers carry, and what is under way. What time alone decides is worked out from stored
 * times on every read, so that a restart in between changes nothing (managed reference 4.3, spec 4.3).
 */
import { commandStates, type Service, type ServiceCommand, type ServiceUpdate } from '#contract/services.ts'
import type { ScaledFields } from './serviceScaling.ts'

export interface ServiceDocument extends Service {
  /** Kept, never answered. */
  internal?: {
    /** The state that follows, and from when on it holds. */
    change?: { to: string; at: string }
    /** Values that were asked for and are in effect from then on; null for a field that is not there any longer. */
    scaling?: { values: ScaledFields; at: string }
    backups?: {
      backupPeriodInHours: number
      backupRetentionPeriodInHours: number
      backupStartTime: string | null
    }
  }
}

/** The document with everything applied that is due. */
export function settledService(document: ServiceDocument, now: number): ServiceDocument {
  const { internal = {}, ...service } = document
  const { change, scaling, ...kept } = internal
  const changed = change !== undefined && isDue(change, now)
  const scaled = scaling !== undefined && isDue(scaling, now)
  const settled = {
    ...service,
    ...(changed && { state: change.to }),
    internal: { ...kept, ...(change && !changed && { change }), ...(scaling && !scaled && { scaling }) },
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

/** The service as it was asked to be, whether that is in effect or not. */
export function wantedService(document: ServiceDocument): ServiceDocument {
  const { scaling } = document.internal ?? {}
  return scaling ? withScaling(document, scaling.values) : document
}

/** What an answer holds: clients read once after a change, and take anything but what they asked for as a failure. */
export function serviceAnswer(document: ServiceDocument, now: number): Service {
  const settled = settledService(document, now)
  const {
    internal: _internal,
    byocId,
    minTotalMemoryGb: _min,
    maxTotalMemoryGb: _max,
    ...service
  } = wantedService(settled)
  return {
    ...service,
    // Clients take an empty text for a value.
    ...(byocId && { byocId }),
    ...totalMemory(service),
    autoscalingMode: service.autoscalingMode ?? 'vertical',
    currentScaling: currentScaling(settled),
  }
}

/** The older fields count three replicas, whatever their number is; services that scale horizontally have none. */
function totalMemory({ autoscalingMode, minReplicaMemoryGb: min, maxReplicaMemoryGb: max }: Service) {
  if (autoscalingMode === 'horizontal' || min == null || max == null) return {}
  return { minTotalMemoryGb: 3 * min, maxTotalMemoryGb: 3 * max }
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
  const { tags, enableCoreDumps } = update
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
    ...(tags && { tags: changedTags(service.tags ?? [], tags) }),
    ...(enableCoreDumps !== undefined && { enableCoreDumps }),
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

type Tags = NonNullable<Service['tags']>

/** A tag is known by its key. */
export function changedTags(tags: Tags, { add = [], remove = [] }: NonNullable<ServiceUpdate['tags']>): Tags {
  const gone = new Set([...remove, ...add].map(({ key }) => key))
  const added = new Map(add.map(({ key, value = '' }) => [key, { key, value }]))
  return [...tags.filter(({ key }) => !gone.has(key)), ...added.values()]
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
