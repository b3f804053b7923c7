/** Scaling of data pipes: docs/DEPLOYMENTS.md#scaling-of-pipes. */
import { z } from 'zod'
import { boundShape, cdcScalingBounds, pipeScalingBounds, type Bound } from '../bounds.ts'
import { wireNumber } from '../../wire/kernel.ts'
import { pipeFamilies, pipeKindNames, type PipeFamily, type PipeKind } from '../pipeKinds.ts'

export type PipeScalingParameter = (typeof pipeScalingBounds)[number]['field']
export const pipeScalingParameters: readonly PipeScalingParameter[] = pipeScalingBounds.map((bound) => bound.field)

const suffixes: Record<string, number> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
}

/** A quantity such as `250m` or `512Mi` in its base unit; null if it is invalid. */
function readQuantity(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(m|[kMG]|[KMG]i)?$/.exec(text.trim())
  if (!match?.[1]) return null
  const factor = match[2] === 'm' ? 0.001 : suffixes[match[2] ?? '']
  return factor === undefined ? null : Number(match[1]) * factor
}

/** Some deployments return CPU and memory as quantities: `250m` is 250 millicores, `512Mi` is 0.5 GiB. */
const quantity = (perBase: number) =>
  z.union([
    wireNumber,
    z.string().transform((text, context) => {
      const value = readQuantity(text)
      if (value !== null) return Math.round(value * perBase * 1e6) / 1e6
      context.addIssue({ code: 'custom', message: 'must be a number or a quantity such as 250m or 512Mi' })
      return z.NEVER
    }),
  ])

/** The scaling of a pipe in responses. Right after a change a deployment may report zeros: see `isTransient`. */
export const pipeScaling = z.looseObject({
  replicas: wireNumber.nullish(),
  concurrency: wireNumber.nullish(),
  replicaCpuMillicores: quantity(1000).nullish(),
  replicaMemoryGb: quantity(1 / 2 ** 30).nullish(),
})
export type PipeScaling = z.infer<typeof pipeScaling>

/** Whether a reported value is a placeholder during a change. */
export function isTransient(parameter: PipeScalingParameter, value: number | null | undefined): boolean {
  const bound: Bound | undefined = pipeScalingBounds.find(({ field }) => field === parameter)
  return value != null && bound !== undefined && value < bound.min
}

const atLeastOne = (fields: readonly { field: string }[]) => ({
  check: (input: Record<string, unknown>) => fields.some(({ field }) => input[field] != null),
  message: `at least one of ${fields.map(({ field }) => field).join(', ')} is required`,
})

const oneScalingParameter = atLeastOne(pipeScalingBounds)
/** Null and absent parameters stay unchanged. At least one must change. */
export const pipeScalingInput = z
  .strictObject(boundShape(pipeScalingBounds))
  .refine(oneScalingParameter.check, oneScalingParameter.message)
export type PipeScalingInput = z.infer<typeof pipeScalingInput>

/** Why pipes of this kind do not have a parameter; null if they have it. An unknown kind may have every parameter. */
export function unsupportedParameterReason(parameter: PipeScalingParameter, kind: PipeKind | null): string | null {
  if (kind === null) return null
  const bound: Bound | undefined = pipeScalingBounds.find(({ field }) => field === parameter)
  if (bound?.kinds?.includes(kind)) return null
  return reasons[pipeFamilies[kind]](pipeKindNames[kind])
}

/** The parameters of pipes of this kind. */
export function scalingParametersOf(kind: PipeKind | null): PipeScalingParameter[] {
  return pipeScalingParameters.filter((parameter) => unsupportedParameterReason(parameter, kind) === null)
}

const reasons: Record<PipeFamily, (kind: string) => string> = {
  streaming: (kind) => `${kind} pipes scale by replicas, replicaCpuMillicores and replicaMemoryGb`,
  objectStorage: (kind) => `${kind} pipes scale by concurrency`,
  database: (kind) => `${kind} pipes share one size for the whole service`,
}

/** The shared size of all database pipes of a service: docs/DEPLOYMENTS.md#scaling-of-pipes. */
export const cdcScaling = z.looseObject({
  replicaCpuMillicores: quantity(1000),
  replicaMemoryGb: quantity(1 / 2 ** 30),
})
export type CdcScaling = z.infer<typeof cdcScaling>

const oneCdcField = atLeastOne(cdcScalingBounds)
/** One field may be left out if the stored value of the other fits (`cdcRatioProblem`). */
export const cdcScalingInput = z
  .strictObject(boundShape(cdcScalingBounds))
  .refine(oneCdcField.check, oneCdcField.message)

/** GiB per core of the shared size. */
const cdcGigabytesPerCore = 4

/** The problem with a shared size, or null. */
export function cdcRatioProblem(size: { replicaCpuMillicores: number; replicaMemoryGb: number }): string | null {
  const wanted = (size.replicaCpuMillicores / 1000) * cdcGigabytesPerCore
  if (size.replicaMemoryGb === wanted) return null
  return `replicaMemoryGb must be ${cdcGigabytesPerCore} times the cores: ${wanted} for ${size.replicaCpuMillicores} millicores`
}
