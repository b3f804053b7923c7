import { expect, test } from 'vitest'
import type { UsageCostRecord } from '#contract/cloud/organization/usageCost.ts'
import { formatAmount } from '#domain/charts/amounts.ts'
import { costRange, dailyCost } from './dailyCost.ts'

const range = { from_date: '2026-03-01', to_date: '2026-03-03' }
const own = { serviceId: 's', warehouseId: 'w' }
const record = (fields: Partial<UsageCostRecord>): UsageCostRecord => ({
  date: '2026-03-01',
  entityType: 'service',
  entityId: 's',
  totalCHC: 2,
  metrics: { computeCHC: 2 },
  ...fields,
})

test('a day without a record is unknown and not 0', () => {
  const cost = dailyCost(
    [record({}), record({ date: '2026-03-03', totalCHC: 0, metrics: { computeCHC: 0 } })],
    own,
    range,
  )
  expect(cost?.series.map(({ label, points }) => [label, points.map(([, value]) => value)])).toEqual([
    ['Compute', [2, null, 0]],
  ])
  expect(cost?.total).toBe(2)
})

test('other services and pipes do not count; the warehouse is apart', () => {
  const records = [
    record({}),
    record({ entityId: 'other', totalCHC: 50 }),
    record({ entityType: 'clickpipe', entityId: 's', totalCHC: 7 }),
    record({ entityType: 'datawarehouse', entityId: 'w', totalCHC: 1.5, metrics: { storageCHC: 1.5 } }),
  ]
  expect(dailyCost(records, own, range)).toMatchObject({ total: 2, warehouse: 1.5 })
  expect(dailyCost(records.slice(1), own, range)).toBeNull()
})

test('a request has 31 days until today', () => {
  expect(costRange(Date.parse('2026-03-31T23:59:00Z'))).toEqual({ from_date: '2026-03-01', to_date: '2026-03-31' })
  expect(formatAmount(1234.5, 'CHC')).toBe('1,234.50 CHC')
})
