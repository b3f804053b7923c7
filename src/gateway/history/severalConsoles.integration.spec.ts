/** The history of two consoles on one PostgreSQL database: one entry for each write, with who made it, and for each change outside. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Change, ChangePage } from '#contract/console/history.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { openDatabase } from '../database/database.ts'
import { startMemoryUpstream, type MemoryUpstream } from '../testing/memoryUpstream.ts'
import { generousBudgetsFor, startTestGateway, type TestGateway } from '../testing/testGateway.ts'
import { signInAs, type SignedIn } from '../testing/testPeople.ts'

const dashboards = '/api/c/oss/stack/dashboards'
const history = '/api/connections/oss/history'
const input = (name: string, query = '') => ({ name, tags: query === '' ? [] : [query], tiles: [] })

let upstream: MemoryUpstream
let consoles: readonly [TestGateway, TestGateway]
let databaseUrl: string
/** The person who works on each console. */
let people: readonly [SignedIn, SignedIn]
beforeAll(async () => {
  upstream = await startMemoryUpstream('d')
  databaseUrl = await newDatabase()
  const shared = { databaseUrl, secret: 'the-secret-of-both-consoles-31' }
  const options = { ...shared, budgets: generousBudgetsFor(upstream.url) }
  const one = await startTestGateway(upstream, options)
  consoles = [one, await startTestGateway(upstream, options)]
  people = [
    await signInAs(one, { name: 'Ada', role: 'administrator' }),
    await signInAs(one, { name: 'Ben', role: 'administrator' }),
  ]
}, 60_000)
afterAll(async () => {
  await Promise.all(consoles.map((console) => console.close()))
  await upstream.close()
})
beforeEach(() => {
  upstream.behaviour.before = async () => {}
})

const on = (at: number, method: string, path: string, body?: unknown) =>
  consoles[at]!.call(method, path, body, { cookie: people[at]!.cookie }) // there are two

/** The entries that both consoles show of a record, or of all of them, once both have looked at the list. */
async function shown(recordId?: string): Promise<Change[]> {
  for (const at of [0, 1]) {
    await on(at, 'GET', dashboards)
    // Reads so far are stored before it answers.
    await on(at, 'GET', history)
  }
  const query = recordId === undefined ? '?limit=200' : `?kind=dashboards&recordId=${recordId}`
  const read = () => Promise.all([0, 1].map((at) => on(at, 'GET', history + query)))
  // A console stores what it has read itself before it shows the history, and not what the other one has.
  await read()
  const pages = await read()
  const [first, second] = pages.map(({ text }) => (JSON.parse(text) as ChangePage).items) // what the route returns
  expect(second).toEqual(first)
  return first!.toReversed() // there are two
}

const told = ({ action, cause, outcome, actor }: Change) => [action, cause, outcome, actor].join(' ')

test('each write through either console is one entry with the person who made it', { timeout: 60_000 }, async () => {
  for (const at of [0, 1]) await on(at, 'GET', dashboards)
  await shown()
  // Lists are read on both all the time, also while a write is under way.
  const over = new AbortController()
  const reading = [0, 1].map(async (at) => {
    while (!over.signal.aborted) {
      await on(at, 'GET', dashboards)
      await on(at, 'GET', `${history}/totals`)
    }
  })
  const names = ['Ada', 'Ben']
  const written = await Promise.all(
    Array.from({ length: 6 }, async (_, round) => {
      const statuses: number[] = []
      const created = await on(round % 2, 'POST', dashboards, input(`Dashboard ${round}`))
      const id = String(Object(created.json['result']).id)
      for (let edit = 1; edit <= 4; edit++) {
        const { status } = await on(
          (round + edit) % 2,
          'PUT',
          `${dashboards}/${id}`,
          input(`Dashboard ${round}`, `${edit}`),
        )
        statuses.push(status)
      }
      const { status } = await on(round % 2, 'DELETE', `${dashboards}/${id}`)
      return { id, round, statuses: [created.status, ...statuses, status] }
    }),
  )
  over.abort()
  await Promise.all(reading)
  for (const { id, round, statuses } of written) {
    expect(new Set(statuses)).toEqual(new Set([200]))
    const changes = await shown(id)
    const who = (edit: number) => names[(round + edit) % 2] ?? ''
    expect(changes.map(told)).toEqual([
      `created console done ${who(0)}`,
      ...[1, 2, 3, 4].map((edit) => `updated console done ${who(edit)}`),
      `deleted console done ${who(0)}`,
    ])
    // Each starts from what the one before led to.
    for (const [place, change] of changes.entries())
      if (place > 0) expect(change.before).toBe(changes[place - 1]?.after)
  }
  expect((await shown()).filter(({ cause }) => cause === 'outside')).toEqual([])
})

