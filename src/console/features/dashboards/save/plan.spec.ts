import { expect, test } from 'vitest'
import { dashboard as dashboardSchema } from '#contract/stack/dashboards/dashboards.ts'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { planSave, type PlanInput, sameWrite } from './plan.ts'

const base = dashboardSchema.parse({
  id: 'd',
  name: 'D',
  tiles: [{ id: 't', name: 'Errors', x: 0, y: 0, w: 4, h: 4, config: { displayType: 'line' } }],
})
const onTile = alertOnTile({ name: 'Too many', channels: [] })
const input: PlanInput = {
  base,
  draft: { ...base, name: 'E', tiles: [] },
  current: base,
  choices: new Map(),
  alerts: [],
  sources: [],
}
const plan = (other: Partial<PlanInput> = {}) => planSave({ ...input, ...other })

test('plans from the same input are equal, plans that send or delete something else are not', () => {
  expect(sameWrite(plan(), plan({ draft: structuredClone(input.draft), sources: undefined }))).toBe(true)
  expect(sameWrite(plan(), plan({ draft: { ...input.draft, name: 'F' } }))).toBe(false)
  expect(sameWrite(plan(), plan({ draft: base }))).toBe(false)
  expect(sameWrite(plan(), plan({ alerts: [onTile] }))).toBe(false)
  expect(sameWrite(plan(), plan({ alerts: undefined }))).toBe(false)
})
