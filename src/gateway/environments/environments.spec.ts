/** Connections side by side, in front of scripted deployments. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import type {
  Comparison,
  ComparisonPage,
  ListedComparison,
  ConnectionState,
  FieldComparisonView,
  StatePage,
} from '#contract/console/environments.ts'
import {
  generousBudgetsFor,
  answerJson,
  startTestGateway,
  startUpstream,
  type Hit,
  openSourceSeed,
} from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

const secret = 'T0SECRETPATH9f3b2c'
const config = { displayType: 'line', configType: 'builder', select: [{ aggFn: 'count', where: '' }] }

/** The lists of a small deployment. Ids have the prefix. */
function listsOf(prefix: string, changed = false): Record<string, unknown[]> {
  const id = (name: string) => `${prefix}${name}`
  const tile = { id: id('tile'), name: 'Errors', x: 0, y: 0, w: 6, h: 3, config: { ...config, sourceId: id('source') } }
  return {
    sources: [{ id: id('source'), name: 'Logs', kind: 'log', connection: 'c1' }],
    webhooks: [
      { id: id('hook'), name: 'On call', service: 'slack', url: `https://hooks.example/services/${prefix}${secret}` },
    ],
    'saved-searches': [],
    dashboards: [
      { id: id('board'), name: 'Shop', tags: changed ? ['new'] : [], tiles: [tile] },
      ...(changed ? [] : [{ id: id('only'), name: 'Carts', tags: [], tiles: [] }]),
    ],
    alerts: [
      {
        id: id('alert'),
        name: 'Too many errors',
        source: 'tile',
        dashboardId: id('board'),
        tileId: id('tile'),
        state: changed ? 'ALERT' : 'OK',
        threshold: 5,
        thresholdType: 'above',
        interval: '5m',
        channel: { type: 'webhook', webhookId: id('hook') },
      },
    ],
  }
}

const answerWith =
  (lists: Record<string, unknown[]>) => (hit: Hit, response: Parameters<ReturnType<typeof answerJson>>[1]) => {
    const name = /\/api\/v2\/([\w-]+)/.exec(hit.url)?.[1] ?? ''
    const rows = lists[name]
    const answer = rows
      ? answerJson({ data: rows, meta: { total: rows.length, limit: 1000, offset: 0 } })
      : answerJson({ message: 'Not found' }, 404)
    return answer(hit, response)
  }

const [here, there] = [await startUpstream(), await startUpstream()]
const seed = (id: string, baseUrl: string) => openSourceSeed(id, baseUrl)
const dead = 'http://127.0.0.1:9'
const gateway = await startTestGateway(here, {
  seeds: [seed('here', here.url), seed('there', there.url), seed('dead', dead)],
  budgets: generousBudgetsFor(here.url, there.url, dead),
})
afterAll(async () => {
  await gateway.close()
  await here.close()
  await there.close()
})
beforeEach(async () => {
  here.become(answerWith(listsOf('a')))
  there.become(answerWith(listsOf('b', true)))
  await Promise.all([stateOf('here'), stateOf('there')])
})

// The requests of the gateway: tests look at whatever came.
const get = async <T>(path: string) => (await gateway.call('GET', path)).json as T
async function stateOf(id: string): Promise<ConnectionState> {
  for (let query = 'reading=fresh'; ; query = 'reading=follow') {
    const { states, reading } = await get<StatePage>(`/api/connection-states?${query}`)
    const state = states.find(({ connectionId }) => connectionId === id)
    if (state && !reading.includes(id)) return state
  }
}
const compare = (id: string, baseline = 'here') =>
  get<Comparison>(`/api/connections/${id}/comparison?baseline=${baseline}`)
const rowOf = async (name: string, id = 'there') => (await compare(id)).rows.find((row) => row.name === name)

