import { expect, test } from 'vitest'
import type { UsageCostRecord } from '#contract/cloud/organization/usageCost.ts'
import { formatAmount } from '#domain/charts/amounts.ts'
import { costsByEntity, firstOpenDay, metricName, rangeProblem, seriesOf, usageLines, usagePresets } from './usage.ts'
import { csvText } from '#console/ui/series/csv.ts'

const record = (date: string, entityId: string, totalCHC: number, locked = true): UsageCostRecord => ({
  date,
  entityType: 'service',
  entityId,
  entityName: `Service "${entityId}"`,
  serviceId: entityId,
  totalCHC,
  locked,
  metrics: { computeCHC: totalCHC },
})
const records = [
  record('2026-05-01', 'a', 1),
  record('2026-05-01', 'b', 5),
  record('2026-05-02', 'b', 2.5, false),
  { ...record('2026-05-02', 'a', 0.25, false), metrics: { computeCHC: 0.2, publicDataTransferCHC: 0.05 } },
]

test('costs are added up by what they are for, the highest first', () => {
  const costs = costsByEntity(records)
  expect(costs.map(({ name, total }) => [name, total])).toEqual([
    ['Service "b"', 7.5],
    ['Service "a"', 1.25],
  ])
  expect(costs[1]?.metrics).toEqual({ computeCHC: 1.2, publicDataTransferCHC: 0.05 })
  expect(seriesOf(costs)[0]?.points).toEqual([
    [Date.parse('2026-05-01'), 5],
    [Date.parse('2026-05-02'), 2.5],
  ])
  expect(costsByEntity([])).toEqual([])
})

test('days that may still change are named', () => {
  expect(firstOpenDay(records)).toBe('2026-05-02')
  expect(firstOpenDay(records.slice(0, 2))).toBeUndefined()
})

test('the CSV has every record, and a column for each metric', () => {
  const [head, first, , , last] = csvText(usageLines(records)).split('\r\n')
  expect(head).toBe(
    'date,entityType,entityName,entityId,serviceId,dataWarehouseId,locked,totalCHC,computeCHC,publicDataTransferCHC',
  )
  expect(first).toBe('2026-05-01,service,"Service ""a""",a,a,,true,1,1,')
  expect(last).toBe('2026-05-02,service,"Service ""a""",a,a,,false,0.25,0.2,0.05')
})

test('presets are days of UTC, and can be read', () => {
  const presets = usagePresets(Date.parse('2026-03-01T00:30:00Z'))
  expect(presets.map(({ range }) => [range.from, range.to])).toEqual([
    ['2026-02-23', '2026-03-01'],
    ['2026-01-31', '2026-03-01'],
    ['2026-03-01', '2026-03-01'],
    ['2026-02-01', '2026-02-28'],
  ])
  for (const { range } of presets) expect(rangeProblem(range)).toBeUndefined()
})

test.each([
  ['2026-05-02', '2026-05-01', 'must not be before'],
  ['2026-05-01', '2026-06-01', 'At most 31 days'],
  ['', '2026-06-01', 'Enter both dates'],
])('from %j to %j is refused', (from, to, reason) => {
  expect(rangeProblem({ from, to })).toContain(reason)
})

test('amounts and metrics are readable', () => {
  expect([0, 0.004, 12.345, 1234].map((value) => formatAmount(value, 'CHC'))).toEqual([
    '0.00 CHC',
    '0.004 CHC',
    '12.35 CHC',
    '1,234.00 CHC',
  ])
  expect(['computeCHC', 'interRegionTier1DataTransferCHC'].map(metricName)).toEqual([
    'Compute',
    'Inter region tier1 data transfer',
  ])
})
