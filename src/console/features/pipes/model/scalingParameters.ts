/** The scaling parameters of pipes and of the shared size of database pipes. Bounds come from the contract. */
import { formatSizeValue, sizeTitles } from '#console/records/scaling/sizeFields.ts'
import type { SliderRange } from '#console/ui/form/fields/sliderScale.ts'
import { cdcScalingBounds, pipeScalingBounds, type Bound } from '#contract/cloud/bounds.ts'
import { pipeSizes } from '#domain/sizing/pipePrices.ts'
import {
  isTransient,
  unsupportedParameterReason,
  type CdcScaling,
  type PipeScaling,
} from '#contract/cloud/pipes/pipeScaling.ts'
import type { PipeKind } from '#contract/cloud/pipeKinds.ts'
import { effectiveScaling, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { inSentence } from '#domain/text/words.ts'

export interface ScalingParameter {
  field: string
  title: string
  /** Shown after the number. */
  unit: string
  bound: Bound
  range: SliderRange
  marks: readonly { value: number; label: string }[]
}

type Display = Omit<ScalingParameter, 'bound' | 'range' | 'field'> & { step: number; doubling: boolean }

const plain = (value: number) => ({ value, label: String(value) })

const pipeDisplay: Record<(typeof pipeScalingBounds)[number]['field'], Display> = {
  replicas: { title: sizeTitles.replicas, unit: '', marks: [1, 4, 7, 10].map(plain), step: 1, doubling: false },
  replicaCpuMillicores: {
    title: sizeTitles.replicaCpuMillicores,
    unit: 'millicores',
    marks: pipeSizes.map((size) => ({ value: size.replicaCpuMillicores, label: size.name })),
    step: 1,
    doubling: true,
  },
  replicaMemoryGb: {
    title: sizeTitles.replicaMemoryGb,
    unit: 'GiB',
    marks: pipeSizes.map((size) => plain(size.replicaMemoryGb)),
    step: 0.125,
    doubling: true,
  },
  concurrency: { title: sizeTitles.concurrency, unit: '', marks: [0, 10, 20, 34].map(plain), step: 1, doubling: false },
}

const cdcDisplay: Record<(typeof cdcScalingBounds)[number]['field'], Display> = {
  replicaCpuMillicores: {
    title: 'CPU',
    unit: 'millicores',
    marks: [1, 2, 4, 8, 16, 32].map((cores) => ({ value: cores * 1000, label: `${cores}` })),
    step: 1000,
    doubling: true,
  },
  replicaMemoryGb: { title: 'Memory', unit: 'GiB', marks: [4, 8, 16, 32, 64, 128].map(plain), step: 4, doubling: true },
}

function scalingParameter(bound: Bound, { step, doubling, ...display }: Display): ScalingParameter {
  return { ...display, field: bound.field, bound, range: { min: bound.min, max: bound.max, step, doubling } }
}

/** In display order. */
const pipeFields = ['replicas', 'replicaCpuMillicores', 'replicaMemoryGb', 'concurrency'] as const

const pipeScalingParameters: readonly (ScalingParameter & { field: (typeof pipeFields)[number] })[] =
  pipeFields.flatMap((field) =>
    pipeScalingBounds
      .filter((bound) => bound.field === field)
      .map((bound) => ({ ...scalingParameter(bound, pipeDisplay[field]), field })),
  )

export const cdcScalingParameters: readonly ScalingParameter[] = cdcScalingBounds.map((bound) =>
  scalingParameter(bound, cdcDisplay[bound.field]),
)

const titlesOf = (parameters: readonly ScalingParameter[]): Record<string, string> =>
  Object.fromEntries(parameters.map(({ field, title }) => [field, title]))

/** The parameters as they are called on the screen, by their fields. */
export const pipeScalingTitles = titlesOf(pipeScalingParameters)
export const cdcScalingTitles = titlesOf(cdcScalingParameters)

/** The parameters that apply to a source type, and the others with the reason why they do not. */
export function parametersFor(kind: PipeKind | null): {
  applicable: ScalingParameter[]
  inapplicable: { parameter: ScalingParameter; reason: string }[]
} {
  const sorted = pipeScalingParameters.map((parameter) => ({
    parameter,
    reason: unsupportedParameterReason(parameter.field, kind),
  }))
  return {
    applicable: sorted.flatMap(({ parameter, reason }) => (reason === null ? [parameter] : [])),
    inapplicable: sorted.flatMap(({ parameter, reason }) =>
      reason === null ? [] : [{ parameter, reason: inTitles(reason) }],
    ),
  }
}

/** Replaces field names in the contract's reason with their labels. */
function inTitles(reason: string): string {
  return pipeScalingParameters.reduce((text, { field, title }) => text.replaceAll(field, inSentence(title)), reason)
}

/** The values by parameter. Null if a value is not reported or is a placeholder during a change. */
export function scalingValues(scaling: PipeScaling | null | undefined): Values {
  return Object.fromEntries(
    pipeScalingParameters.map(({ field }) => {
      const value = scaling?.[field] ?? null
      return [field, isTransient(field, value) ? null : value]
    }),
  )
}

/** The values that are in effect. */
export function effectiveValues(pipe: Pick<Pipe, 'scaling' | 'currentScaling'>): Values {
  return scalingValues(effectiveScaling(pipe))
}

/** The values that were last requested. Falls back to the effective values. */
export function requestedValues(pipe: Pick<Pipe, 'scaling' | 'currentScaling'>): Values {
  const effective = effectiveValues(pipe)
  return Object.fromEntries(
    Object.entries(scalingValues(pipe.scaling)).map(([field, value]) => [field, value ?? effective[field] ?? null]),
  )
}

export function cdcEffectiveValues({ replicaCpuMillicores, replicaMemoryGb }: CdcScaling): Values {
  return { replicaCpuMillicores, replicaMemoryGb }
}

/** Numbers by parameter. Null is unknown or unchanged. */
export type Values = Readonly<Record<string, number | null>>

/** "125 to 2000 millicores". */
export function formatBounds({ bound, unit }: ScalingParameter): string {
  return `${bound.min} to ${bound.max}${unit && ` ${unit}`}`
}

/** A value with its unit, CPU in vCPU: "0.125 vCPU". A concurrency of 0 is automatic. */
export function formatScalingValue({ field }: ScalingParameter, value: number | null): string {
  return value === null ? 'not reported' : formatSizeValue(field, value)
}
