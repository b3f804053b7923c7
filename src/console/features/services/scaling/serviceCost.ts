/** The cost of a service's size, at a price for 8 GiB of memory in an hour. */
import { monthHours } from '#domain/sizing/pipePrices.ts'

/** A range, of memory in GiB or of money. */
export interface Span {
  least: number
  most: number
}

interface Size {
  autoscalingMode?: string | null | undefined
  numReplicas?: number | null | undefined
  minReplicas?: number | null | undefined
  maxReplicas?: number | null | undefined
  minReplicaMemoryGb?: number | null | undefined
  maxReplicaMemoryGb?: number | null | undefined
}

/** The memory of one compute unit of a service, GiB. */
const unitMemory = 8

/** The memory of all replicas together while the service runs; null as long as a number is missing. */
export function totalMemoryOf(size: Size): Span | null {
  const horizontal = size.autoscalingMode === 'horizontal'
  const replicas = horizontal ? [size.minReplicas, size.maxReplicas] : [size.numReplicas, size.numReplicas]
  // All replicas of horizontal scaling have the size that is its minimum.
  const memory = horizontal
    ? [size.minReplicaMemoryGb, size.minReplicaMemoryGb]
    : [size.minReplicaMemoryGb, size.maxReplicaMemoryGb]
  const [few, many, low, high] = [...replicas, ...memory].map((value) => (isPositive(value) ? value : null))
  if (few == null || many == null || low == null || high == null) return null
  return { least: few * low, most: many * high }
}

const isPositive = (value: number | null | undefined): value is number =>
  value != null && Number.isFinite(value) && value > 0

/** The cost per hour and month of a service that runs all the time. Null without a price. */
export function serviceCost(memory: Span, usdPerUnitHour: number | null): { hour: Span; month: Span } | null {
  if (usdPerUnitHour === null) return null
  const hour = scaled(memory, usdPerUnitHour / unitMemory)
  return { hour, month: scaled(hour, monthHours) }
}

const scaled = ({ least, most }: Span, factor: number): Span => ({ least: least * factor, most: most * factor })

/** "48 to 360", "48" */
export function formatSpan({ least, most }: Span, format: (value: number) => string): string {
  const [from, to] = [format(least), format(most)]
  return from === to ? to : `${from} to ${to}`
}
