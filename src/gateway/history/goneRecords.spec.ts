import { afterEach, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/index.ts'
import { openTestHistory, target, type TestHistory } from '../testing/testHistory.ts'

let history: TestHistory
beforeEach(async () => {
  history = await openTestHistory()
})
afterEach(async () => {
  expect(history.errors).toEqual([])
  await history.close()
})

const board = (id: string, name = 'Board') => ({ id, name, tiles: [] })
const gone = (id: string) => history.queries.gone(history.deployment, 'dashboards', id)
const broughtBack = async (...ids: string[]) => Promise.all(ids.map(async (id) => (await gone(id))?.broughtBackAs))

/** Creates a dashboard as a restore does. */
async function restore(id: string): Promise<void> {
  const end = await history.journal.begin(target, {
    endpoint: api.dashboards.create,
    path: '/api/v2/dashboards',
    params: {},
    body: JSON.stringify({ name: 'Board', tiles: [] }),
    priority: 'user',
    cause: { origin: 'restore', actor: 'Ada', personId: null, run: 'run-1' },
  })
  await end?.({ result: board(id) })
  await history.journal.settled()
}

test('only a record that is gone is', async () => {
  await history.listed([board('a')])
  expect([await gone('a'), await gone('never')]).toEqual([undefined, undefined])
  await history.listed([])
  expect(await gone('a')).toEqual({ name: 'Board', at: expect.any(String) })
})

test('old IDs lead to the record that came back, however often', async () => {
  await history.listed([board('a')])
  await history.listed([])
  await restore('b')
  expect(await broughtBack('a')).toEqual(['b'])
  await history.listed([])
  expect(await broughtBack('a', 'b')).toEqual([undefined, undefined])
  await restore('c')
  expect(await broughtBack('a', 'b')).toEqual(['c', 'c'])
})

test('a new record of the same name is another one', async () => {
  await history.listed([board('a')])
  await history.listed([board('b')])
  expect(await broughtBack('a')).toEqual([undefined])
})

test('of two that were deleted under one name, neither leads to the one that came back', async () => {
  await history.listed([board('a'), board('b')])
  await history.listed([])
  await restore('c')
  expect(await broughtBack('a', 'b')).toEqual([undefined, undefined])
})
