/**
 * A stored service with its pending changes. The state at a time is derived from stored times on every read, so a restart
 * in between changes nothing (docs/DEPLOYMENTS.md#services).
 */
import {
  commandStates,
  type Service,
  type ServiceCommand,
  type ServiceUpdate,
} from '#contract/cloud/services/services.ts'
import type { ReverseEndpointInput } from '#contract/cloud/services/serviceEndpoints.ts'
import { isDue } from './pendingChange.ts'
import { hourOfWeek, scheduledHours, type ScheduleEntryInput } from '#contract/cloud/services/serviceSchedule.ts'
import type { ScaledFields } from './serviceScaling.ts'

type StoredEntry = ScheduleEntryInput & { id: string }
type QueryEndpoint = { id: string; roles: string[]; openApiKeys: string[]; allowedOrigins: string }

/** It is ready, or gone, from a time on. */
export type StoredReverseEndpoint = ReverseEndpointInput & {
  id: string
  endpointId: string
  readyAt: string
}

/** The service without its secrets, which are never returned. */
export interface StoredBucket {
  id: string
  shown: Record<string, string>
  secret: Record<string, string>
}

export interface ServiceDocument extends Service {
  /** Stored, never returned. */
  internal?: {
    /** The next state and when it begins. */
    change?: { to: string; at: string }
    /** Requested values and when they take effect; null removes a field. */
    scaling?: { values: ScaledFields; at: string }
    backups?: {
      backupPeriodInHours: number
      backupRetentionPeriodInHours: number
      backupStartTime: string | null
    }
    /** Where backups would be copied to. `secret` is encrypted in the store. */
    bucket?: StoredBucket
    /** The databases of a new service, until they are there: those of the backup, or none. */
    data?: { backupId?: string }
    schedule?: StoredEntry[]
    upgradeWindow?: { weekday: number; startHourUtc: number }
    settings?: Record<string, string | number>
    queryEndpoint?: QueryEndpoint
    reverseEndpoints?: StoredReverseEndpoint[]
  }
}

/** The document with all due changes applied. */
export function settledService(document: ServiceDocument, now: number): ServiceDocument {
  const { internal = {}, ...service } = document
  const { change, scaling, ...rest } = internal
  const changed = change !== undefined && isDue(change, now)
  const scaled = scaling !== undefined && isDue(scaling, now)
  const settled = {
    ...service,
    ...(changed && { state: change.to }),
    internal: { ...rest, ...(change && !changed && { change }), ...(scaling && !scaled && { scaling }) },
  }
  return scaled ? withScaling(settled, scaling.values) : settled
}

function withScaling(service: ServiceDocument, values: ScaledFields): ServiceDocument {
  const removed = new Set(Object.keys(values).filter((field) => values[field] === null))
  const fields = Object.entries({ ...service, ...values }).filter(([field]) => !removed.has(field))
  return Object.fromEntries(fields) as ServiceDocument // a service with other scaling fields
}

/** Whether a deleted service is no longer there. Its data is removed in the background. */
export function isGone({ state }: Service): boolean {
  return state === 'terminated'
}

/** The service with its requested values, whether in effect or not. */
export function wantedService(document: ServiceDocument): ServiceDocument {
  const { scaling } = document.internal ?? {}
  return scaling ? withScaling(document, scaling.values) : document
}

/** The service in responses. Clients read once after a change, and take other values than requested as a failure. */
export function serviceAnswer(document: ServiceDocument, now: number): Service {
  const settled = settledService(document, now)
  const {
    internal: _internal,
    byocId,
    minTotalMemoryGb: _min,
    maxTotalMemoryGb: _max,
    ...service
  } = wantedService(settled)
  const entries = document.internal?.schedule ?? []
  const active = activeEntry(entries, now)
  return {
    ...service,
    // Clients treat an empty text as a value.
    ...(byocId && { byocId }),
    ...totalMemory(service),
    autoscalingMode: service.autoscalingMode ?? 'vertical',
    currentScaling: { ...currentScaling(settled), ...(active && inForce(active)) },
    ...(entries.length > 0 && { scalingSchedule: scheduleAnswer(document, now) }),
  }
}