test('says what a connection has, and how many alerts fire', async () => {
  expect(await stateOf('there')).toMatchObject({
    connectionId: 'there',
    counts: { dashboards: 1, alerts: 1, sources: 1, webhooks: 1 },
    firing: [{ id: 'balert', name: 'Too many errors', state: 'ALERT' }],
    latency: expect.any(Number),
    budget: { limit: 1_000_000 },
  })
})

test('compares by name: same, different, missing', async () => {
  expect((await compare('there')).rows.map(({ kind, name, state }) => [kind, name, state])).toEqual([
    ['sources', 'Logs', 'same'],
    ['webhooks', 'On call', 'differs'],
    ['dashboards', 'Carts', 'missing'],
    ['dashboards', 'Shop', 'differs'],
    ['alerts', 'Too many errors', 'same'],
  ])
  expect(await rowOf('Shop')).toMatchObject({ fields: 1, changed: ['tags 1'], id: 'bboard', baselineId: 'aboard' })
})

/** All connections beside the baseline, followed to the end. @returns them by connection, and the cursor */
async function compareAll(first = '', call = gateway.call) {
  const found = new Map<string, ListedComparison>()
  for (let query = first; ;) {
    const reply = await call('GET', `/api/connections/here/comparisons?${query}`)
    expect(reply.status).toBe(200)
    const page = reply.json as unknown as ComparisonPage // the response of the route
    for (const comparison of page.comparisons) found.set(comparison.connectionId, comparison)
    if (page.comparing.length === 0 && !page.isCut) return { found, cursor: page.cursor }
    query = `since=${page.cursor}`
  }
}

test('compares all connections in one response, which says the same as one for each, and sends nothing for it', async () => {
  const { found } = await compareAll()
  expect([...found.keys()].toSorted()).toEqual(['here', 'there'])
  for (const [id, { rows, kinds }] of found) {
    const whole = await compare(id)
    // The baseline has all of its rows, and the others none that are the same.
    const listed = whole.rows.filter(({ state }) => id === 'here' || state !== 'same')
    expect({ rows, kinds }).toEqual({ rows: listed, kinds: whole.kinds })
  }
  expect(found.get('there')?.rows.length).toBeLessThan((await compare('there')).rows.length)
  expect(found.get('there')?.baselineRows).toBe(found.get('here')?.baselineRows)
  const sent = [here, there].map(({ hits }) => hits.length)
  expect((await compareAll()).found).toEqual(found)
  expect([here, there].map(({ hits }) => hits.length)).toEqual(sent)
})

test('returns only what compares otherwise since the last response', async () => {
  const { cursor } = await compareAll()
  // Read again, they have the same records.
  await stateOf('there')
  expect((await compareAll(`since=${cursor}`)).found.size).toBe(0)
  there.become(answerWith(listsOf('b')))
  await stateOf('there')
  const { found } = await compareAll(`since=${cursor}`)
  expect(found.get('there')?.rows.find(({ name }) => name === 'Shop')).toBeUndefined()
  expect(await rowOf('Shop')).toMatchObject({ state: 'same' })
})

test('does not compare a deployment again because of records that it does not offer', async () => {
  const { webhooks: _, ...offered } = listsOf('b', true)
  there.become(answerWith(offered))
  await stateOf('there')
  const { cursor } = await compareAll()
  await stateOf('there')
  expect((await compareAll(`since=${cursor}`)).found.size).toBe(0)
})

test('shows no comparison with a connection that somebody does not see', async () => {
  await compareAll()
  const person = await signInAs(gateway, { role: 'none', roles: { here: 'viewer' } })
  expect([...(await compareAll('', person.call)).found.keys()]).toEqual(['here'])
  const other = await signInAs(gateway, { role: 'none', roles: { there: 'viewer' } })
  expect((await other.call('GET', '/api/connections/here/comparisons')).code).toBe('notFound')
})

