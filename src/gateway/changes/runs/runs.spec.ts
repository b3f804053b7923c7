/** Things that runs must never do: write twice, or to a deployment that the plan was not made for. */
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { RunDetail, TargetPlan } from '#contract/console/runs.ts'
import { startMemoryUpstream, type MemoryUpstream } from '../../testing/memoryUpstream.ts'
import { RunStore } from './runStore.ts'
import { generousBudgetsFor, startTestGateway, openSourceSeed } from '../../testing/testGateway.ts'

const [from, to, other] = [
  await startMemoryUpstream('f'),
  await startMemoryUpstream('t'),
  await startMemoryUpstream('o'),
]
const connection = (id: string, { url }: MemoryUpstream) => openSourceSeed(id, url)
const gateway = await startTestGateway(from, {
  seeds: [connection('from', from), connection('to', to), connection('twin', to)],
  budgets: generousBudgetsFor(from.url, to.url, other.url),
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([from, to, other].map((one) => one.close()))
})

const names = ['One', 'Two', 'Three']
beforeEach(async () => {
  for (const { records, behaviour } of [from, to, other]) {
    for (const all of Object.values(records.records)) all.clear()
    behaviour.before = async () => {}
  }
  for (const name of names) await from.records.create('dashboards', { name, tags: [], tiles: [] })
})

const boards = ({ records }: MemoryUpstream) => [...records.records.dashboards.values()].map(({ name }) => name)
const chosen = () => [...from.records.records.dashboards.keys()].map((id) => ({ kind: 'dashboards', id }))
const promotion = (...targets: string[]) => ({
  from: 'from',
  records: chosen(),
  targets: targets.map((connectionId) => ({ connectionId })),
})

async function planned(...targets: string[]) {
  const { json } = await gateway.call('POST', '/api/promotions/plan', promotion(...targets))
  const plans = json.targets as TargetPlan[]
  return {
    ...promotion(...targets),
    digests: Object.fromEntries(plans.map((plan) => [plan.connectionId, plan.digest])),
  }
}

const start = (input: object) => gateway.call('POST', '/api/promotions', input)
const runOf = async (id: string) => (await gateway.call('GET', `/api/runs/${id}`)).json as unknown as RunDetail
const ended = (id: string) =>
  expect
    .poll(async () => (await runOf(id)).state)
    .not.toMatch(/running|stopping/)
    .then(() => runOf(id))
const started = async (input: object) => {
  const { json } = await start(input)
  expect(json.runs, JSON.stringify(json)).toHaveLength(1)
  return String(Object(json.runs)[0])
}

/** Holds back the first request that matches, until it is told to go on. */
function holdFirst({ behaviour }: MemoryUpstream, method: string) {
  let release = () => {}
  const go = new Promise<void>((resolve) => (release = resolve))
  const reached = new Promise<void>((arrived) => {
    behaviour.before = async (hit) => {
      if (hit.method !== method) return
      behaviour.before = async () => {}
      arrived()
      await go
    }
  })
  return { reached, release: () => release() }
}

/** Answers the first lists of dashboards only once so many were asked for: plans that are made at once. */
function holdLists({ behaviour }: MemoryUpstream, count: number) {
  let release = () => {}
  const go = new Promise<void>((resolve) => (release = resolve))
  let waiting = 0
  behaviour.before = async ({ method, url }) => {
    if (method !== 'GET' || !url.includes('/dashboards')) return
    waiting += 1
    if (waiting >= count) release()
    await go
  }
}

