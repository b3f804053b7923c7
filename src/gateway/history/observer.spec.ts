import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { api } from '#contract/index.ts'
import { wallClock } from '#node/clock/wallClock.ts'
import { answerJson, gatewayForTests } from '../testing/testGateway.ts'
import { openTestHistory, target, type TestHistory } from '../testing/testHistory.ts'
import { locationOf } from '#contract/console/deployments.ts'

let history: TestHistory
beforeEach(async () => {
  history = await openTestHistory()
})
afterEach(async () => {
  expect(history.errors).toEqual([])
  await history.close()
})

const board = (id: string, name = id) => ({ id, name, tiles: [] })
const three = [board('one'), board('two'), board('three')]
const gone = async () =>
  [...(await history.known()).values()].filter(({ goneAt }) => goneAt !== null).map(({ id }) => id)
const shown = async () => (await history.changes()).map(({ action, cause, name }) => `${action} ${cause} ${name}`)

test('a whole list shows what is new, what changed and what is gone', async () => {
  await history.listed(three)
  expect(await shown()).toEqual([])
  await history.listed([board('one'), board('two', 'renamed'), board('four')])
  expect(await gone()).toEqual(['three'])
  expect(await shown()).toEqual(['deleted outside three', 'created outside four', 'updated outside renamed'])
})

test('the pipes of one service say nothing about those of another', async () => {
  const managed = { ...target, variant: 'managed' as const, organizationId: 'o', serviceId: 'own' }
  const pipes = (serviceId: string, rows: unknown) => {
    const operation = { endpoint: api.pipes.list, path: '/', params: { serviceId }, priority: 'user' } as const
    history.journal.seen(managed, operation, rows, performance.now(), true)
    return history.journal.settled()
  }
  const changes = (serviceId: string) =>
    history.store.list(locationOf({ ...managed, serviceId }).deployment, { limit: 500 })
  const pipe = { id: 'p', name: 'Orders' }
  await pipes('own', [pipe])
  await pipes('other', [])
  await pipes('own', [pipe])
  expect(await changes('own')).toEqual([])
  await pipes('other', [{ id: 'q', name: 'Clicks' }])
  await pipes('own', [])
  expect((await changes('own')).map(({ action, name }) => `${action} ${name}`)).toEqual(['deleted Orders'])
  expect((await changes('other')).map(({ action, name }) => `${action} ${name}`)).toEqual(['created Clicks'])
})

test('reads of a list right after one another are all looked at', async () => {
  await history.listed([])
  const reads = [[board('one')], [board('one', 'renamed')], []]
  await Promise.all(reads.map((rows) => history.listed(rows)))
  expect(await shown()).toEqual(['deleted outside renamed', 'updated outside renamed', 'created outside one'])
})

describe('records are never marked as gone by', () => {
  beforeEach(() => history.listed(three))
  afterEach(async () => {
    expect(await gone()).toEqual([])
    expect((await history.known()).size).toBe(3)
  })

  test('a part of a list', () => history.listed([board('one')], { isComplete: false }))
  test('something else than a list', () => history.listed({ message: 'maintenance' }))
  test('a list with a row that has no id', () => history.listed([board('one'), { name: 'two' }]))
  test('a list with a row that is no record', () => history.listed([board('one'), board('two'), 'three']))
})

test('a list from before a creation does not have what it created', async () => {
  await history.listed(three)
  const startedAt = performance.now()
  const end = await history.begin('new')
  await end?.({ result: board('new') })
  await history.listed(three, { startedAt })
  expect(await gone()).toEqual([])
  expect(await shown()).toEqual(['created console new'])
})

test('a list with a record that is being created waits for its creation, and shows what others did', async () => {
  await history.listed(three)
  const end = await history.begin('new')
  await history.listed([...three.with(0, board('one', 'renamed')), board('new'), board('theirs')])
  expect(await shown()).toEqual(['updated outside renamed', 'created console new'])
  await end?.({ result: board('new') })
  await nextTurn()
  await history.journal.settled()
  expect(await shown()).toEqual(['created outside theirs', 'updated outside renamed', 'created console new'])
})

test('a creation whose response was lost is found in the next list', async () => {
  await history.listed(three)
  const end = await history.begin('new')
  await end?.(new Error('lost'))
  await history.listed([...three, board('id-of-new', 'new')])
  expect(await history.changes()).toMatchObject([
    { action: 'created', cause: 'console', outcome: 'done', recordId: 'id-of-new', name: 'new' },
  ])
})

test('a record that appears hours after a lost response does not come from that creation', async () => {
  await history.listed(three)
  const end = await history.begin('new')
  await end?.(new Error('lost'))
  onTestFinished(() => void vi.restoreAllMocks())
  vi.spyOn(wallClock, 'now').mockImplementation(() => Date.now() + 2 * 3_600_000)
  await history.listed([...three, board('id-of-new', 'new')])
  expect(await history.changes()).toMatchObject([
    { action: 'created', cause: 'outside', outcome: 'found', recordId: 'id-of-new' },
    { action: 'created', cause: 'console', outcome: 'unknown' },
  ])
})