test('a difference of secrets is shown without them', async () => {
  const path = '/api/connections/there/comparison/fields?baseline=here&kind=webhooks&name=On%20call'
  const answer = await gateway.call('GET', path)
  const { changes } = answer.json as unknown as FieldComparisonView
  expect(changes).toMatchObject([{ field: 'url', before: expect.stringContaining('https://hooks.example/') }])
  const all = answer.text + (await gateway.call('GET', '/api/connections/there/comparison?baseline=here')).text
  expect(all).not.toContain(secret)
  expect(gateway.log.join('')).not.toContain(secret)
})

test('what a key may not read is unknown, with the reason', async () => {
  there.become((hit, response) =>
    hit.url.includes('/sources')
      ? answerJson({ message: 'no' }, 403)(hit, response)
      : answerWith(listsOf('b', true))(hit, response),
  )
  await stateOf('there')
  const { kinds, rows } = await compare('there')
  expect(kinds.sources).toMatchObject({ state: 'failed' })
  expect(rows.find(({ name }) => name === 'Logs')).toMatchObject({ state: 'unknown', reason: kinds.sources?.reason })
  // The alert uses no source, its dashboard does.
  expect(rows.find(({ name }) => name === 'Too many errors')?.state).toBe('same')
  expect(rows.find(({ name }) => name === 'Shop')).toMatchObject({ state: 'differs', fields: 1 })
})

test('a dead connection has a reason, and nothing of it is the same', async () => {
  expect((await stateOf('dead')).problem).toMatch(/./)
  const { rows } = await compare('dead')
  expect(new Set(rows.map((row) => row.state))).toEqual(new Set(['unknown']))
})

test('a slow connection delays only its own comparison', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  there.become(async (hit, response) => {
    await held
    return answerWith(listsOf('b'))(hit, response)
  })
  const slow = stateOf('there')
  await expect.poll(() => there.hits.length).toBeGreaterThan(0)
  expect((await compare('here')).rows).toHaveLength(5)
  release()
  expect((await slow).counts).toMatchObject({ dashboards: 2 })
})

test('reads once for all that is shown, and again after a write or when told', async () => {
  there.become(answerWith(listsOf('b')))
  await stateOf('there')
  const reads = there.hits.length
  await compare('there')
  await rowOf('Shop')
  expect(there.hits).toHaveLength(reads)
  await gateway.call('DELETE', '/api/c/there/stack/dashboards/bonly')
  there.become(answerWith(listsOf('b', true)))
  expect((await rowOf('Carts'))?.state).toBe('missing')
})

test('records that people match are compared until that is taken back', async () => {
  const lists = listsOf('b')
  there.become(answerWith({ ...lists, sources: [{ id: 'bsource', name: 'Logs US', kind: 'log', connection: 'c1' }] }))
  await stateOf('there')
  expect((await rowOf('Shop'))?.state).toBe('differs')
  const records = [
    { connectionId: 'here', id: 'asource' },
    { connectionId: 'there', id: 'bsource' },
  ]
  const input = { kind: 'sources', name: 'Logs', records }
  expect((await gateway.call('POST', '/api/record-matches', input)).status).toBe(200)
  expect(await rowOf('Logs')).toMatchObject({ state: 'differs', changed: ['name'], byHand: true })
  expect((await rowOf('Shop'))?.state).toBe('same')
  const removal = { kind: 'sources', ...records[1] }
  expect((await gateway.call('DELETE', '/api/record-matches', removal)).status).toBe(200)
  expect((await rowOf('Logs'))?.state).toBe('missing')
})

test('refuses a match of what is not there, or of one connection with itself', async () => {
  const match = (one: object, other: object) =>
    gateway.call('POST', '/api/record-matches', { kind: 'sources', name: 'Logs', records: [one, other] })
  const source = { connectionId: 'here', id: 'asource' }
  expect((await match(source, { connectionId: 'there', id: 'gone' })).code).toBe('invalid')
  expect((await match(source, source)).code).toBe('invalid')
})

test('refuses a baseline that does not exist', async () => {
  expect((await gateway.call('GET', '/api/connections/there/comparison?baseline=gone')).code).toBe('notFound')
})
