import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, asyncProperty, assert, integer, record } from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { ChangeRequestState } from '#contract/console/changeRequests.ts'
import { measuredLoad } from '#domain/sizing/measuredLoad.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { readSamples } from './readSamples.ts'
import { SizeLoadStore } from './sizeLoads.ts'
import { SizePredictions } from './sizePredictions.ts'

const minute = 60_000
const hour = 60 * minute
const gib = 2 ** 30
/** The start of this hour. */
const now = currentTime()
const thisHour = now - (now % hour)
const database = await openTestDatabase(mkdtempSync(join(tmpdir(), 'size-loads-')))
afterAll(() => database.close())
const fail = (error: unknown) => {
  throw error
}
const loads = new SizeLoadStore(database, fail)
let places = 0
const place = () => ({ connectionId: `c${(places += 1)}`, revision: 'r' })

/** A scrape with a pipe of a size and a service. */
const scrape = (cpu: number, { limit = 1000, service = 5 * gib } = {}) =>
  readSamples(
    [
      `ClickPipes_Replica_CPUUsage{clickpipe_id="p"} ${cpu}`,
      `ClickPipes_Replica_CPULimit{clickpipe_id="p"} ${limit}`,
      `ClickPipes_Replica_MemoryUsage{clickpipe_id="p"} ${gib}`,
      `ClickPipes_Replica_MemoryLimit{clickpipe_id="p"} ${4 * gib}`,
      `ClickHouse_ServiceInfo{clickhouse_service="s",clickhouse_cluster_status="running"} 1`,
      `ClickHouseMetrics_MemoryTracking{clickhouse_service="s",hostname="h"} ${service}`,
    ].join('\n'),
  )
type Place = ReturnType<typeof place>
const hoursOf = async (here: Place, resource: 'pipe' | 'service') =>
  (await loads.of(here)).find((candidate) => candidate.resource === resource)?.hours ?? []

test('keeps the highest measurements of each hour and size, and how much of it was measured', async () => {
  const here = place()
  const begin = thisHour - 2 * hour
  await loads.add(here, { ...scrape(100), at: begin, after: 0 })
  await loads.add(here, { ...scrape(300), at: begin + 5 * minute, after: begin })
  await loads.add(here, { ...scrape(200), at: begin + 10 * minute, after: begin + 5 * minute })
  // A gap of which nothing is known.
  await loads.add(here, { ...scrape(50), at: begin + 40 * minute, after: begin + 10 * minute })
  await loads.add(here, { ...scrape(90, { limit: 500 }), at: begin + 45 * minute, after: begin + 40 * minute })
  expect(await hoursOf(here, 'pipe')).toEqual([
    {
      at: begin,
      lastAt: begin + 40 * minute,
      seconds: 600,
      cpuLimit: 1000,
      memoryLimit: 4 * gib,
      cpuHigh: 300,
      memoryHigh: gib,
    },
    expect.objectContaining({ cpuLimit: 500, seconds: 300, cpuHigh: 90 }),
  ])
  const [service] = await hoursOf(here, 'service')
  expect(service).toMatchObject({ seconds: 900, cpuLimit: null, memoryLimit: null, cpuHigh: null, memoryHigh: 5 * gib })
  expect(await loads.of(place())).toEqual([])
})

test('keeps a week', async () => {
  const here = place()
  for (const days of [8, 6]) await loads.add(here, { ...scrape(days), at: now - days * 24 * hour, after: 0 })
  expect(await hoursOf(here, 'pipe')).toMatchObject([{ cpuHigh: 6 }])
})

test('the load has the extremes of all measurements', async () => {
  const one = record({ ago: integer({ min: 0, max: 160 * 60 }), cpu: integer({ min: 0, max: 1000 }) })
  const check = asyncProperty(array(one, { minLength: 1, maxLength: 10 }), async (measured) => {
    const here = place()
    for (const { ago, cpu } of measured.toSorted((a, b) => b.ago - a.ago))
      await loads.add(here, { ...scrape(cpu), at: now - ago * minute, after: 0 })
    const load = measuredLoad(await hoursOf(here, 'pipe'))
    expect(load?.cpu?.peak).toBe(Math.max(...measured.map(({ cpu }) => cpu)))
    expect(load?.cpu?.p95).toBeLessThanOrEqual(load?.cpu?.peak ?? 0)
  })
  await assert(check, { numRuns: 20 })
})

test('sampling goes on where its measurements cannot be stored', async () => {
  const errors: unknown[] = []
  const broken = {
    ...database,
    transactConcurrently: () => Promise.reject(new Error('full')),
  } as unknown as typeof database
  await new SizeLoadStore(broken, (error) => errors.push(error)).add(place(), { ...scrape(1), at: now, after: 0 })
  expect(errors).toHaveLength(1)
})

const half = { limit: 500, low: 100, high: 300 }
const memory = { limit: 2 * gib, low: gib, high: gib }

test('an expectation is compared with what was measured at the new size only', async () => {
  const here = place()
  const predictions = new SizePredictions(database, async () => undefined)
  const of = async () => predictions.of(here.connectionId, await loads.of(here))
  await loads.add(here, { ...scrape(900, { limit: 1000 }), at: now - minute, after: 0 })
  await predictions.add(here.connectionId, { resource: 'pipe', id: 'p', cpu: half, memory: null })
  expect(await of()).toMatchObject([{ id: 'p', cpu: half, memory: null, load: null }])
  const applied = (await of())[0]?.appliedAt ?? 0
  const later = applied + 2 * minute
  await loads.add(here, { ...scrape(950, { limit: 1000 }), at: applied + minute, after: 0 })
  await loads.add(here, { ...scrape(250, { limit: 500 }), at: later, after: applied + minute })
  expect(await of()).toMatchObject([{ load: { cpu: { peak: 250, limit: 500 } } }])
  // The next change of the same pipe takes its place.
  await predictions.add(here.connectionId, { resource: 'pipe', id: 'p', cpu: { ...half, limit: 250 }, memory })
  expect(await of()).toMatchObject([{ cpu: { limit: 250 }, memory, load: null }])
})

test('without limits, the hour of the change does not count', async () => {
  const here = place()
  const predictions = new SizePredictions(database, async () => undefined)
  await predictions.add(here.connectionId, { resource: 'service', id: 's', cpu: null, memory })
  const measuredAt = async (at: number) => {
    await loads.add(here, { ...scrape(1), at, after: at - 5 * minute })
    return (await predictions.of(here.connectionId, await loads.of(here)))[0]?.load
  }
  expect(await measuredAt(now + 1)).toBeNull()
  expect(await measuredAt(thisHour + hour + minute)).toMatchObject({ memory: { peak: 5 * gib } })
})

test('a size that waits for approval is in effect once its request was carried out, and forgotten if it is declined', async () => {
  const here = place()
  let state: ChangeRequestState = 'waiting'
  const decidedAt = new Date(now - hour).toISOString()
  const predictions = new SizePredictions(database, async () => ({ ...here, state, decidedAt }))
  await predictions.add(here.connectionId, { resource: 'pipe', id: 'p', cpu: half, memory: null, requestId: 'q' })
  const of = async () => predictions.of(here.connectionId, [])
  expect(await of()).toMatchObject([{ appliedAt: null, requestId: 'q', load: null }])
  state = 'carriedOut'
  expect(await of()).toMatchObject([{ appliedAt: now - hour }])
  state = 'declined'
  expect(await of()).toEqual([])
})
