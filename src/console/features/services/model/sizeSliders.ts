/** The sliders of the size of a service: its replicas and their memory. Bounds come from the contract. */
import type { SliderRange } from '#console/ui/form/fields/sliderScale.ts'
import { replicaScalingBounds, type Bound } from '#contract/bounds.ts'

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

type Size = readonly [replicas: unknown, leastMemory: unknown, mostMemory: unknown]

/** "24 to 48 GiB in all replicas together"; undefined while a number is missing. */
export function totalMemory([replicas, least, most]: Size): string | undefined {
  const known = [replicas, least, most].map(Number)
  const [count = 0, low = 0, high = 0] = known
  if (!known.every((number) => number > 0)) return undefined
  const total = low === high ? `${count * low}` : `${count * low} to ${count * high}`
  return `${total} GiB in all replicas together.`
}
