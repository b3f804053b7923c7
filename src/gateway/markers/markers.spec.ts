import { afterAll, beforeEach, expect, test } from 'vitest'
import type { MarkerList } from '#contract/console/markers.ts'
import type { TargetPlan } from '#contract/console/runs.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { startMemoryUpstream, type MemoryUpstream } from '../testing/memoryUpstream.ts'
import { generousBudgetsFor, answerJson, startTestGateway, openSourceSeed } from '../testing/testGateway.ts'
import { signInAs, type SignedIn } from '../testing/testPeople.ts'

const [here, there] = [await startMemoryUpstream('h'), await startMemoryUpstream('t')]
const connection = (id: string, { url }: MemoryUpstream) => openSourceSeed(id, url)
const gateway = await startTestGateway(here, {
  seeds: [connection('here', here), connection('there', there)],
  budgets: generousBudgetsFor(here.url, there.url),
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
  expect(earlier.json).toEqual({ items: [], counts: {}, isLooking: false })
})

test('marks the deployments of the connection whose data is shown, for those who see both', async () => {
  await save('Kept')
  await report({ ...deployed, id: 'shown' }, gateway, 'there')
  const { items, counts } = await markersOf('here', '&deploymentsOf=there')
  expect(items.map(({ kind, name }) => [kind, name])).toEqual([
    ['dashboard', 'Kept'],
    ['deployment', deployed.title],
  ])
  expect(counts).toEqual({ dashboard: 1, deployment: 1 })
  expect((await markersOf('here')).counts).toEqual({ dashboard: 1 })
  const who = await signInAs(gateway, { role: 'none', roles: { here: 'viewer' } })
  const refused = await who.call('GET', address('here', '&deploymentsOf=there'))
  expect(refused.status).toBe(404)
  expect(refused.text).not.toContain(deployed.title)
  await report({ ...deployed, id: 'shown' })
  const ids = (await markersOf('here', '&deploymentsOf=there&kinds=deployment')).items.map(({ id }) => id)
  expect(ids.toSorted()).toEqual(['report/here/shown', 'report/there/shown'])
  for (const id of ['here', 'there']) await gateway.call('DELETE', `/api/c/${id}/markers/shown`)
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

/** Every marker of a range without a change in it. */
const long = 'from=2026-01-01T00:00:00Z&to=2030-01-01T00:00:00Z&kinds=deployment'
const deployments = async (id = 'here') =>
  ((await gateway.call('GET', `/api/c/${id}/markers?${long}`)).json as unknown as MarkerList).items
const report = (body: object, { call }: Pick<SignedIn, 'call'> = gateway, id = 'here') =>
  call('POST', `/api/c/${id}/markers`, body)

/** A personal token with a role, as a release pipeline has it. */
async function pipeline(role: 'viewer' | 'editor', connections: string[] | null = null) {
  const who = await signInAs(gateway, { role, roles: {}, name: 'Release pipeline' })
  const made = await who.call('POST', '/api/account/tokens', { name: 'ci', role, connections, days: 30 })
  expect(made.status, made.text).toBe(200)
  const authorization = `Bearer ${String(made.json['secret'] ?? made.json['token'])}`
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(gateway.address + path, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, json: JSON.parse(text) as Record<string, unknown> } // an answer of the API
  }
  return { ...who, call: call as SignedIn['call'] }
}

const deployed = { id: 'run-1', title: 'Payment 1.42.0', service: 'payment', version: '1.42.0' }

test('a release pipeline reports a deployment with its token: once, however often it is sent', async () => {
  const ci = await pipeline('editor')
  const [first, again] = [await report(deployed, ci), await report(deployed, ci)]
  expect(first.status, first.text).toBe(200)
  expect(again.json).toEqual(first.json)
  await Promise.all([1, 2, 3].map(() => report({ ...deployed, id: 'at-once' }, ci)))
  expect((await deployments()).map(({ id }) => id).toSorted()).toEqual(['report/here/at-once', 'report/here/run-1'])
  expect((await report({ ...deployed, version: '1.43.0' }, ci)).json['code']).toBe('conflict')
  expect((await deployments())[0]).toMatchObject({
    kind: 'deployment',
    name: 'Payment 1.42.0',
    release: { service: 'payment', version: '1.42.0' },
  })
  expect(await deployments('there')).toEqual([])
  for (const id of ['run-1', 'at-once']) expect((await ci.call('DELETE', `/api/c/here/markers/${id}`)).status).toBe(200)
  expect((await ci.call('DELETE', '/api/c/here/markers/run-1')).status).toBe(404)
  expect(await deployments()).toEqual([])
})

test('a token needs the role editor, on its connections only', async () => {
  expect((await report(deployed, await pipeline('viewer'))).status).toBe(403)
  const other = await pipeline('editor', ['there'])
  expect((await report(deployed, other)).status).toBe(404)
  expect((await other.call('DELETE', '/api/c/here/markers/run-1')).status).toBe(404)
  expect((await report(deployed, { call: (await pipeline('editor')).call }, 'nothing')).status).toBe(404)
  expect(await deployments()).toEqual([])
})

test.each([
  ['a script as its address', { url: 'javascript:alert(1)' }],
  ['an address without a scheme', { url: '//example.com' }],
  ['a password in its address', { url: 'https://ci:secret@example.com/run/1' }],
  ['a user name in its address', { url: 'https://ci@example.com/run/1' }],
  ['a password after slashes of both kinds', { url: 'https://\\/ci:secret@example.com/run/1' }],
  ['a user name after slashes of both kinds', { url: 'https://\\/ci@example.com/run/1' }],
  ['a password after one slash', { url: 'https:/\\/ci:secret@example.com/run/1' }],
  ['a password after a tab', { url: 'https://\t/ci:secret@example.com/run/1' }],
  ['two lines in its title', { title: 'one\ntwo' }],
  ['an empty title', { title: ' ' }],
  ['a title that is too long', { title: 'a'.repeat(201) }],
  ['an ID with a slash', { id: '../../x' }],
  ['a time that lies ahead', { at: '2999-01-01T00:00:00Z' }],
  ['a time of another century', { at: '1926-01-01T00:00:00Z' }],
  ['a field that does not exist', { html: '<b>bold</b>' }],
  ['a NUL character', { text: 'a\0b' }],
])('refuses a report with %s', async (_, more) => {
  expect((await report({ ...deployed, ...more })).code).toBe('invalid')
})

test('refuses a report beyond its size, and more than 200 an hour', async () => {
  expect((await report({ ...deployed, text: 'x'.repeat(40_000) })).status).toBe(413)
  for (let at = 0; at < 200; at++) await report({ ...deployed, id: `flood-${at}` }, gateway, 'there')
  const refused = await report({ ...deployed, id: 'one-more' }, gateway, 'there')
  expect(refused.code).toBe('rateLimited')
  // The known markers are returned all the same.
  expect((await report({ ...deployed, id: 'flood-7' }, gateway, 'there')).status).toBe(200)
  expect((await report({ ...deployed, id: 'elsewhere' })).status).toBe(200)
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
