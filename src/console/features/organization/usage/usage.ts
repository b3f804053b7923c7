/** The cost of use as the page shows it: sums of the records, per day and per service. Days are days of UTC. */
import { z } from 'zod'
import type { CsvLines } from '#console/ui/series/csv.ts'
import type { Series } from '#console/ui/series/series.ts'
import { maxUsageDays, type UsageCostRecord } from '#contract/cloud/organization/usageCost.ts'
import { formatIsoDay } from '#console/ui/time/formatTime.ts'

export const day = 24 * 60 * 60 * 1000

const isoDay = (time: number): string => formatIsoDay(time, 'utc')

const date = z.iso.date().optional().catch(undefined)

/** The state of the page in its address. */
export const usageState = z.object({ from: date, to: date, view: z.enum(['chart', 'table']).catch('chart') })

export interface UsageRange {
  from: string
  to: string
}

/** Ranges to choose from. @param now epoch milliseconds */
export function usagePresets(now: number): { value: string; label: string; range: UsageRange }[] {
  const today = isoDay(now)
  const [year = 0, month = 0] = today.split('-').map(Number)
  const first = (monthsAgo: number) => Date.UTC(year, month - 1 - monthsAgo, 1)
  return [
    { value: '7', label: 'Last 7 days', range: { from: isoDay(now - 6 * day), to: today } },
    { value: '30', label: 'Last 30 days', range: { from: isoDay(now - 29 * day), to: today } },
    { value: 'month', label: 'This month', range: { from: isoDay(first(0)), to: today } },
    { value: 'previous', label: 'Previous month', range: { from: isoDay(first(1)), to: isoDay(first(0) - day) } },
  ]
}

/** Why a range cannot be read; undefined if it can. */
export function rangeProblem({ from, to }: UsageRange): string | undefined {
  const days = (Date.parse(to) - Date.parse(from)) / day + 1
  if (Number.isNaN(days)) return 'Enter both dates.'
  if (days < 1) return 'The last day must not be before the first.'
  return days > maxUsageDays ? `At most ${maxUsageDays} days can be read at once.` : undefined
}

export interface EntityCost {
  /** Type and ID. */
  id: string
  name: string
  type: string
  total: number
  /** By the name of the metric, such as `computeCHC`. */
  metrics: Readonly<Record<string, number>>
  /** By day. */
  days: ReadonlyMap<string, number>
}

interface Sums {
  name: string
  type: string
  metrics: Record<string, number>
  days: Map<string, number>
}

/** Costs by service, warehouse and pipe, the highest first. */
export function costsByEntity(records: readonly UsageCostRecord[]): EntityCost[] {
  const found = new Map<string, Sums>()
  for (const { entityType, entityId, entityName, totalCHC, date, metrics } of records) {
    const id = `${entityType} ${entityId}`
    const sums: Sums = found.get(id) ?? { name: entityName ?? entityId, type: entityType, metrics: {}, days: new Map() }
    sums.days.set(date, (sums.days.get(date) ?? 0) + totalCHC)
    for (const [name, value] of Object.entries(metrics ?? {})) sums.metrics[name] = (sums.metrics[name] ?? 0) + value
    found.set(id, sums)
  }
  return [...found]
    .map(([id, sums]) => ({ id, ...sums, total: sum(sums.days.values()) }))
    .toSorted((a, b) => b.total - a.total)
}

const typeNames: Readonly<Record<string, string>> = {
  service: 'Compute of a service',
  datawarehouse: 'Storage of a warehouse',
  clickpipe: 'Data pipe',
}

export const typeName = (type: string): string => typeNames[type] ?? type

/** One series for each, a point a day. */
export function seriesOf(costs: readonly EntityCost[]): Series[] {
  return costs.map(({ id, name, type, days }) => ({
    id,
    label: `${name} (${typeName(type)})`,
    points: [...days]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, value]) => [Date.parse(date), value] as const),
  }))
}

/** The first day whose records may still change; undefined if none may. */
export function firstOpenDay(records: readonly UsageCostRecord[]): string | undefined {
  const open = records.filter(({ locked }) => locked === false).map(({ date }) => date)
  return open.toSorted()[0]
}

/** Every record as a line, with a column for each metric. */
export function usageLines(records: readonly UsageCostRecord[]): CsvLines {
  const metrics = [...new Set(records.flatMap((record) => Object.keys(record.metrics ?? {})))].toSorted()
  const head = ['date', 'entityType', 'entityName', 'entityId', 'serviceId', 'dataWarehouseId', 'locked', 'totalCHC']
  const lines = records.map((record) => [
    record.date,
    record.entityType,
    record.entityName ?? '',
    record.entityId,
    record.serviceId ?? '',
    record.dataWarehouseId ?? '',
    record.locked == null ? '' : String(record.locked),
    String(record.totalCHC),
    ...metrics.map((name) => String(record.metrics?.[name] ?? '')),
  ])
  return [[...head, ...metrics], ...lines]
}

/** `computeCHC` -> "Compute". */
export function metricName(name: string): string {
  const words = name
    .replace(/CHC$/, '')
    .replace(/([a-z\d])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)
