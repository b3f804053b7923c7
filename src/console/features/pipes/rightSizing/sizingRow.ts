/** A row of the page: a pipe, the database pipes of a service, or a service, with its size, its load and the advice. */
import type { Change } from '#console/ui/ChangeTable.tsx'
import type { LoadedResource, MeasuredLoad } from '#contract/console/sampling/sizeLoads.ts'
import { certaintyOf, isAtLimit, type Advice, type Certainty, type Expected } from '#domain/sizing/advice.ts'

/** USD per month; from and to where a deployment moves the size by itself. */
export interface MonthlyCost {
  least: number
  most: number
}

/** The size that is advised. */
export interface NextSize {
  kind: 'smaller' | 'larger'
  text: string
  /** The body of the request. */
  values: Record<string, number>
  changes: Change[]
  expected: Expected
  isEnough: boolean
  /** The difference per month; null where no price is known. */
  difference: MonthlyCost | null
  /** The lag that is projected, as a sentence; null where it cannot be. */
  lag: string | null
}

export interface SizingRow {
  /** Unique among pipes and services. */
  id: string
  name: string
  /** "Kafka", "Service". */
  kind: string
  /** The service of a pipe. */
  service: string | null
  /** The page where the size is changed alone. */
  path: string
  resource: LoadedResource
  /** The ID that the load is measured under. */
  loadId: string
  sizeNow: string
  load: MeasuredLoad | null
  /** The limits of a replica now: CPU in millicores, memory in bytes. */
  limits: { cpu: number | null; memory: number | null }
  advice: Advice<unknown>
  /** Why there is no advice, if not for a lack of measurements. */
  reason: string | null
  certainty: Certainty | null
  next: NextSize | null
  /** Sends the size that is advised. @throws ApiFailure */
  send: (next: NextSize) => Promise<unknown>
}

/** How sure an expectation is. */
export function certaintyFor(load: MeasuredLoad | null, { cpu, memory }: SizingRow['limits']): Certainty | null {
  if (!load) return null
  const isCutOff = (cpu !== null && isAtLimit(load.cpu, cpu)) || (memory !== null && isAtLimit(load.memory, memory))
  return certaintyOf(load, isCutOff)
}

/** Rows that need attention come first, then those that save most. */
export function byUrgency(a: SizingRow, b: SizingRow): number {
  return rankOf(a) - rankOf(b) || (a.next?.difference?.most ?? 0) - (b.next?.difference?.most ?? 0)
}

function rankOf({ next, advice }: SizingRow): number {
  if (next) return next.kind === 'larger' ? 0 : 2
  if (advice.kind === 'keep') return advice.isShort ? 1 : 3
  return 4
}

/** The difference of a selection per month, and how many of it have no price. */
export function totalOf(rows: readonly NextSize[]): { difference: MonthlyCost; unpriced: number } {
  const priced = rows.flatMap(({ difference }) => difference ?? [])
  const sum = (end: keyof MonthlyCost) => priced.reduce((total, monthlyCost) => total + monthlyCost[end], 0)
  return { difference: { least: sum('least'), most: sum('most') }, unpriced: rows.length - priced.length }
}
