import { assert, constantFrom, double, integer, option, property, record } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { cdcScalingBounds, pipeScalingBounds, type Bound } from '#contract/cloud/bounds.ts'
import { pipeKinds } from '#contract/cloud/pipeKinds.ts'
import {
  cdcRatioProblem,
  scalingParametersOf,
  pipeScaling,
  pipeScalingInput,
} from '#contract/cloud/pipes/pipeScaling.ts'
import { applyDraft, draftChanges, draftSchema, changedValues, emptyDraft } from './draft.ts'
import { cdcScalingParameters, scalingValues, parametersFor } from '../model/scalingParameters.ts'

const all = parametersFor(null).applicable
const nothing = scalingValues(null)
const takes = (field: string, value: number | null) =>
  draftSchema(all, nothing).safeParse({ ...emptyDraft(all), [field]: value }).success

/** The bounds that the tests of the variants use too. */
const bounds: readonly Bound[] = pipeScalingBounds

describe.each(bounds)('$field', (bound) => {
  const step = bound.integer ? 1 : 0.1

  it('accepts its bounds and nothing beyond', () => {
    expect([bound.min, bound.max].map((value) => takes(bound.field, value))).toEqual([true, true])
    expect([bound.min - step, bound.max + step].map((value) => takes(bound.field, value))).toEqual([false, false])
    expect(takes(bound.field, Number.NaN)).toBe(false)
    expect(takes(bound.field, Infinity)).toBe(false)
    expect(takes(bound.field, null)).toBe(true)
    if (bound.integer) expect(takes(bound.field, bound.min + 0.5)).toBe(false)
  })

  it('has a slider over the same bounds', () => {
    const parameter = all.find(({ field }) => field === bound.field)
    expect(parameter?.range).toMatchObject({ min: bound.min, max: bound.max })
    expect(parameter?.marks.every(({ value }) => value >= bound.min && value <= bound.max)).toBe(true)
  })
})

test.each(pipeKinds)('a %s pipe has the parameters of the contract, the others have a reason', (kind) => {
  const { applicable, inapplicable } = parametersFor(kind)
  expect(applicable.map(({ field }) => field).toSorted()).toEqual(scalingParametersOf(kind).toSorted())
  expect(inapplicable.every(({ reason }) => reason.length > 10)).toBe(true)
  expect(applicable.length + inapplicable.length).toBe(pipeScalingBounds.length)
})

test('placeholders and quantities: zeros are unknown, 250m is 250', () => {
  const shown = { replicas: 0, replicaCpuMillicores: '250m', replicaMemoryGb: '512Mi', concurrency: 0 }
  expect(scalingValues(pipeScaling.parse(shown))).toEqual({
    replicas: null,
    replicaCpuMillicores: 250,
    replicaMemoryGb: 0.5,
    concurrency: 0,
  })
})

const values = record({
  replicas: option(integer({ min: 1, max: 10 })),
  replicaCpuMillicores: option(integer({ min: 125, max: 2000 })),
  replicaMemoryGb: option(double({ min: 0.5, max: 8, noNaN: true })),
  concurrency: option(integer({ min: 0, max: 34 })),
})

test('only changes are sent, and the contract accepts them', () => {
  assert(
    property(values, values, (current, draft) => {
      const sent = changedValues(draft, current)
      for (const [field, value] of Object.entries(sent)) {
        expect(value).not.toBeNull()
        expect(value).not.toBe({ ...current }[field])
      }
      if (Object.keys(sent).length > 0) expect(pipeScalingInput.safeParse(sent).success).toBe(true)
      expect(changedValues(draft, applyDraft(draft, current))).toEqual({})
      expect(draftChanges(all, sent, current)).toHaveLength(Object.keys(sent).length)
    }),
  )
})

test('the shared size keeps four GiB for each core', () => {
  const current = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }
  const validate = (size: Readonly<Record<string, number | null>>) =>
    cdcRatioProblem({
      replicaCpuMillicores: size.replicaCpuMillicores ?? 0,
      replicaMemoryGb: size.replicaMemoryGb ?? 0,
    })
  const schema = draftSchema(cdcScalingParameters, current, validate)
  assert(
    property(constantFrom(...Array.from({ length: 32 }, (_, at) => at + 1)), (cores) => {
      const size = { replicaCpuMillicores: cores * 1000, replicaMemoryGb: cores * 4 }
      expect(schema.safeParse(size).success).toBe(true)
      expect(schema.safeParse({ ...size, replicaMemoryGb: cores === 2 ? 12 : null }).success).toBe(false)
    }),
  )
  expect(cdcScalingBounds.map(({ field }) => field)).toEqual(cdcScalingParameters.map(({ field }) => field))
})
