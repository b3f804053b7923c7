/** The cost of a service on each day, from the usage cost of its organization. */
import type { Series } from '#console/ui/series/series.ts'
import type { UsageCostRecord } from '#contract/cloud/organization/usageCost.ts'
import type { Span } from '#domain/time/span.ts'
import { formatIsoDay } from '#console/ui/time/formatTime.ts'

const day = 24 * 60 * 60 * 1000

/** Days that one request may have. */
export const costDays = 31

/** The days until now, UTC: the parameters of a request. */
export function costRange(now: number): { from_date: string; to_date: string } {
  return { from_date: formatIsoDay(now - (costDays - 1) * day, 'utc'), to_date: formatIsoDay(now, 'utc') }
}

export interface DailyCost {
  /** One for compute, one for each other kind of the service's own cost. */
  series: Series[]
  /** The cost of the service alone, without what its warehouse shares. */
  total: number
  /** The cost of the service's warehouse: storage and backups of all of its services. */
  warehouse: number
  /** The first and the end of the last day, epoch milliseconds. */
  span: Span
}

const labels: Record<string, string> = {
  computeCHC: 'Compute',
  storageCHC: 'Storage',
  backupCHC: 'Backups',
  publicDataTransferCHC: 'Data transfer',
}

const labelOf = (metric: string) => labels[metric] ?? metric.replace(/CHC$/, '')

/**
 * The cost of each day: a day without a record is unknown, and not 0.
 * @returns null without any record of the service
 */
export function dailyCost(
  costs: readonly UsageCostRecord[],
  { serviceId, warehouseId }: { serviceId: string; warehouseId: string | null },
  range: { from_date: string; to_date: string },
): DailyCost | null {
  const own = costs.filter(({ entityType, entityId }) => entityType === 'service' && entityId === serviceId)
  if (own.length === 0) return null
  const shared = costs.filter(({ entityType, entityId }) => entityType === 'datawarehouse' && entityId === warehouseId)
  const [from, to] = [Date.parse(range.from_date), Date.parse(range.to_date) + day]
  const days = Array.from({ length: Math.round((to - from) / day) }, (_, at) => from + at * day)
  // A record without parts has its total only.
  const partsOf = (record: UsageCostRecord) => record.metrics ?? { computeCHC: record.totalCHC }
  const metrics = [...new Set(own.flatMap((record) => Object.keys(partsOf(record))))]
  return {
    series: metrics.map((metric) => ({
      id: metric,
      label: labelOf(metric),
      points: days.map((time) => {
        const records = own.filter(({ date }) => Date.parse(date) === time)
        return [time, records.length === 0 ? null : sum(records.map((record) => partsOf(record)[metric] ?? 0))]
      }),
    })),
    total: sum(own.map(({ totalCHC }) => totalCHC)),
    warehouse: sum(shared.map(({ totalCHC }) => totalCHC)),
    span: { from, to },
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
