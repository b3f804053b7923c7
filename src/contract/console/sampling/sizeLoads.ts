/**
 * The load of pipes and services over the last days, by which sizes are judged, and what was expected of a size that was
 * chosen. The gateway measures it: deployments only have current values (docs/DEPLOYMENTS.md#metrics).
 */
import { z } from 'zod'
import { pathId } from '../../wire/kernel.ts'
import type { SamplingState } from './pipeSamples.ts'

/** Resources with a load: a pipe, with CPU and memory of a replica, or a service, with the memory of its fullest replica. */
export const loadedResources = ['pipe', 'service'] as const
export type LoadedResource = (typeof loadedResources)[number]

/** The use of a resource of one replica: CPU in millicores, memory in bytes. */
export interface UsedResource {
  /** The limit while it was measured; null if it is not reported, as the memory of services. */
  limit: number | null
  /** The 95th percentile of the highest measurements of each hour. */
  p95: number
  peak: number
  /** The lowest peak of a day that was measured for some hours; null before the second day. */
  quietestDay: number | null
}

/** The load at the present size. */
export interface MeasuredLoad {
  /** The first hour, epoch milliseconds. */
  since: number
  /** The time that was measured, to a tenth. */
  hours: number
  /** Null if it is not reported. */
  cpu: UsedResource | null
  memory: UsedResource | null
}

/** The expected peaks of a resource and its limit, in the units of `UsedResource`. */
const expectedUse = z.strictObject({
  limit: z
    .number()
    .positive()
    .max(2 ** 45),
  low: z
    .number()
    .nonnegative()
    .max(2 ** 45),
  high: z
    .number()
    .nonnegative()
    .max(2 ** 45),
})
export type ExpectedUse = z.infer<typeof expectedUse>

/** The expected load at the size that a pipe or service was given. */
export const sizePredictionInput = z.strictObject({
  resource: z.enum(loadedResources),
  id: pathId,
  cpu: expectedUse.nullable(),
  memory: expectedUse.nullable(),
  /** The change request that asks for the size; absent if it was sent at once. */
  requestId: pathId.optional(),
})
export type SizePredictionInput = z.input<typeof sizePredictionInput>

export interface SizePrediction extends z.output<typeof sizePredictionInput> {
  /** When the size was sent, or carried out by an approval, epoch milliseconds; null while that is waited for. */
  appliedAt: number | null
  /** The load since then; null as long as nothing is measured. */
  load: MeasuredLoad | null
}

export interface SizeLoads extends SamplingState {
  loads: { resource: LoadedResource; id: string; load: MeasuredLoad }[]
  predictions: SizePrediction[]
}
