import { expect, test } from 'vitest'
import { effectiveService, type Service } from './services.ts'

const requested: Service = {
  id: 's',
  name: 'n',
  autoscalingMode: 'vertical',
  numReplicas: 5,
  minReplicaMemoryGb: 16,
  maxReplicaMemoryGb: 32,
  idleScaling: true,
  idleTimeoutMinutes: 15,
}

test('effective values replace requested values', () => {
  const currentScaling = {
    effectiveAutoscalingMode: 'vertical',
    effectiveMinReplicas: 3,
    effectiveMaxReplicas: 3,
    effectiveMinReplicaMemoryGb: 8,
    effectiveMaxReplicaMemoryGb: 8,
    effectiveIdleScaling: false,
    effectiveIdleTimeoutMinutes: 5,
  }
  expect(effectiveService({ ...requested, currentScaling })).toMatchObject({
    name: 'n',
    numReplicas: 3,
    minReplicaMemoryGb: 8,
    maxReplicaMemoryGb: 8,
    idleScaling: false,
    idleTimeoutMinutes: 5,
  })
})

test('effective bounds of vertical scaling are not a number of replicas', () => {
  const currentScaling = { effectiveAutoscalingMode: 'horizontal', effectiveMinReplicas: 2, effectiveMaxReplicas: 6 }
  expect(effectiveService({ ...requested, currentScaling })).toMatchObject({ minReplicas: 2, maxReplicas: 6 })
  expect(effectiveService({ ...requested, currentScaling }).numReplicas).toBeUndefined()
})

test('shows zeros as they are, not as requested values', () => {
  const currentScaling = { effectiveMinReplicas: 0, effectiveMaxReplicas: 0, effectiveMinReplicaMemoryGb: 0 }
  expect(effectiveService({ ...requested, currentScaling })).toMatchObject({ numReplicas: 0, minReplicaMemoryGb: 0 })
})

test.each([
  ['no values are reported', undefined],
  ['the report is empty', {}],
  ['values are null', { effectiveMinReplicas: null, effectiveMaxReplicas: null }],
  ['a schedule overrides it', { activeEntryId: 'e', effectiveMinReplicas: 9, effectiveMaxReplicas: 9 }],
])('shows the requested values where %s', (_, currentScaling) => {
  expect(effectiveService({ ...requested, currentScaling })).toMatchObject(requested)
})
