/** A console that starts again: it shows what was read before, reads it again, and replaces it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ComparisonPage, RecordSearch, StatePage } from '#contract/console/environments.ts'
import { openTestDatabase, testDatabaseUrl } from '../testing/testDatabase.ts'
import {
  generousBudgetsFor,
  answerJson,
  startTestGateway,
  startUpstream,
  type Hit,
  type TestGateway,
  openSourceSeed,
} from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

let release = () => {}
let held = Promise.resolve()
/** Holds the responses of all deployments until `release` is called. */
const hold = () => {
  held = new Promise((resolve) => (release = resolve))
}

/** The names of the dashboards of each deployment, when it answers. */
const dashboards = { here: ['Shop', 'Carts'], there: ['Shop'] }
const answerOf =
  (deployment: keyof typeof dashboards) =>
  async (hit: Hit, response: Parameters<ReturnType<typeof answerJson>>[1]): Promise<void> => {
    await held
    const list = /\/api\/v2\/([\w-]+)/.exec(hit.url)?.[1]
    const alerts = [{ id: 'pays', name: 'Pays', source: 'tile', state: 'ALERT' }]
    const boards = dashboards[deployment].map((name) => ({ id: name, name, tags: [], tiles: [] }))
    answerJson({ data: list === 'dashboards' ? boards : list === 'alerts' ? alerts : [] })(hit, response)
  }

const [here, there] = [await startUpstream(), await startUpstream()]
const seed = (id: string, baseUrl: string) => openSourceSeed(id, baseUrl, { accessKey: `key-of-${id}-0123456789` })
const dataDir = mkdtempSync(join(tmpdir(), 'last-readings-'))
let gateway: TestGateway

async function start(): Promise<TestGateway> {
  return startTestGateway(here, {
    dataDir,
    databaseUrl: await testDatabaseUrl(dataDir),
    seeds: [seed('here', here.url), seed('there', there.url), seed('twin', there.url)],
    budgets: generousBudgetsFor(here.url, there.url),
  })
}

async function restart(): Promise<void> {
  await gateway.close()
  gateway = await start()
}

beforeAll(async () => {
  here.become(answerOf('here'))
  there.become(answerOf('there'))
  gateway = await start()
})
afterAll(async () => {
  release()
  await gateway.close()
  await Promise.all([here.close(), there.close()])
  rmSync(dataDir, { recursive: true, force: true })
})

async function ask<T>(path: string, call = gateway.call): Promise<T> {
  const { json, status } = await call('GET', path)
  expect(status).toBe(200)
  return json as unknown as T // the response of the route, whose fields the tests look at
}
const states = (query: string) => ask<StatePage>(`/api/connection-states?${query}`)
const compared = (query = '') => ask<ComparisonPage>(`/api/connections/here/comparisons${query}`)
const search = () => ask<RecordSearch>('/api/record-search?q=shop')

/** Follows both until nothing is being read or compared. @returns the connections that were compared */
async function readAll(baseline = 'here'): Promise<string[]> {
  let page = await states(`reading=open&baseline=${baseline}`)
  while (page.reading.length > 0) page = await states(`reading=follow&baseline=${baseline}&since=${page.cursor}`)
  const compared = (query = '') => ask<ComparisonPage>(`/api/connections/${baseline}/comparisons${query}`)
  let comparison = await compared()
  const found = new Set(comparison.comparisons.map(({ connectionId }) => connectionId))
  while (comparison.comparing.length > 0) {
    comparison = await compared(`?since=${comparison.cursor}`)
    for (const { connectionId } of comparison.comparisons) found.add(connectionId)
  }
  return [...found].toSorted()
}

