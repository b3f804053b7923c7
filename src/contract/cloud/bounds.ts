/**
 * The limits of all numeric inputs of the control plane (docs/DEPLOYMENTS.md#services, #settings-of-pipes, #scaling-of-pipes). Schemas, sliders
 * and tests are derived from these lists.
 */
import { z } from 'zod'
import type { PipeKind } from './pipeKinds.ts'

export interface Bound {
  field: string
  min: number
  max: number
  integer: boolean
  /** Only multiples of this are valid. */
  step?: number
  /** Whether null is valid. It means unchanged (scaling) or the default (settings). */
  nullable: boolean
  unit?: string
  /** The kinds of pipes that have it. Default: all. */
  kinds?: readonly PipeKind[]
}

/** `PATCH …/datapipes/{dataPipeId}/scaling`. */
export const pipeScalingBounds = [
  { field: 'replicas', min: 1, max: 10, integer: true, nullable: true, kinds: ['kafka', 'kinesis', 'pubsub'] },
  { field: 'concurrency', min: 0, max: 34, integer: true, nullable: true, unit: 'files', kinds: ['objectStorage'] },
  {
    field: 'replicaCpuMillicores',
    min: 125,
    max: 2000,
    integer: true,
    nullable: true,
    unit: 'millicores',
    kinds: ['kafka', 'kinesis', 'pubsub'],
  },
  {
    field: 'replicaMemoryGb',
    min: 0.5,
    max: 8,
    integer: false,
    nullable: true,
    unit: 'GiB',
    kinds: ['kafka', 'kinesis', 'pubsub'],
  },
] as const satisfies readonly Bound[]

/** `PATCH …/datapipesCdcScaling`: one size for all database pipes of a service. Memory is four times the cores. */
export const cdcScalingBounds = [
  {
    field: 'replicaCpuMillicores',
    min: 1000,
    max: 32_000,
    integer: true,
    step: 1000,
    nullable: false,
    unit: 'millicores',
  },
  { field: 'replicaMemoryGb', min: 4, max: 128, integer: false, step: 4, nullable: false, unit: 'GiB' },
] as const satisfies readonly Bound[]

/** `PATCH …/services/{serviceId}/replicaScaling`. The newest API document of deployments allows 50 replicas. */
export const replicaScalingBounds = [
  { field: 'minReplicaMemoryGb', min: 8, max: 356, integer: true, step: 4, nullable: false, unit: 'GiB' },
  { field: 'maxReplicaMemoryGb', min: 8, max: 356, integer: true, step: 4, nullable: false, unit: 'GiB' },
  { field: 'numReplicas', min: 1, max: 50, integer: true, nullable: false },
  { field: 'minReplicas', min: 1, max: 50, integer: true, nullable: false },
  { field: 'maxReplicas', min: 1, max: 50, integer: true, nullable: false },
  { field: 'idleTimeoutMinutes', min: 5, max: 525_600, integer: true, nullable: false, unit: 'min' },
] as const satisfies readonly Bound[]

/** The schema of one number. */
export function boundSchema(bound: Bound) {
  const number = (bound.integer ? z.int() : z.number()).min(bound.min).max(bound.max)
  const { step } = bound
  const stepped = step ? number.refine((value) => value % step === 0, `Number must be a multiple of ${step}`) : number
  return bound.nullable ? stepped.nullable() : stepped
}

type BoundShape<L extends readonly Bound[]> = {
  [B in L[number] as B['field']]: z.ZodOptional<
    B['nullable'] extends true ? z.ZodType<number | null, number | null> : z.ZodType<number, number>
  >
}

/** The shape of an object with these numbers as optional fields. */
export function boundShape<const L extends readonly Bound[]>(list: L): BoundShape<L> {
  const entries = list.map((bound) => [bound.field, boundSchema(bound).optional()] as const)
  return Object.fromEntries(entries) as unknown as BoundShape<L> // fromEntries loses the keys, which are the list's fields
}

/** The valid numbers as text: `1 to 10, whole number`. */
export function formatBound(bound: Bound): string {
  const [min, max] = [bound.min, bound.max].map((limit) => limit.toLocaleString('en-US'))
  const range = `${min} to ${max}${bound.unit ? ` ${bound.unit}` : ''}`
  if (bound.step) return `${range}, in steps of ${bound.step}`
  return bound.integer ? `${range}, whole number` : range
}
