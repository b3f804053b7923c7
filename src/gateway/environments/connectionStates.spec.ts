/** The states of all connections in a few responses, in front of scripted deployments. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { ConnectionState, RecentChanges, StatePage } from '#contract/console/environments.ts'
import {
  generousBudgetsFor,
  answerJson,
  startTestGateway,
  startUpstream,
  type Hit,
  openSourceSeed,
} from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

const alert = (id: string, state: string) => ({ id, name: id, source: 'tile', state, threshold: 5, message: 'long' })

/** A deployment with a few records. */
const answerWith =
  (dashboards: readonly string[], state = 'OK') =>
  (hit: Hit, response: Parameters<ReturnType<typeof answerJson>>[1]) => {
    const lists: Record<string, unknown[]> = {
      dashboards: dashboards.map((name) => ({ id: name, name, tags: [], tiles: [] })),
      alerts: [alert('pays', state), alert('idle', 'OK')],
      sources: [],
      webhooks: [],
      'saved-searches': [],
    }
    const rows = lists[/\/api\/v2\/([\w-]+)/.exec(hit.url)?.[1] ?? '']
    return (rows ? answerJson({ data: rows }) : answerJson({ message: 'Not found' }, 404))(hit, response)
  }

const [here, there, slow] = [await startUpstream(), await startUpstream(), await startUpstream()]
const seed = (id: string, baseUrl: string) => openSourceSeed(id, baseUrl, { accessKey: `key-of-${id}-0123456789` })
const dead = 'http://127.0.0.1:9'
/** More than are read at the same time, and first in the list. */
const slowIds = Array.from({ length: 8 }, (_, at) => `slow${at}`)
const gateway = await startTestGateway(here, {
  seeds: [
    ...slowIds.map((id) => seed(id, slow.url)),
    seed('here', here.url),
    seed('there', there.url),
    seed('dead', dead),
  ],
  budgets: generousBudgetsFor(here.url, there.url, slow.url, dead),
})
afterAll(async () => {
  await gateway.close()
  for (const upstream of [here, there, slow]) await upstream.close()
})
beforeEach(() => {
  here.become(answerWith(['Shop', 'Carts']))
  there.become(answerWith(['Shop'], 'ALERT'))
  slow.become(answerWith([]))
})

const path = '/api/connection-states'
type Call = typeof gateway.call

async function page(query: string, call: Call = gateway.call): Promise<StatePage> {
  const { json, status } = await call('GET', `${path}?${query}`)
  expect(status).toBe(200)
  return json as unknown as StatePage // the response of the route, whose fields the tests look at
}

/** Follows until nothing is being read, as the page does. @returns the last state of each connection, and the cursor */
async function read(first: string, call: Call = gateway.call) {
  const states = new Map<string, ConnectionState>()
  let query = first
  for (;;) {
    const next = await page(query, call)
    for (const state of next.states) states.set(state.connectionId, state)
    if (next.reading.length === 0) return { states, cursor: next.cursor }
    query = `reading=follow&baseline=here&since=${next.cursor}`
  }
}

const paths = (hits: readonly Hit[]) => hits.map(({ url }) => new URL(url, 'http://host').pathname).toSorted()

test('says of each connection what it has, what fires and how far it is from the baseline', async () => {
  const { states } = await read('reading=fresh&baseline=here')
  expect([...states.keys()].toSorted()).toEqual([...slowIds, 'dead', 'here', 'there'].toSorted())
  expect(states.get('there')).toMatchObject({
    counts: { dashboards: 1, alerts: 2, sources: 0 },
    latency: expect.any(Number),
    budget: { limit: 1_000_000 },
    drift: { differences: 1, notComparable: 0 },
  })
  // The fields that a list shows, and no other.
  expect(states.get('there')?.firing).toEqual([{ id: 'pays', name: 'pays', source: 'tile', state: 'ALERT' }])
  expect(states.get('here')?.firing).toEqual([])
  expect(states.get('here')?.drift).toBeUndefined()
  const { problem, counts, firing } = states.get('dead') ?? {}
  expect({ problem, counts, firing }).toEqual({ problem: expect.stringMatching(/./), counts: {}, firing: undefined })
})

test('slow connections delay no other, even if they are many', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  slow.become(async (hit, response) => {
    await held
    return answerWith([])(hit, response)
  })
  const { cursor } = await read('reading=poll&baseline=here')
  let query = `reading=fresh&since=${cursor}`
  const found = new Set<string>()
  while (!['here', 'there', 'dead'].every((id) => found.has(id))) {
    const next = await page(query)
    for (const { connectionId } of next.states) found.add(connectionId)
    expect(next.reading).toEqual(expect.arrayContaining(slowIds))
    query = `reading=follow&since=${next.cursor}`
  }
  expect([...found].filter((id) => slowIds.includes(id))).toEqual([])
  // Their last states are still there for whoever comes now.
  expect((await page('reading=follow')).states.map(({ connectionId }) => connectionId)).toEqual(
    expect.arrayContaining(slowIds),
  )
  release()
  const { states } = await read(query)
  expect([...states.keys()]).toEqual(expect.arrayContaining(slowIds))
})

