import { afterAll, expect, test } from 'vitest'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, asyncProperty, assert, integer, record } from 'fast-check'
import { currentTime } from '#node/clock/wallClock.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { readSamples } from './readSamples.ts'
import { ServiceLoads } from './serviceLoads.ts'

const minute = 60_000
const now = currentTime()
const database = await openTestDatabase(mkdtempSync(join(tmpdir(), 'service-loads-')))
afterAll(() => database.close())
const loads = new ServiceLoads(database, (error) => {
  throw error
})
let places = 0
const place = () => ({ connectionId: 'c', revision: String((places += 1)) })
const used = (bytes: readonly number[], service = 's') => ({
  services: readSamples(
    [
      `ClickHouse_ServiceInfo{clickhouse_service="${service}",clickhouse_cluster_status="running"} 1`,
      ...bytes.map(
        (value, at) => `ClickHouseMetrics_MemoryTracking{clickhouse_service="${service}",hostname="h${at}"} ${value}`,
      ),
    ].join('\n'),
  ).services,
})

test('has no figure without a measurement, and one of each connection and service', async () => {
  const [here, other] = [place(), place()]
  await loads.add(here, { at: now - 30 * minute, ...used([]) })
  expect(await loads.of(here, 's')).toBeNull()
  await loads.add(here, { at: now - 30 * minute, ...used([5, 7]) })
  expect(await loads.of(here, 's')).toMatchObject({ low: 7, high: 7, since: now - 30 * minute, minutes: 5 })
  expect(await loads.of(here, 'another')).toBeNull()
  expect(await loads.of(other, 's')).toBeNull()
})

test('keeps a day, and says how much of it was measured', async () => {
  const here = place()
  for (const hours of [25, 23, 1]) await loads.add(here, { at: now - hours * 60 * minute, ...used([hours]) })
  const load = await loads.of(here, 's')
  expect(load).toMatchObject({ low: 1, high: 23, since: now - 23 * 60 * minute, minutes: 10 })
  const rows = await database.rows('SELECT at FROM service_loads WHERE revision = ?', [here.revision])
  expect(rows).toHaveLength(2)
})

test('has the extremes of all measurements, with the averages in between', async () => {
  const one = record({ ago: integer({ min: 0, max: 1400 }), bytes: integer({ min: 1, max: 1e12 }) })
  const ordered = array(one, { minLength: 1, maxLength: 12 })
  const check = asyncProperty(ordered, async (measured) => {
    const here = place()
    for (const { ago, bytes } of measured.toSorted((a, b) => b.ago - a.ago))
      await loads.add(here, { at: now - ago * minute, ...used([bytes]) })
    const load = (await loads.of(here, 's'))!
    const all = measured.map(({ bytes }) => bytes)
    expect([load.low, load.high]).toEqual([Math.min(...all), Math.max(...all)])
    expect(load.low).toBeLessThanOrEqual(load.median)
    expect(load.median).toBeLessThanOrEqual(load.p95)
    expect(load.p95).toBeLessThanOrEqual(load.high)
    expect(load.since).toBe(now - Math.max(...measured.map(({ ago }) => ago)) * minute)
  })
  await assert(check, { numRuns: 25 })
})

test('leaves out what no service has, and keeps the others', async () => {
  const here = place()
  const all = new Map([...used([5]).services, ...used([1e300], 'huge').services])
  all.set('x'.repeat(100_000), used([5]).services.get('s')!)
  await loads.add(here, { at: now, services: all })
  expect(await loads.of(here, 's')).toMatchObject({ high: 5 })
  const rows = await database.rows('SELECT service_id FROM service_loads WHERE revision = ?', [here.revision])
  expect(rows).toEqual([{ service_id: 's' }])
})

test('goes on where nothing can be stored', async () => {
  const errors: unknown[] = []
  const broken = { ...database, transactConcurrently: () => Promise.reject(new Error('full')) }
  await new ServiceLoads(broken, (error) => errors.push(error)).add(place(), { at: now, ...used([1]) })
  expect(errors).toHaveLength(1)
})