/** The older fields always assume three replicas. Services with horizontal scaling do not have them. */
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

function activeEntry(entries: readonly StoredEntry[], now: number): StoredEntry | undefined {
  const hour = hourOfWeek(new Date(now))
  return entries.find((entry) => scheduledHours(entry).includes(hour))
}

/** The changes of an entry in force. */
function inForce(entry: StoredEntry) {
  const { autoscalingMode, numReplicas, minReplicas = numReplicas, maxReplicas = numReplicas } = entry
  const { minReplicaMemoryGb, maxReplicaMemoryGb, idleScaling, idleTimeoutMinutes } = entry
  const values = {
    effectiveAutoscalingMode: autoscalingMode,
    effectiveMinReplicaMemoryGb: minReplicaMemoryGb,
    effectiveMaxReplicaMemoryGb: maxReplicaMemoryGb,
    effectiveMinReplicas: minReplicas,
    effectiveMaxReplicas: maxReplicas,
    effectiveIdleScaling: idleScaling,
    effectiveIdleTimeoutMinutes: idleTimeoutMinutes,
  }
  const defined = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  return { ...defined, activeEntryId: entry.id }
}

/** The schedule of a service, with the entry that is in force now. */
export function scheduleAnswer(document: ServiceDocument, now: number) {
  const entries = document.internal?.schedule ?? []
  const active = activeEntry(entries, now)
  const { autoscalingMode, minReplicaMemoryGb, maxReplicaMemoryGb, numReplicas, minReplicas, maxReplicas } = document
  const { idleScaling, idleTimeoutMinutes } = document
  return {
    entries: entries.map((entry) => ({ ...entry, isActiveNow: entry === active })),
    baseConfig: {
      autoscalingMode,
      minReplicaMemoryGb,
      maxReplicaMemoryGb,
      numReplicas,
      minReplicas,
      maxReplicas,
      idleScaling,
      idleTimeoutMinutes,
    },
    ...(active && { activeEntryId: active.id }),
  }
}

const commandPaths: Record<ServiceCommand, { via: string; to: string }> = {
  start: { via: 'starting', to: 'running' },
  stop: { via: 'stopping', to: 'stopped' },
  awake: { via: 'awaking', to: 'running' },
}

/** The service after a command: changing, or unchanged if the command does not apply to its state. */
export function commandedService(service: ServiceDocument, command: ServiceCommand, at: string): ServiceDocument {
  if (!commandStates[command].includes(service.state ?? '')) return service
  const { via, to } = commandPaths[command]
  return { ...service, state: via, internal: { ...service.internal, change: { to, at } } }
}

/** The service with a change applied. In lists, `remove` comes before `add`. */
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

/** Entries are identified by their source. Existing entries keep their position, new ones come last. */
function changedAccess(list: AccessList, change: NonNullable<ServiceUpdate['ipAccessList']>): AccessList {
  const removed = new Set(change.remove?.map((entry) => entry.source))
  const entries = new Map(list.filter((entry) => !removed.has(entry.source)).map((entry) => [entry.source, entry]))
  for (const { source, description = '' } of change.add ?? []) entries.set(source, { source, description })
  return [...entries.values()]
}

type Tags = NonNullable<Service['tags']>

/** Tags are identified by their key. */
export function changedTags(tags: Tags, { add = [], remove = [] }: NonNullable<ServiceUpdate['tags']>): Tags {
  const removed = new Set([...remove, ...add].map(({ key }) => key))
  const added = new Map(add.map(({ key, value = '' }) => [key, { key, value }]))
  return [...tags.filter(({ key }) => !removed.has(key)), ...added.values()]
}

function changedIds(list: string[], { add = [], remove = [] }: { add?: string[]; remove?: string[] }): string[] {
  return [...new Set([...list.filter((id) => !remove.includes(id)), ...add])]
}

function toggledEndpoints(service: Service, toggles: NonNullable<ServiceUpdate['endpoints']>) {
  const endpoints = service.endpoints ?? []
  const toggle = toggles.at(-1) // `mysql` is the only protocol that can be switched
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