test('what is new is returned while other connections are still being read', async () => {
  const { cursor: first } = await read('reading=fresh&baseline=here')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  slow.become(async (hit, response) => {
    await held
    return answerWith([])(hit, response)
  })
  let query = `reading=fresh&since=${first}`
  const found = new Set<string>()
  let last: StatePage
  do {
    last = await page(query)
    for (const { connectionId } of last.states) found.add(connectionId)
    query = `reading=follow&since=${last.cursor}`
  } while (!['here', 'there', 'dead'].every((id) => found.has(id)))
  // A caller that has the newest version waits for news; one that has nothing gets all of it at once.
  const nothingNew = page(query).then(() => 'nothing new')
  const someNew = page(`reading=follow&since=${first}`).then(({ states }) => states.length)
  expect(await Promise.race([nothingNew, someNew])).toBe(3)
  release()
  await Promise.all([nothingNew, read(query)])
})

test('reads again what is asked for: the alerts for a page that opens, everything on a refresh or after a write', async () => {
  const { cursor } = await read('reading=fresh')
  there.become(answerWith(['Shop'], 'OK'))
  expect((await read(`reading=poll&since=${cursor}`)).states.size).toBe(0)
  expect(there.hits).toEqual([])
  const opened = await read('reading=open')
  expect(paths(there.hits)).toEqual(['/api/v2/alerts'])
  expect(opened.states.get('there')?.firing).toEqual([])
  await gateway.call('DELETE', '/api/c/there/stack/dashboards/Shop')
  there.become(answerWith([]))
  const polled = await read(`reading=poll&since=${opened.cursor}`)
  expect(polled.states.get('there')?.counts.dashboards).toBe(0)
  expect(paths(there.hits)).toContain('/api/v2/dashboards')
})

test('many who look at the same time share one reading', async () => {
  await read('reading=fresh')
  here.become(answerWith(['Shop', 'Carts']))
  const all = await Promise.all(Array.from({ length: 6 }, () => read('reading=open')))
  for (const { states } of all) expect(states.get('here')?.counts.dashboards).toBe(2)
  // Requests that come while nothing is being read any more begin another one.
  expect(here.hits.length).toBeLessThan(6)
})

test('why it is not known what fires is said, and the rest of what is known stays', async () => {
  await read('reading=fresh')
  there.become((hit, response) =>
    hit.url.includes('/alerts')
      ? answerJson({ message: 'no' }, 403)(hit, response)
      : answerWith(['Shop'])(hit, response),
  )
  const state = (await read('reading=open')).states.get('there')
  expect(state).toMatchObject({ firingUnknown: expect.stringMatching(/./), counts: { dashboards: 1, alerts: 2 } })
  expect(state).not.toHaveProperty('firing')
  expect(state).not.toHaveProperty('problem')
})

test('shows only the connections that somebody sees, and compares with no other', async () => {
  const person = await signInAs(gateway, { role: 'none', roles: { there: 'viewer' } })
  const { states } = await read('reading=fresh&baseline=here', person.call)
  expect([...states.keys()]).toEqual(['there'])
  expect(states.get('there')?.drift).toBeUndefined()
  const { states: all } = await page('reading=follow', person.call)
  expect(all.map(({ connectionId }) => connectionId)).toEqual(['there'])
  const nobody = await signInAs(gateway, { role: 'none', roles: {} })
  expect(await page('reading=open', nobody.call)).toMatchObject({ states: [], reading: [] })
  expect((await gateway.call('GET', path, undefined, { cookie: '' })).code).toBe('signedOut')
})

test('a cursor of another process gets everything', async () => {
  await read('reading=fresh')
  const { states } = await page('reading=follow&since=0d3c.7')
  expect(states).toHaveLength(slowIds.length + 3)
  expect((await gateway.call('GET', `${path}?reading=all`)).code).toBe('invalid')
})

test('the last changes of all connections are in one response, for those who see them', async () => {
  await gateway.call('DELETE', '/api/c/there/stack/dashboards/Shop')
  await gateway.call('DELETE', '/api/c/slow1/stack/dashboards/Old')
  const recent = async (call: Call) => (await call('GET', '/api/recent-changes')).json as unknown as RecentChanges[]
  const all = await recent(gateway.call)
  expect(all.map(({ connectionIds }) => connectionIds)).toEqual([slowIds, ['here'], ['there'], ['dead']])
  const [ofSlow] = all
  expect(ofSlow?.changes[0]).toMatchObject({ action: 'deleted', recordId: 'Old', connectionId: 'slow1' })
  const person = await signInAs(gateway, { role: 'none', roles: { slow2: 'viewer' } })
  const [seen, ...others] = await recent(person.call)
  expect([seen?.connectionIds, others]).toEqual([['slow2'], []])
  // It was sent through a connection to the same deployment that they do not see.
  expect(seen?.changes[0]).toMatchObject({ recordId: 'Old' })
  expect(seen?.changes[0]).not.toHaveProperty('connectionId')
})
