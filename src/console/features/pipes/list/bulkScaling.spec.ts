import { expect, test } from 'vitest'
import type { PipeRow } from './usePipes.ts'
import { bulkCost, planBulkScaling } from './bulkScaling.ts'

const row = (fields: Partial<PipeRow>): PipeRow => ({ id: 'x', serviceId: 's', serviceName: 'S', ...fields })
const kafka = row({
  id: 'k',
  source: { kafka: {} },
  scaling: { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 },
})
const files = row({ id: 'f', source: { objectStorage: {} }, scaling: { concurrency: 4 } })
const database = row({ id: 'd', source: { postgres: {} } })

test('each pipe gets the changed parameters that apply to it', () => {
  const draft = { replicas: 2, replicaCpuMillicores: 500, replicaMemoryGb: null, concurrency: 8 }
  const [first, second, third] = planBulkScaling([kafka, files, database], draft)
  expect(first).toMatchObject({ values: { replicaCpuMillicores: 500 }, reason: null })
  expect(second).toMatchObject({ values: { concurrency: 8 }, reason: null })
  expect(third).toMatchObject({ values: {}, reason: expect.stringContaining('share') })
})

test('skipped pipes have a reason', () => {
  const reasons = planBulkScaling([kafka, files], { replicas: 2, concurrency: null }).map(({ reason }) => reason)
  expect(reasons).toEqual([expect.stringContaining('already'), expect.stringContaining('type')])
})

test('the cost is the total of the sized pipes, if all sizes are known', () => {
  const cost = (rows: PipeRow[]) => bulkCost(planBulkScaling(rows, { replicas: 4, concurrency: 8 }), 0.2)
  expect(cost([kafka, files])).toBe('$37 → $73 per month')
  expect(cost([kafka, { ...kafka, id: 'k2' }])).toBe('$73 → $146 per month')
  expect(cost([files])).toBeNull()
  expect(cost([kafka, row({ source: { kinesis: {} } })])).toBeNull()
})
