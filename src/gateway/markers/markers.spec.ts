import { afterAll, beforeEach, expect, test } from 'vitest'
import type { MarkerList } from '#contract/markers.ts'
import type { TargetPlan } from '#contract/runs.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { startMemoryUpstream, type MemoryUpstream } from '../testing/memoryUpstream.ts'
import { ampleFor, answerJson, secrets, startTestGateway } from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

const [here, there] = [await startMemoryUpstream('h'), await startMemoryUpstream('t')]
const connection = (id: string, { url }: MemoryUpstream) => ({
  id,
  name: id,
  variant: 'openSource' as const,
  baseUrl: url,
  allowPrivate: true,
  accessKey: secrets.accessKey,
})
const gateway = await startTestGateway(here, {
  seeds: [connection('here', here), connection('there', there)],
  budgets: ampleFor(here.url, there.url),
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([here.close(), there.close()])
})

/** Only what a test did itself is in its range. */
let from = ''
beforeEach(async () => {
  await gateway.call('POST', '/api/connections/here/history/snapshot', {})
  await gateway.call('POST', '/api/connections/there/history/snapshot', {})
  from = new Date(currentTime() + 1).toISOString()
  await expect.poll(() => new Date(currentTime()).toISOString() > from).toBe(true)
})

const address = (id: string, more = '') => {
  const to = new Date(currentTime() + 60_000).toISOString()
  return `/api/c/${id}/markers?from=${from}&to=${to}${more}`
}
const markersOf = async (id: string, more = '', { call } = gateway) =>
  (await call('GET', address(id, more))).json as unknown as MarkerList
const save = (name: string, id = 'here') =>
  gateway.call('POST', `/api/c/${id}/stack/dashboards`, { name, tags: [], tiles: [] })

test('marks what was saved here, with who saved it, the oldest first', async () => {
  const who = await signInAs(gateway, { role: 'editor', roles: {}, name: 'Ada' })
  await save('First')
  await who.call('POST', '/api/c/here/stack/dashboards', { name: 'Second', tags: [], tiles: [] })
  const { items, counts } = await markersOf('here')
  expect(items).toMatchObject([
    { kind: 'dashboard', name: 'First', change: { action: 'created', cause: 'console', kind: 'dashboards', count: 1 } },
    { kind: 'dashboard', name: 'Second', actor: 'Ada' },
  ])
  expect(counts).toEqual({ dashboard: 2 })
})

test('marks a change outside of this console as that, whatever its record is', async () => {
  await here.records.create('dashboards', { name: 'By a script', tags: [], tiles: [] })
  await gateway.call('POST', '/api/connections/here/history/snapshot', {})
  expect((await markersOf('here')).items).toMatchObject([{ kind: 'outside', name: 'By a script' }])
})

test('marks a promotion once, with the number of its changes, and does not name where it came from', async () => {
  await save('One')
  await save('Two')
  const promotion = {
    from: 'here',
    records: [...here.records.records.dashboards.keys()].map((id) => ({ kind: 'dashboards', id })),
    targets: [{ connectionId: 'there' }],
  }
  const { json } = await gateway.call('POST', '/api/promotions/plan', promotion)
  const [plan] = json['targets'] as TargetPlan[] // a plan for each target
  const started = await gateway.call('POST', '/api/promotions', {
    ...promotion,
    digests: { there: plan?.digest ?? '' },
  })
  const run = String(Object(started.json['runs'])[0])
  await expect.poll(async () => (await gateway.call('GET', `/api/runs/${run}`)).json['state']).toBe('done')
  const { items, counts } = await markersOf('there')
  const { size } = here.records.records.dashboards
  expect(items).toMatchObject([{ kind: 'promotion', change: { run, count: size } }])
  expect(counts).toEqual({ promotion: 1 })
  expect(JSON.stringify(items)).not.toContain('here')
})

test('leaves out what was refused, other kinds than those asked for, and other times', async () => {
  await save('Kept')
  const { respond } = here
  here.become(answerJson({ message: 'No.' }, 400))
  expect((await save('Refused')).status).toBe(422)
  here.become(respond)
  expect((await markersOf('here')).items.map(({ name }) => name)).toEqual(['Kept'])
  const { items, counts } = await markersOf('here', '&kinds=alert,silence')
  expect(items).toEqual([])
  expect(counts).toEqual({ dashboard: 1 })
  const earlier = await gateway.call('GET', `/api/c/here/markers?from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z`)
  expect(earlier.json).toEqual({ items: [], counts: {} })
})

test('a connection that somebody does not see is not found, and its names are in no other one', async () => {
  await save('Secret plan')
  const who = await signInAs(gateway, { role: 'none', roles: { there: 'viewer' } })
  const refused = await who.call('GET', address('here'))
  expect(refused.status).toBe(404)
  expect(refused.json['message']).toBe((await who.call('GET', address('nothing'))).json['message'])
  const seen = await who.call('GET', address('there'))
  expect(seen.status).toBe(200)
  expect(seen.text).not.toContain('Secret plan')
})

test.each([
  ['a range that ends before it begins', 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'],
  ['a range without an end', 'from=2026-01-02T00:00:00Z'],
  ['a range of a century', 'from=1926-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'],
  ['a kind that does not exist', 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&kinds=alert,other'],
  ['a quote', "from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&kinds=alert'"],
])('refuses %s', async (_, query) => {
  expect((await gateway.call('GET', `/api/c/here/markers?${query}`)).code).toBe('invalid')
})
