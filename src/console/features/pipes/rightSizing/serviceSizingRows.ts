/** The rows of services: the memory of their replicas. */
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { paths } from '#console/paths/paths.ts'
import { formatSizeValue, sizeTitles } from '#console/records/scaling/sizeFields.ts'
import { monthHours } from '#domain/sizing/pipePrices.ts'
import { effectiveService, replicaScalingInput, services, type Service } from '#contract/cloud/services/services.ts'
import type { MeasuredLoad } from '#contract/console/sampling/sizeLoads.ts'
import { needsHours, type Advice } from '#domain/sizing/advice.ts'
import { adviseServiceSize, ownAccountSizes, serviceSizes, type ReplicaMemory } from '#domain/sizing/serviceSize.ts'
import { certaintyFor, type MonthlyCost, type NextSize, type SizingRow } from './sizingRow.ts'

/** The memory that the price of services is for, GiB. */
const unitMemory = 8
type MemoryField = 'minReplicaMemoryGb' | 'maxReplicaMemoryGb'

interface ServiceFacts {
  connectionId: string
  /** USD for 8 GiB of memory in an hour; null if nobody entered it. */
  rate: number | null
  load: MeasuredLoad | null
}

export function serviceRow(service: Service, { connectionId, rate, load }: ServiceFacts): SizingRow {
  const inEffect = effectiveService(service)
  const now = memoryOf(inEffect)
  const requested = memoryOf(service)
  const reason = !now
    ? 'Its memory is not reported.'
    : requested && (requested.min !== now.min || requested.max !== now.max)
      ? 'Another size was asked for and is not in effect yet.'
      : null
  const sizes = service.byocId ? ownAccountSizes : serviceSizes
  const advice = now && reason === null ? adviseServiceSize({ now, load, sizes }) : needsHours(0)
  const limits = { cpu: null, memory: now && now.max * 2 ** 30 }
  return {
    id: `service ${service.id}`,
    name: service.name || service.id,
    kind: 'Service',
    service: null,
    path: paths.scaleService(connectionId, service.id),
    resource: 'service',
    loadId: service.id,
    sizeNow: now ? sizeText(inEffect, now) : 'not reported',
    load,
    limits,
    advice,
    reason,
    certainty: certaintyFor(load, limits),
    next: now && nextOf(advice, inEffect, now, rate),
    send: ({ values }) => sendMemory(connectionId, service, values),
  }
}

/** The memory of a replica. Services that are scaled horizontally have one size, which some deployments report apart. */
function memoryOf(service: Service): ReplicaMemory | null {
  const { replicaMemoryGb: size, minReplicaMemoryGb: min = size, maxReplicaMemoryGb: max = size } = service
  if (min == null || max == null) return null
  return service.autoscalingMode === 'horizontal' ? { min, max: min } : { min, max }
}

function nextOf(
  advice: Advice<ReplicaMemory>,
  service: Service,
  now: ReplicaMemory,
  rate: number | null,
): NextSize | null {
  if (!('size' in advice)) return null
  const { kind, size, expected, isEnough } = advice
  const fields: [MemoryField, before: number, after: number][] = [
    ['minReplicaMemoryGb', now.min, size.min],
    ['maxReplicaMemoryGb', now.max, size.max],
  ]
  const changed = fields.filter(([, before, after]) => before !== after)
  const [costNow, costThen] = [costOf(service, now, rate), costOf(service, size, rate)]
  return {
    kind,
    text: sizeText(service, size),
    values: Object.fromEntries(changed.map(([field, , after]) => [field, after])),
    changes: changed.map(([field, before, after]) => ({
      title: sizeTitles[field],
      before: formatSizeValue(field, before),
      after: formatSizeValue(field, after),
    })),
    expected,
    isEnough,
    difference: costNow && costThen && { least: costThen.least - costNow.least, most: costThen.most - costNow.most },
    lag: null,
  }
}

/** How many replicas there are: from and to where the deployment changes their number. */
function replicasOf(service: Service): [few: number | null, many: number | null] {
  const { numReplicas = null, minReplicas = null, maxReplicas = null } = service
  return service.autoscalingMode === 'horizontal' ? [minReplicas, maxReplicas] : [numReplicas, numReplicas]
}

function costOf(service: Service, { min, max }: ReplicaMemory, rate: number | null): MonthlyCost | null {
  const [few, many] = replicasOf(service)
  if (rate === null || few === null || many === null) return null
  const perGib = (rate / unitMemory) * monthHours
  return { least: few * min * perGib, most: many * max * perGib }
}

/** "3 × 16 to 64 GiB" */
function sizeText(service: Service, { min, max }: ReplicaMemory): string {
  const memory = `${min === max ? max : `${min} to ${max}`} GiB`
  const [few, many] = replicasOf(service)
  if (few === null || many === null) return memory
  return `${few === many ? few : `${few} to ${many}`} × ${memory}`
}

/** Changes the size of a service, unless somebody else has changed its memory meanwhile. @throws ApiFailure */
function sendMemory(connectionId: string, base: Service, values: Record<string, number>): Promise<Service> {
  return guardedWrite({
    base,
    record: services.get.result,
    unchanged: (now) => {
      const [before, after] = [memoryOf(base), memoryOf(now)]
      return before?.min === after?.min && before?.max === after?.max
    },
    write: (current) =>
      call(
        connectionId,
        services.replicaScaling,
        { params: { serviceId: base.id }, body: replicaScalingInput.parse(values) },
        { base: current, titles: sizeTitles },
      ),
  })
}