test('a change outside is one entry, whichever consoles see it', async () => {
  await upstream.records.create('dashboards', input('Theirs'))
  const id = [...upstream.records.records.dashboards.keys()].at(-1) ?? ''
  await Promise.all([0, 1].map((at) => on(at, 'GET', dashboards)))
  expect((await shown(id)).map(told)).toEqual(['created outside found '])
  await on(0, 'PUT', `${dashboards}/${id}`, input('Ours'))
  // Differences in the first read after a write belong to the write.
  await shown(id)
  await upstream.records.update('dashboards', id, input('Theirs again'))
  await Promise.all([1, 0].map((at) => on(at, 'GET', dashboards)))
  const changes = ['created outside found ', 'updated console done Ada', 'updated outside found ']
  expect((await shown(id)).map(told)).toEqual(changes)
  // It is as it was once before.
  await upstream.records.update('dashboards', id, input('Theirs'))
  await on(1, 'GET', dashboards)
  await upstream.records.update('dashboards', id, input('Theirs again'))
  expect((await shown(id)).map(told)).toEqual([...changes, 'updated outside found ', 'updated outside found '])
})

test('what a response left out is read by the other console, and is no change outside', async () => {
  await upstream.records.create('dashboards', input('Short'))
  const id = [...upstream.records.records.dashboards.keys()].at(-1) ?? ''
  await shown(id)
  upstream.behaviour.before = async ({ method }) => {
    if (method !== 'PUT') return
    // It stores more than it answers with.
    setImmediate(() => void upstream.records.update('dashboards', id, { ...input('Short 2'), extra: 'stored' }))
  }
  await on(0, 'PUT', `${dashboards}/${id}`, input('Short 2'))
  await on(1, 'GET', dashboards)
  const changes = ['created outside found ', 'updated console done Ada']
  expect((await shown(id)).map(told)).toEqual(changes)
  await upstream.records.update('dashboards', id, input('Short 3'))
  expect((await shown(id)).map(told)).toEqual([...changes, 'updated outside found '])
})

test('a list that was read while the other console creates is no change outside', async () => {
  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  let arrived = () => {}
  const isCreated = new Promise<void>((done) => (arrived = done))
  const create = upstream.records.create.bind(upstream.records)
  upstream.records.create = async (kind, body) => {
    const record = await create(kind, body)
    arrived()
    await released
    return record
  }
  const creating = on(0, 'POST', dashboards, input('Slow'))
  await isCreated
  await on(1, 'GET', dashboards)
  await on(1, 'GET', history)
  release()
  await creating
  const slow = (await shown()).filter(({ name }) => name === 'Slow')
  expect(slow.map(told)).toEqual(['created console done Ada'])
})

test('a write whose outcome could not be stored is completed once that is possible', async () => {
  await upstream.records.create('dashboards', input('Failed'))
  const id = [...upstream.records.records.dashboards.keys()].at(-1) ?? ''
  await shown(id)
  const database = await openDatabase('/nowhere', databaseUrl)
  const rename = (from: string, to: string) =>
    database.transact(({ run }) => run(`ALTER TABLE ${from} RENAME TO ${to}`))
  upstream.behaviour.before = async ({ method }) => {
    if (method === 'PUT') await rename('versions', 'away')
  }
  expect((await on(0, 'PUT', `${dashboards}/${id}`, input('Failed 2'))).status).toBe(200)
  await rename('away', 'versions')
  await database.close()
  await expect
    .poll(async () => (await shown(id)).map(told))
    .toEqual(['created outside found ', 'updated console done Ada'])
  expect((await shown(id)).at(-1)?.reason).toBe(
    'The outcome could not be stored at once. What is stored was checked afterwards.',
  )
})
