/**
 * The cost of use: docs/DEPLOYMENTS.md#activities-and-cost. Nobody is billed for this stack: the records are what the sizes of
 * its services would cost in a cloud.
 */
import type { Handlers } from '#contract/wire/kernel.ts'
import type { UsageCostRecord, usageCost } from '#contract/cloud/organization/usageCost.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { serviceRows } from '../../documents/serviceRows.ts'
import type { ServiceDocument } from '../../documents/serviceDocument.ts'
import { tagFilterOf } from '../../documents/tagFilter.ts'
import type { StackContext } from '../context.ts'

const day = 24 * 60 * 60 * 1000

/** For 8 GiB of memory in an hour. */
const computePrice = 0.3
/** For the storage of a day. */
const storagePrice = 0.12

/** The part of a day that a service computes. */
const activeParts: Readonly<Record<string, number>> = { running: 1, idle: 0.25, stopped: 0 }

export const usageCostHandlers: Handlers<typeof usageCost, StackContext> = {
  async get({ query: { from_date: from, to_date: to, filter } }, { store }) {
    const services = (await serviceRows.all(store)).filter(tagFilterOf(filter))
    const now = currentTime()
    const first = Date.parse(from)
    const days = (Date.parse(to) - first) / day + 1
    const costs = Array.from({ length: days }, (_, at) => first + at * day)
      .filter((start) => start <= now)
      .flatMap((start) => services.flatMap((service) => costsOf(service, start, now)))
    const grandTotalCHC = rounded(costs.reduce((sum, { totalCHC }) => sum + totalCHC, 0))
    return { grandTotalCHC, costs, notBilled: true }
  },
}

/** The records of one service on one day. */
function costsOf(service: ServiceDocument, start: number, now: number): UsageCostRecord[] {
  const since = Math.max(start, Date.parse(service.createdAt ?? '') || 0)
  const part = (Math.min(now, start + day) - since) / day
  if (part <= 0) return []
  const date = new Date(start).toISOString().slice(0, 10)
  const shared = { date, locked: start + 2 * day <= now, dataWarehouseId: service.dataWarehouseId ?? service.id }
  const hours = 24 * part * (activeParts[service.state ?? ''] ?? 1)
  const computeCHC = rounded((hours * computePrice * (replicas(service) * memory(service))) / 8)
  const storageCHC = rounded(storagePrice * part)
  const ofService: UsageCostRecord = {
    ...shared,
    serviceId: service.id,
    entityType: 'service',
    entityId: service.id,
    entityName: service.name ?? null,
    totalCHC: computeCHC,
    metrics: { computeCHC },
  }
  if (service.isPrimary === false) return [ofService]
  const ofWarehouse: UsageCostRecord = {
    ...shared,
    serviceId: null,
    entityType: 'datawarehouse',
    entityId: shared.dataWarehouseId,
    entityName: service.name ?? null,
    totalCHC: storageCHC,
    metrics: { storageCHC },
  }
  return [ofWarehouse, ofService]
}

const replicas = ({ numReplicas, minReplicas }: ServiceDocument): number => numReplicas ?? minReplicas ?? 1
const memory = ({ minReplicaMemoryGb, replicaMemoryGb }: ServiceDocument): number =>
  minReplicaMemoryGb ?? replicaMemoryGb ?? 8

function rounded(amount: number): number {
  return Math.round(amount * 10_000) / 10_000
}
