/** Effective and requested values, on deployments that report both, that lag, or that show zeros. */
import { expect, test } from 'vitest'
import { changeProgress } from '#console/records/pendingChanges/pendingChanges.ts'
import { effectiveValues, requestedValues } from './scalingParameters.ts'

const size = (replicas: number) => ({ replicas, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 })
const zeros = { replicas: 0, replicaCpuMillicores: 0, replicaMemoryGb: 0 }
const pendingChange = { values: { replicas: 4 }, previous: { replicas: 1 }, changes: [], at: 0, outcomeUnknown: false }

test.each([
  ['reports both', { scaling: size(4), currentScaling: size(1) }, 1, 4, 'waiting'],
  ['reports both, with equal values', { scaling: size(4), currentScaling: size(4) }, 4, 4, 'reached'],
  ['shows the old values', { scaling: size(1) }, 1, 1, 'waiting'],
  ['shows the new values', { scaling: size(4) }, 4, 4, 'reached'],
  ['shows zeros', { scaling: zeros }, null, null, 'waiting'],
  ['shows zeros for both', { scaling: zeros, currentScaling: zeros }, null, null, 'waiting'],
  ['reports zeros as requested values', { scaling: zeros, currentScaling: size(1) }, 1, 1, 'waiting'],
  ['reports zeros as effective values', { scaling: size(4), currentScaling: zeros }, null, 4, 'waiting'],
  ['omits the effective values', { scaling: size(4), currentScaling: null }, 4, 4, 'reached'],
])('a deployment that %s', (_, pipe, effective, wanted, state) => {
  expect(effectiveValues(pipe)['replicas']).toBe(effective)
  expect(requestedValues(pipe)['replicas']).toBe(wanted)
  expect(changeProgress(pendingChange, effectiveValues(pipe), 1).state).toBe(state)
})