test('starts of one plan at once copy once', async () => {
  const input = await planned('to')
  holdLists(to, 3)
  const answers = await Promise.all([start(input), start(input), start(input)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
  const [id] = answers.flatMap(({ json }) => (Array.isArray(json.runs) ? json.runs.map(String) : []))
  expect(await ended(id ?? '')).toMatchObject({ state: 'done' })
  expect(boards(to)).toEqual(names)
})

test('two connections to one deployment are not written to at once', async () => {
  const input = await planned('to')
  const second = await planned('twin')
  const { reached, release } = holdFirst(to, 'POST')
  const id = await started(input)
  await reached
  expect((await start(second)).code).toBe('blocked')
  release()
  await ended(id)
  expect(boards(to)).toEqual(names)
})

test('a start with two targets of one deployment, or the same one twice, starts nothing', async () => {
  const both = await planned('to', 'twin')
  expect((await start(both)).code).toBe('invalid')
  expect((await start({ ...both, targets: [{ connectionId: 'to' }, { connectionId: 'to' }] })).code).toBe('invalid')
  expect(boards(to)).toEqual([])
})

test('a connection that is moved to another deployment during a run gets nothing, also when resumed', async () => {
  const input = await planned('to')
  const { reached, release } = holdFirst(to, 'POST')
  const id = await started(input)
  await reached
  const edited = { ...connection('to', other), stage: 'staging' }
  expect((await gateway.call('PUT', '/api/connections/to', edited)).status).toBe(200)
  release()
  const run = await ended(id)
  expect(run.state).toBe('failed')
  expect(boards(other)).toEqual([])
  expect((await gateway.call('POST', `/api/runs/${id}/resume`)).code).toBe('blocked')
  expect((await gateway.call('POST', `/api/runs/${id}/undo/plan`, {})).code).toBe('blocked')
  expect(boards(other)).toEqual([])
  await gateway.call('PUT', '/api/connections/to', { ...connection('to', to), stage: 'staging' })
  expect((await gateway.call('POST', `/api/runs/${id}/resume`)).status).toBe(200)
  expect((await ended(id)).state).toBe('done')
  expect(boards(to)).toEqual(names)
})

test('a run ends although the connection that it copies from is deleted meanwhile', async () => {
  const created = await gateway.call('POST', '/api/connections', {
    ...connection('', from),
    id: undefined,
    stage: 'staging',
    name: 'Gone',
  })
  const source = String(created.json.id)
  const planInput = { ...promotion('to'), from: source }
  const { json } = await gateway.call('POST', '/api/promotions/plan', planInput)
  const [plan] = json.targets as TargetPlan[]
  const { reached, release } = holdFirst(to, 'POST')
  const id = await started({ ...planInput, digests: { to: plan?.digest } })
  await reached
  expect((await gateway.call('DELETE', `/api/connections/${source}`)).status).toBe(200)
  release()
  expect(await ended(id)).toMatchObject({ state: 'done', counts: { done: 3 } })
})

test('a run is shown as under way until its deployment is free for another one', async () => {
  const { setState } = RunStore.prototype
  let release = () => {}
  const go = new Promise<void>((resolve) => (release = resolve))
  onTestFinished(() => release())
  const stored = new Promise<void>((isStored) => {
    vi.spyOn(RunStore.prototype, 'setState').mockImplementation(async function (this: RunStore, ...end) {
      await setState.apply(this, end)
      isStored()
      await go
    })
  })
  const id = await started(await planned('to'))
  await stored
  await from.records.create('dashboards', { name: 'Four', tags: [], tiles: [] })
  const next = await planned('to')
  expect((await runOf(id)).state).toBe('running')
  expect((await start(next)).code).toBe('blocked')
  release()
  expect((await ended(id)).state).toBe('done')
  expect(await ended(await started(next))).toMatchObject({ state: 'done' })
  expect(boards(to)).toEqual([...names, 'Four'])
})

test('an undo that is started twice at once undoes once, and an undo can be undone', async () => {
  const id = await started(await planned('to'))
  await ended(id)
  const { json: plan } = await gateway.call('POST', `/api/runs/${id}/undo/plan`, {})
  const undo = () => gateway.call('POST', `/api/runs/${id}/undo`, { digest: plan.digest })
  holdLists(to, 2)
  const answers = await Promise.all([undo(), undo()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
  const [undoId = ''] = answers.flatMap(({ json }) => (Array.isArray(json.runs) ? json.runs.map(String) : []))
  await ended(undoId)
  expect(boards(to)).toEqual([])
  const { json: again } = await gateway.call('POST', `/api/runs/${undoId}/undo/plan`, {})
  const back = await gateway.call('POST', `/api/runs/${undoId}/undo`, { digest: again.digest })
  await ended(String(Object(back.json.runs)[0]))
  expect(boards(to).toSorted()).toEqual(names.toSorted())
})

test('an import of files stops after the step under way, and is resumed: each record is written once', async () => {
  const files = Object.fromEntries(
    names.map((name) => [`dashboards/${name}.yaml`, strToU8(`name: ${name}\ntags: []\ntiles: []\n`)]),
  )
  const zip = Buffer.from(zipSync(files)).toString('base64')
  const url = '/api/connections/to/file-imports'
  const { json: plan } = await gateway.call('POST', `${url}/plan`, { zip })
  const { reached, release } = holdFirst(to, 'POST')
  const { json } = await gateway.call('POST', url, { zip, digests: { to: plan.digest } })
  const id = String(Object(json.runs)[0])
  await reached
  expect((await gateway.call('POST', `/api/runs/${id}/stop`)).status).toBe(200)
  release()
  expect(await ended(id)).toMatchObject({ kind: 'fileImport', state: 'stopped', counts: { done: 1 } })
  expect(boards(to)).toHaveLength(1)
  expect((await gateway.call('POST', `/api/runs/${id}/resume`)).status).toBe(200)
  expect(await ended(id)).toMatchObject({ state: 'done', counts: { done: 3 } })
  expect(boards(to).toSorted()).toEqual(names.toSorted())
  expect((await gateway.call('POST', `/api/runs/${id}/stop`)).code).toBe('blocked')
})