test('what was read before the start is shown while no deployment answers, and then replaced', async () => {
  expect(await readAll()).toEqual(['here', 'there', 'twin'])
  const before = new Map((await states('reading=follow')).states.map((state) => [state.connectionId, state]))
  hold()
  await restart()
  const page = await states('reading=open&baseline=here')
  expect(page.reading).toEqual(['here', 'there', 'twin'])
  expect(page.states).toHaveLength(3)
  for (const state of page.states) {
    const { readAt, counts, firing } = before.get(state.connectionId) ?? {}
    // The time tells how old it is.
    expect(state).toMatchObject({ readAt, counts, firing })
    expect(state).not.toHaveProperty('latency')
  }
  expect(page.states.find(({ connectionId }) => connectionId === 'there')?.drift).toEqual({
    differences: 1,
    notComparable: 0,
  })
  const { comparisons, comparing } = await compared()
  expect(comparing).toEqual(['here', 'there', 'twin'])
  expect(comparisons.map(({ connectionId, rows }) => [connectionId, rows.map(({ name }) => name)])).toEqual(
    expect.arrayContaining([['there', ['Carts']]]),
  )
  expect((await search()).records.map(({ connectionId }) => connectionId)).toEqual(['here', 'there', 'twin'])

  dashboards.there = ['Shop', 'Carts', 'Orders', 'Returns']
  release()
  await readAll()
  const [after] = (await states('reading=follow&baseline=here')).states.filter(
    (state) => state.connectionId === 'there',
  )
  expect(after).toMatchObject({ counts: { dashboards: 4 }, drift: { differences: 2 }, latency: expect.any(Number) })
  expect(Date.parse(after?.readAt ?? '')).toBeGreaterThan(Date.parse(before.get('there')?.readAt ?? ''))
})

test('records that have not changed since are not compared again', async () => {
  await readAll()
  await restart()
  await states('reading=open&baseline=here')
  const { cursor, comparisons } = await compared()
  expect(comparisons).toHaveLength(3)
  let page = await compared(`?since=${cursor}`)
  const again = [...page.comparisons]
  while (page.comparing.length > 0) {
    page = await compared(`?since=${page.cursor}`)
    again.push(...page.comparisons)
  }
  expect(again).toEqual([])
})

test('a person gets what was read before only of the connections that they see', async () => {
  await readAll()
  hold()
  await restart()
  const person = await signInAs(gateway, { role: 'none', roles: { twin: 'viewer' } })
  const page = await ask<StatePage>('/api/connection-states?reading=open&baseline=here', person.call)
  expect(page.states.map(({ connectionId }) => connectionId)).toEqual(['twin'])
  // Compared for those who see all three.
  expect(page.states[0]?.drift).toBeUndefined()
  expect((await ask<RecordSearch>('/api/record-search?q=shop', person.call)).records).toMatchObject([
    { connectionId: 'twin' },
  ])
  release()
})

test('nothing is shown of a connection that leads elsewhere since', async () => {
  await readAll()
  hold()
  await restart()
  const list = await ask<{ id: string }[]>('/api/connections')
  const edited = { ...list.find(({ id }) => id === 'there'), baseUrl: here.url, accessKey: 'another-key-0123456789' }
  expect((await gateway.call('PUT', '/api/connections/there', edited)).status).toBe(200)
  expect((await states('reading=open')).states.map(({ connectionId }) => connectionId)).toEqual(['here', 'twin'])
  release()
})

test('nothing is kept of a connection that is deleted, also while it is read and while others are compared with it', async () => {
  await readAll('twin')
  hold()
  await states('reading=fresh&baseline=twin')
  expect((await gateway.call('DELETE', '/api/connections/twin')).status).toBe(200)
  release()
  await readAll()
  await gateway.close()
  const database = await openTestDatabase(dataDir)
  const rows = await database.rows('SELECT connection_id AS id, baseline_id AS baseline FROM last_readings')
  await database.close()
  gateway = await start()
  expect(new Set(rows.flatMap(({ id, baseline }) => [id, baseline ?? id]))).toEqual(new Set(['here', 'there']))
})
