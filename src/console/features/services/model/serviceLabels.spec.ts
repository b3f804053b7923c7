import { expect, test } from 'vitest'
import { service } from '#contract/services.ts'
import { formatServiceSize } from './serviceLabels.ts'

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
