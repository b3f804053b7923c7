import { assert, boolean, constantFrom, integer, option, property, record } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { replicaScalingBounds, type Bound } from '#contract/cloud/bounds.ts'
import { replicaScalingInput, type Service } from '#contract/cloud/services/services.ts'
import {
  previousBody,
  formSchema,
  readForm,
  replicaBody,
  replicaChanges,
  withPending,
  type ReplicaForm,
} from './replicaForm.ts'

const vertical: Service = {
  id: 's',
  autoscalingMode: 'vertical',
  numReplicas: 3,
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: 32,
  idleScaling: true,
  idleTimeoutMinutes: 15,
}
const horizontal: Service = {
  id: 's',
  autoscalingMode: 'horizontal',
  minReplicas: 2,
  maxReplicas: 6,
  minReplicaMemoryGb: 16,
  maxReplicaMemoryGb: 16,
  replicaMemoryGb: 16,
  idleScaling: false,
}

const faults = (service: Service, change: Partial<ReplicaForm>) =>
  (formSchema(service).safeParse({ ...readForm(service), ...change }).error?.issues ?? []).map(({ path }) => path[0])

describe.each(replicaScalingBounds.map((bound): Bound => bound))('$field', ({ field, min, max, step = 1 }) => {
  const service = field === 'minReplicas' || field === 'maxReplicas' ? horizontal : vertical
  // The other bound of a range is set so that it does not interfere.
  const others: Record<string, Partial<ReplicaForm>> = {
    minReplicaMemoryGb: { maxReplicaMemoryGb: 356 },
    maxReplicaMemoryGb: { minReplicaMemoryGb: 8 },
    minReplicas: { maxReplicas: 50 },
    maxReplicas: { minReplicas: 1 },
  }
  const takes = (value: number) => !faults(service, { ...others[field], [field]: value }).includes(field)

  it('accepts its bounds and nothing beyond', () => {
    expect([min, max].map(takes)).toEqual([true, true])
    expect([min - step, max + step, min + 0.5, Number.NaN].map(takes)).toEqual([false, false, false, false])
  })
})

test('opening and saving without a change sends nothing', () => {
  for (const service of [vertical, horizontal, { id: 's' }]) {
    expect(replicaBody(readForm(service), service)).toEqual({})
    expect(faults(service, {})).toEqual([])
  }
})

test('minimum and maximum replicas are sent together, one memory size as both bounds', () => {
  expect(replicaBody({ ...readForm(horizontal), maxReplicas: 9 }, horizontal)).toEqual({
    minReplicas: 2,
    maxReplicas: 9,
  })
  expect(replicaBody({ ...readForm(horizontal), minReplicaMemoryGb: 24 }, horizontal)).toEqual({
    minReplicaMemoryGb: 24,
    maxReplicaMemoryGb: 24,
  })
})

test('another mode sends its replicas, and can be reverted', () => {
  const form = { ...readForm(vertical), autoscalingMode: 'horizontal', minReplicas: 2, maxReplicas: 4 }
  const body = replicaBody(form, vertical)
  expect(body).toEqual({
    autoscalingMode: 'horizontal',
    minReplicas: 2,
    maxReplicas: 4,
    minReplicaMemoryGb: 8,
    maxReplicaMemoryGb: 8,
  })
  expect(previousBody(body, vertical)).toEqual({
    autoscalingMode: 'vertical',
    numReplicas: 3,
    minReplicaMemoryGb: 8,
    maxReplicaMemoryGb: 32,
  })
  expect(faults(vertical, { autoscalingMode: 'horizontal' })).toEqual(['minReplicas', 'maxReplicas'])
  expect(faults(horizontal, { autoscalingMode: 'vertical' })).toEqual(['numReplicas'])
})

test('a pending change is not a change of the form', () => {
  const form = {
    ...readForm(vertical),
    autoscalingMode: 'horizontal',
    minReplicas: 2,
    maxReplicas: 4,
    idleScaling: false,
  }
  const expected = withPending(vertical, replicaBody(form, vertical))
  expect(replicaBody(readForm(expected), expected)).toEqual({})
  expect(replicaBody(readForm(expected), vertical)).not.toEqual({})
  expect(replicaBody({ ...readForm(expected), maxReplicas: 9 }, expected)).toEqual({ minReplicas: 2, maxReplicas: 9 })
  expect(withPending(vertical, undefined)).toBe(vertical)
})

test('rules between fields', () => {
  expect(faults(vertical, { minReplicaMemoryGb: 36 })).toEqual(['maxReplicaMemoryGb'])
  expect(faults(horizontal, { minReplicas: 7 })).toEqual(['minReplicas'])
  expect(faults(horizontal, { idleScaling: true })).toEqual(['idleTimeoutMinutes'])
  expect(replicaBody({ ...readForm(vertical), idleScaling: false, idleTimeoutMinutes: 30 }, vertical)).toEqual({
    idleScaling: false,
  })
})

test('the contract accepts what the form accepts, and every change is listed', () => {
  const memory = option(integer({ min: 2, max: 89 }).map((quarter) => quarter * 4))
  const replicas = option(integer({ min: 1, max: 50 }))
  const form = record({
    minReplicaMemoryGb: memory,
    maxReplicaMemoryGb: memory,
    numReplicas: replicas,
    minReplicas: replicas,
    maxReplicas: replicas,
    idleTimeoutMinutes: option(integer({ min: 5, max: 1000 })),
    autoscalingMode: constantFrom('vertical', 'horizontal'),
    idleScaling: boolean(),
  })
  assert(
    property(form, constantFrom(vertical, horizontal), (one, service) => {
      const body = replicaBody(one, service)
      if (Object.keys(body).length === 0 || !formSchema(service).safeParse(one).success) return
      expect(replicaScalingInput.safeParse(body).success).toBe(true)
      expect(replicaChanges(body, service).length).toBeGreaterThan(0)
    }),
  )
})