test('a read from before a save does not take it back', async () => {
  await history.listed(three)
  const startedAt = performance.now()
  const end = await history.begin('saved', 'one')
  await end?.({ result: board('one', 'saved') })
  await history.listed(three, { startedAt })
  expect(await shown()).toEqual(['updated console saved'])
})

test('what is saved while a long list is looked at stays, in memory and on the disk', async () => {
  const many = Array.from({ length: 200 }, (_, at) => board(`board-${at}`))
  await history.listed(many)
  const reading = history.listed(many.map(({ id }) => board(id, `${id} by others`)))
  const saving = async () => {
    for (const { id } of many.filter((_, at) => at % 3 === 0)) {
      // Between two slices of the other work.
      await nextTurn()
      const end = await history.begin(`${id} saved`, id)
      await end?.({ result: board(id, `${id} saved`) })
    }
  }
  await Promise.all([reading, saving()])
  const stored = await history.known()
  const { deployment } = locationOf(target)
  expect(await history.states.known(deployment, 'dashboards')).toEqual(stored)
  for (const [at, { id }] of many.entries()) {
    expect(stored.get(id)?.name).toBe(`${id} ${at % 3 === 0 ? 'saved' : 'by others'}`)
    const [newest] = await history.queries.versions(deployment, 'dashboards', id)
    expect(newest).toMatchObject({ version: stored.get(id)?.hash, isCurrent: true })
  }
})

describe('alerts that are missed before the dashboard that they went with', () => {
  const alerts = [{ id: 'alert', name: 'Too slow', dashboardId: 'one', tileId: 'tile' }]
  const list = { kind: 'alerts' } as const
  let later = 0
  const beforeDeletionOf = async (name: string) => {
    const deleted = await history.queries.deleted(history.deployment)
    const at = Date.parse(deleted.find((record) => record.name === name)?.at ?? '')
    const { present } = await history.queries.at(history.deployment, new Date(at - 1).toISOString())
    return present.map(({ id }) => id).toSorted()
  }
  beforeEach(async () => {
    later = 0
    vi.spyOn(wallClock, 'now').mockImplementation(() => Date.now() + later)
    await history.listed(three)
    await history.listed(alerts, list)
    later += 60_000
  })
  afterEach(() => vi.restoreAllMocks())

  test('were there right before its deletion', async () => {
    await history.listed([], list)
    later += 60_000
    await history.listed(three.slice(1))
    expect(await shown()).toEqual(['deleted outside one', 'deleted outside Too slow'])
    expect(await beforeDeletionOf('one')).toEqual(['alert', 'one', 'three', 'two'])
  })

  test('were not, if the dashboard was seen after them', async () => {
    await history.listed([], list)
    await history.listed(three)
    later += 60_000
    await history.listed(three.slice(1))
    expect(await beforeDeletionOf('one')).toEqual(['one', 'three', 'two'])
  })

  test('were not, if both were read together while the dashboard was still there', async () => {
    const startedAt = performance.now()
    await history.listed(three)
    await history.listed([], { ...list, startedAt })
    later += 60_000
    await history.listed(three.slice(1))
    expect(await beforeDeletionOf('one')).toEqual(['one', 'three', 'two'])
  })

  test('were not, if this console saved the dashboard after them', async () => {
    await history.listed([], list)
    later += 60_000
    const end = await history.begin('saved', 'one')
    await end?.({ result: board('one', 'saved') })
    later += 60_000
    await history.listed(three.slice(1))
    expect(await beforeDeletionOf('saved')).toEqual(['one', 'three', 'two'])
  })
})

describe('through the gateway', async () => {
  const { upstream, gateway } = await gatewayForTests()
  const webhook = (at: number) => ({ id: `hook-${at}`, name: `Hook ${at}`, service: 'generic' })
  const hooks = Array.from({ length: 1_500 }, (_, at) => webhook(at))
  const list = () => gateway.call('GET', '/api/c/oss/stack/webhooks')
  const totals = async () => (await gateway.call('GET', '/api/connections/oss/history/totals')).json
  const pages = (isBroken: boolean) => {
    upstream.become((hit, response) => {
      const offset = Number(new URL(hit.url, upstream.url).searchParams.get('offset'))
      if (isBroken && offset > 0) return answerJson({ message: 'broken' }, 500)(hit, response)
      const meta = { total: hooks.length, limit: 1_000, offset }
      return answerJson({ data: hooks.slice(offset, offset + 1_000), meta })(hit, response)
    })
  }

  test('a list that ends early or cannot be read marks nothing as gone', async () => {
    pages(false)
    expect((await list()).status).toBe(200)
    expect(await totals()).toMatchObject({ records: 1_500, deleted: 0 })
    pages(true)
    expect((await list()).status).not.toBe(200)
    for (const status of [401, 403, 404, 500]) {
      upstream.become(answerJson({ message: 'no' }, status))
      await list()
    }
    expect(await totals()).toMatchObject({ records: 1_500, deleted: 0 })
    upstream.become(answerJson({ data: hooks.slice(1), meta: { total: 1_499 } }))
    expect((await list()).status).toBe(200)
    expect(await totals()).toMatchObject({ records: 1_500, deleted: 1 })
  })
})
