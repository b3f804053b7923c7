import { afterEach, expect, test, vi } from 'vitest'
import { charts } from '#contract/stack/charts.ts'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { call } from './call.ts'

afterEach(() => vi.unstubAllGlobals())

test('a lost response leaves the outcome unknown only for a write', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('socket hang up')))
  const query = { startTime: 1.7e12, endTime: 1.7e12 + 1000, series: [{ sourceId: 's', aggFn: 'count' as const }] }
  await expect(call('c', charts.query, { body: query })).rejects.toMatchObject({ code: 'unreachable' })
  await expect(call('c', dashboards.validate, { body: {} })).rejects.toMatchObject({ code: 'unreachable' })
  const body = { name: 'New', tiles: [] }
  await expect(call('c', dashboards.create, { body })).rejects.toMatchObject({ code: 'outcomeUnknown' })
  await expect(call('c', dashboards.list, {})).rejects.toMatchObject({ code: 'unreachable' })
})
