import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { granularitySeconds } from '#contract/stack/charts.ts'
import type { MarkerList } from '#contract/console/markers.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import {
  generousBudgetsFor,
  answerJson,
  secrets,
  startTestGateway,
  startUpstream,
  type Hit,
} from '../testing/testGateway.ts'

const minute = 60_000
const hour = 60 * minute

/** A service that reports a row a minute in a range, with a version. */
interface Running {
  service: string
  version: string
  from: number
  to: number
}

let running: Running[] = []
const query = z.object({
  startTime: z.number(),
  endTime: z.number(),
  granularity: z.string(),
  series: z.array(z.object({ groupBy: z.array(z.string()) })),
})

/** A deployment that counts those rows by what it is asked to group them by. */
const answer = ({ url, body }: Hit) => {
  if (url.startsWith('/api/v2/sources')) return answerJson({ data: [{ id: 'spans', name: 'Traces', kind: 'trace' }] })
  if (!url.startsWith('/api/v2/charts/series')) return answerJson({ data: [] })
  const { startTime, endTime, granularity, series } = query.parse(JSON.parse(body))
  expect(series[0]?.groupBy[0]).toBe('ServiceName')
  const bucket = granularitySeconds(granularity, startTime, endTime) * 1_000
  const data = running.flatMap(({ service, version, from, to }) => {
    const buckets = new Set<number>()
    for (let at = from; at < to; at += minute) {
      if (at >= startTime && at < endTime) buckets.add(Math.floor(at / bucket) * bucket)
    }
    return [...buckets].map((at) => ({ ts_bucket: at, group: [service, version, '', ''], 'series_0.data': '1' }))
  })
  return answerJson({ data })
}
const upstream = await startUpstream((hit, response) => answer(hit)(hit, response))
const gateway = await startTestGateway(upstream, {
  seeds: [],
  budgets: generousBudgetsFor(upstream.url),
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

/** Each test has a connection that nobody looked at. */
let connectionId = ''
beforeEach(async () => {
  running = []
  upstream.become((hit, response) => answer(hit)(hit, response))
  const body = {
    name: 'Shop',
    variant: 'openSource',
    baseUrl: upstream.url,
    allowPrivate: true,
    accessKey: secrets.accessKey,
  }
  connectionId = String((await gateway.call('POST', '/api/connections', body)).json['id'])
  upstream.hits.length = 0
})

const now = Math.floor(currentTime() / minute) * minute
async function markers(from: number, to: number, id = connectionId, more = '') {
  const range = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
  const { status, text } = await gateway.call('GET', `/api/c/${id}/markers?${range}&kinds=deployment${more}`)
  expect(status, text).toBe(200)
  return (JSON.parse(text) as MarkerList).items // as the contract says
}
const queries = () => upstream.hits.filter(({ url }) => url.includes('/charts/series')).length

test('finds the minute in which a new version appeared, and not the versions that were there before', async () => {
  const at = now - 3 * hour + 7 * minute
  running = [
    { service: 'payment', version: '1.41', from: now - 40 * hour, to: now },
    { service: 'payment', version: '1.42', from: at, to: now },
    { service: 'cart', version: '7', from: now - 40 * hour, to: now },
  ]
  const found = await markers(now - 6 * hour, now)
  expect(found).toMatchObject([
    {
      kind: 'deployment',
      name: 'payment 1.42',
      at: new Date(at).toISOString(),
      release: { service: 'payment', version: '1.42', isFound: true },
    },
  ])
})

test('looks at a wider range that is asked for during the look at a narrower one', async () => {
  running = [
    { service: 'payment', version: 'a', from: now - 100 * hour, to: now },
    { service: 'payment', version: 'b', from: now - 40 * hour, to: now },
  ]
  const [narrow, wide] = await Promise.all([markers(now - hour, now), markers(now - 48 * hour, now)])
  expect(narrow).toEqual([])
  expect(wide).toMatchObject([{ name: 'payment b' }])
})

test('looks at a range once, with at most four queries, and never while nobody asks', async () => {
  running = [
    { service: 'payment', version: 'a', from: now - 40 * hour, to: now },
    ...Array.from({ length: 12 }, (_, index) => ({
      service: 'payment',
      version: `b${index}`,
      from: now - (index + 1) * 20 * minute,
      to: now,
    })),
  ]
  expect(await markers(now - 6 * hour, now)).toHaveLength(12)
  expect(queries()).toBeLessThanOrEqual(4)
  upstream.hits.length = 0
  expect((await markers(now - 2 * hour, now)).length).toBeGreaterThan(0)
  expect((await markers(now - 6 * hour, now - hour)).length).toBeGreaterThan(0)
  expect(queries()).toBe(0)
})

test('a service whose versions never repeat has no deployments, and hides none', async () => {
  running = [
    ...Array.from({ length: 700 }, (_, at) => ({
      service: 'job',
      version: `run ${at}`,
      from: now - 8 * hour + at * 30_000,
      to: now - 8 * hour + at * 30_000 + minute,
    })),
    { service: 'cart', version: '1', from: now - 10 * hour, to: now },
    { service: 'cart', version: '2', from: now - hour, to: now },
  ]
  expect((await markers(now - 9 * hour, now)).map(({ name }) => name)).toEqual(['cart 2'])
})

test('a service that is new, and a version that comes back, are no deployments', async () => {
  running = [
    { service: 'payment', version: '1', from: now - 20 * hour, to: now - 3 * hour },
    { service: 'payment', version: '2', from: now - 3 * hour, to: now - 2 * hour },
    { service: 'payment', version: '1', from: now - 2 * hour, to: now },
    { service: 'new', version: '1', from: now - hour, to: now },
  ]
  expect((await markers(now - 6 * hour, now)).map(({ name }) => name)).toEqual(['payment 2'])
})

test('a longer range is looked at as well, and what was found stays as exact as it was', async () => {
  const at = now - hour + 7 * minute
  running = [
    { service: 'payment', version: '1', from: now - 100 * hour, to: now },
    { service: 'payment', version: '2', from: now - 50 * hour, to: now },
    { service: 'payment', version: '3', from: at, to: now },
  ]
  const near = await markers(now - 2 * hour, now)
  expect(near.map(({ name }) => name)).toEqual(['payment 3'])
  const far = await markers(now - 60 * hour, now)
  expect(far.map(({ name }) => name)).toEqual(['payment 2', 'payment 3'])
  expect(far[1]).toEqual(near[0])
})

test('a deployment that fails, answers nonsense or has no charts has only the other marks', async () => {
  upstream.become(answerJson({ message: 'No.' }, 500))
  expect(await markers(now - hour, now)).toEqual([])
  upstream.become((hit, response) =>
    (hit.url.includes('charts')
      ? answerJson({ data: [{ ts_bucket: 'x' }, 7, { ts_bucket: 1, group: 'a' }] })
      : answer(hit))(hit, response),
  )
  const body = {
    name: 'Other',
    variant: 'openSource',
    baseUrl: upstream.url,
    allowPrivate: true,
    accessKey: secrets.accessKey,
  }
  const other = String((await gateway.call('POST', '/api/connections', body)).json['id'])
  expect(await markers(now - hour, now, other)).toEqual([])
})

test('a reported deployment takes the place of the same one that was found', async () => {
  running = [
    { service: 'payment', version: '1', from: now - 40 * hour, to: now },
    { service: 'payment', version: '2', from: now - hour, to: now },
  ]
  const report = {
    id: 'r1',
    title: 'Payment 2',
    service: 'payment',
    version: '2',
    at: new Date(now - hour).toISOString(),
  }
  expect((await gateway.call('POST', `/api/c/${connectionId}/markers`, report)).status).toBe(200)
  expect((await markers(now - 2 * hour, now)).map(({ name }) => name)).toEqual(['Payment 2'])
})

test('also where it was reported to the connection that is asked, and found on the one whose data is shown', async () => {
  const shown = connectionId
  const body = { name: 'Asked', variant: 'openSource', baseUrl: upstream.url, allowPrivate: true }
  const made = await gateway.call('POST', '/api/connections', { ...body, accessKey: secrets.accessKey })
  const asked = String(made.json['id'])
  running = []
  expect(await markers(now - 2 * hour, now, asked)).toEqual([])
  running = [
    { service: 'payment', version: '1', from: now - 40 * hour, to: now },
    { service: 'payment', version: '2', from: now - hour, to: now },
  ]
  const at = new Date(now - hour).toISOString()
  const report = { id: 'r1', title: 'Payment 2', service: 'payment', version: '2', at }
  expect((await gateway.call('POST', `/api/c/${asked}/markers`, report)).status).toBe(200)
  const found = await markers(now - 2 * hour, now, asked, `&deploymentsOf=${shown}`)
  expect(found.map(({ name }) => name)).toEqual(['Payment 2'])
})

const day = 24 * hour
/** As if a connection had been looked at up to a time, and these versions were found. */
async function looked(until: number, found: readonly { service: string; version: string; at: number }[]) {
  await markers(now - hour, now)
  const database = await openTestDatabase(`${gateway.folder}/data`)
  const [place] = await database.rows('SELECT deployment FROM version_searches WHERE connection_id = ?', [connectionId])
  const deployment = String(place?.['deployment'])
  await database.write(
    {
      sql: 'UPDATE version_searches SET from_at = ?, to_at = ? WHERE connection_id = ?',
      args: [new Date(now - 30 * day).toISOString(), new Date(until).toISOString(), connectionId],
    },
    ...found.map(({ service, version, at }) => ({
      sql: `INSERT INTO found_versions (connection_id, deployment, service, version, first_at, is_new)
        VALUES (?, ?, ?, ?, ?, 1)`,
      args: [connectionId, deployment, service, version, new Date(at).toISOString()],
    })),
  )
  await database.close()
}
/** The stored versions of a service. */
async function storedOf(service: string) {
  const database = await openTestDatabase(`${gateway.folder}/data`)
  const rows = await database.rows(
    'SELECT version FROM found_versions WHERE connection_id = ? AND service = ? ORDER BY version',
    [connectionId, service],
  )
  await database.close()
  return rows.map(({ version }) => String(version))
}

test('a service with many releases in all keeps its newest ones, and forgets those that are too old to be shown', async () => {
  const releases = Array.from({ length: 250 }, (_, at) => ({
    service: 'payment',
    version: `r${at}`,
    at: now - 2 * hour - at * 2.4 * hour,
  }))
  await looked(now - 5 * minute, [...releases, { service: 'gone', version: '1', at: now - 20 * day }])
  running = [{ service: 'payment', version: 'r250', from: now - 2 * minute, to: now }]
  const found = await markers(now - 5 * hour, now)
  expect(found.map(({ name }) => name)).toEqual(['payment r1', 'payment r0', 'payment r250'])
  expect((await storedOf('payment')).length).toBe(releases.filter(({ at }) => at >= now - 9 * day).length + 1)
  expect(await storedOf('gone')).toEqual(['1'])
})

test('a version that still runs when it is too old to be shown does not become new again', async () => {
  await looked(now - hour, [
    { service: 'payment', version: 'old', at: now - 20 * day },
    { service: 'payment', version: 'newer', at: now - 10 * day },
  ])
  running = [
    { service: 'payment', version: 'old', from: now - 20 * day, to: now },
    { service: 'payment', version: 'newer', from: now - 10 * day, to: now },
  ]
  expect(await markers(now - 20 * day, now)).toEqual([])
  expect(await storedOf('payment')).toEqual(['newer', 'old'])
})

test('with too many versions, all days that can be shown are looked at again', async () => {
  const many = Array.from({ length: 10_001 }, (_, at) => ({ service: `s${at}`, version: '1', at: now - 7 * day }))
  await looked(now - hour, many)
  running = [
    { service: 'payment', version: '1', from: now - 9 * day, to: now },
    { service: 'payment', version: '2', from: now - 5 * day, to: now },
    { service: 'payment', version: '3', from: now - 2 * hour, to: now },
  ]
  expect((await markers(now - 3 * hour, now)).map(({ name }) => name)).toEqual(['payment 3'])
  expect((await markers(now - 7 * day, now)).map(({ name }) => name)).toEqual(['payment 2', 'payment 3'])
  expect(await storedOf('payment')).toEqual(['1', '2', '3'])
})
