import { expect, test } from 'vitest'
import { service } from '#contract/cloud/services/services.ts'
import { formatServiceSize, formatTotalMemory } from './serviceLabels.ts'

const sized = (fields: object) => formatServiceSize(service.parse({ id: 's', ...fields }))

test('a size depends on the scaling mode and on what is known', () => {
  const vertical = { numReplicas: 3, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 24 }
  expect(sized({ autoscalingMode: 'vertical', ...vertical })).toBe('3 × 8 to 24 GiB')
  expect(sized({ numReplicas: 1, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 8 })).toBe('1 × 8 GiB')
  const band = { autoscalingMode: 'horizontal', minReplicas: 2, maxReplicas: 6 }
  expect(sized({ ...band, minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16 })).toBe('2 to 6 × 16 GiB')
  expect(sized({ ...band, replicaMemoryGb: 16 })).toBe('2 to 6 × 16 GiB')
  expect(sized(band)).toBe('2 to 6')
  expect(sized({})).toBe('')
})

test('the memory of all replicas agrees with the size, whatever the number of replicas', () => {
  const total = (fields: object) => formatTotalMemory(service.parse({ id: 's', ...fields }))
  expect(total({ numReplicas: 1, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 8, minTotalMemoryGb: 24 })).toBe('8 GiB')
  expect(total({ numReplicas: 3, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16 })).toBe('24 to 48 GiB')
  const band = { autoscalingMode: 'horizontal', minReplicas: 2, maxReplicas: 6 }
  expect(total({ ...band, minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16 })).toBe('32 to 96 GiB')
  expect(total(band)).toBeNull()
})
