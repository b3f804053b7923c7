/** The sliders of the size of a service: its replicas and their memory. Bounds come from the contract. */
import type { SliderRange } from '#console/ui/form/fields/sliderScale.ts'
import { replicaScalingBounds, type Bound } from '#contract/cloud/bounds.ts'

type Field = (typeof replicaScalingBounds)[number]['field']

const boundOf = (field: Field): Bound => replicaScalingBounds.find((bound) => bound.field === field)! // the field of one
const mark = (value: number) => ({ value, label: String(value) })

/** Sizes of memory that are commonly used, GiB. */
const commonSizes = [8, 16, 32, 64, 128, 236, 356]
const memory = boundOf('minReplicaMemoryGb')

/** Common sizes at equal distances; every step between them can be reached. */
const memoryRange: SliderRange = { min: memory.min, max: memory.max, step: memory.step ?? 1, stops: commonSizes }

export const memorySlider = {
  range: memoryRange,
  bounds: `${memory.min} to ${memory.max} GiB`,
  unit: 'GiB',
  marks: commonSizes.map(mark),
  words: (value: number) => `${value} GiB`,
}

export function replicaSlider(field: Field) {
  const { min, max } = boundOf(field)
  return {
    range: { min, max, step: 1 },
    bounds: `${min} to ${max}`,
    marks: [min, 10, 20, 30, 40, max].map(mark),
    words: String,
  }
}

/** The memory of a replica in an organization that is not paid, GiB (docs/DEPLOYMENTS.md#services). */
const unpaidMaximum = 120
/** The only sizes of services in an account of the customer, GiB. */
const byocSizes = [48, 116, 172, 232]

/**
 * Limits of the deployment beside the bounds of every service: it refuses the rest when it is sent, because nothing that it
 * reports says for sure whether an organization is paid.
 */
export function memoryNote(
  { tier, byocId }: { tier?: string | null | undefined; byocId?: string | null | undefined },
  most: number | null | undefined,
): string | undefined {
  if (byocId)
    return `Services in your own account have ${byocSizes.slice(0, -1).join(', ')} or ${byocSizes.at(-1)} GiB.`
  const isPaid = tier?.startsWith('dedicated') ?? false
  return !isPaid && most != null && most > unpaidMaximum
    ? `More than ${unpaidMaximum} GiB per replica needs a paid organization.`
    : undefined
}
