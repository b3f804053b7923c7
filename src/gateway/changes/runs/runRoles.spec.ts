/** Runs as attackers see them: roles on target and source, also when they change while a run is under way. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Run, RunDetail, TargetPlan } from '#contract/console/runs.ts'
import { startMemoryUpstream, type MemoryUpstream } from '../../testing/memoryUpstream.ts'
import { generousBudgetsFor, startTestGateway, openSourceSeed } from '../../testing/testGateway.ts'
import { signInAs, type SignedIn } from '../../testing/testPeople.ts'

const [from, to] = [await startMemoryUpstream('f'), await startMemoryUpstream('t')]
const connection = (id: string, { url }: MemoryUpstream) => openSourceSeed(id, url)
const gateway = await startTestGateway(from, {
  seeds: [connection('from', from), connection('to', to)],
  budgets: generousBudgetsFor(from.url, to.url),
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([from.close(), to.close()])
})

beforeEach(async () => {
  for (const { records, behaviour } of [from, to]) {
    for (const all of Object.values(records.records)) all.clear()
    behaviour.before = async () => {}
  }
  for (const name of ['One', 'Two', 'Three']) await from.records.create('dashboards', { name, tags: [], tiles: [] })
})

const boards = () => to.records.records.dashboards.size
const promotion = () => ({
  from: 'from',
  records: [...from.records.records.dashboards.keys()].map((id) => ({ kind: 'dashboards', id })),
  targets: [{ connectionId: 'to' }],
})
async function start({ call }: Pick<SignedIn, 'call'>) {
  const { json } = await call('POST', '/api/promotions/plan', promotion())
  const [plan] = json['targets'] as TargetPlan[] // a plan for each target
  return call('POST', '/api/promotions', { ...promotion(), digests: { to: plan?.digest ?? '' } })
}
const runOf = async (id: string) => (await gateway.call('GET', `/api/runs/${id}`)).json as unknown as RunDetail
const ended = (id: string) =>
  expect
    .poll(async () => (await runOf(id)).state)
    .not.toMatch(/running|stopping/)
    .then(() => runOf(id))
const started = async (who: Pick<SignedIn, 'call'>) => {
  const { json } = await start(who)
  expect(json['runs'], JSON.stringify(json)).toHaveLength(1)
  return String(Object(json['runs'])[0])
}
const setRoles = ({ id, email }: SignedIn, roles: object) =>
  gateway.call('PUT', `/api/people/${id}`, { name: 'Person', email, role: 'none', roles })

test('a run is shown, stopped, resumed and undone only with the roles on its connections', async () => {
  const id = await started(gateway)
  await ended(id)
  const who = await signInAs(gateway, { role: 'none', roles: { from: 'administrator' } })
  const post = (what: string, body: unknown = {}) => who.call('POST', `/api/runs/${id}/${what}`, body)
  const list = async () => (await who.call('GET', '/api/runs')).json as unknown as Run[] // a list
  // The target is not seen, and so is the run.
  expect(await list()).toEqual([])
  expect((await who.call('GET', `/api/runs/${id}`)).json['message']).toBe(
    (await who.call('GET', '/api/runs/nothing')).json['message'],
  )
  for (const what of ['stop', 'resume', 'undo', 'undo/plan']) expect((await post(what)).status, what).toBe(404)
  expect((await who.call('POST', '/api/promotions/plan', promotion())).status).toBe(404)

  await setRoles(who, { to: 'viewer' })
  const [shown] = await list()
  expect(shown).toMatchObject({ id, connectionId: 'to' })
  expect(shown).not.toHaveProperty('from')
  expect((await who.call('GET', `/api/runs/${id}`)).json).not.toHaveProperty('from')
  for (const what of ['stop', 'resume', 'undo']) expect((await post(what)).code, what).toBe('forbidden')

  // Without the source, a promotion from it can be neither resumed nor undone.
  await setRoles(who, { to: 'editor' })
  for (const what of ['resume', 'undo']) expect((await post(what)).status, what).toBe(404)
  const plan = await post('undo/plan')
  expect(plan.status).toBe(200)
  await setRoles(who, { to: 'editor', from: 'viewer' })
  expect((await list())[0]).toMatchObject({ from: 'from' })
  const undo = await post('undo', { digest: plan.json['digest'] })
  expect(undo.status, undo.text).toBe(200)
  await ended(String(Object(undo.json['runs'])[0]))
  expect(boards()).toBe(0)
})

test('a run ends when whoever started it may not write any more, and goes on with the role of whoever resumes it', async () => {
  const who = await signInAs(gateway, { role: 'none', roles: { from: 'viewer', to: 'editor' }, name: 'Ben' })
  const { behaviour } = to
  behaviour.before = async ({ method }) => {
    if (method !== 'POST') return
    behaviour.before = async () => {}
    // While the first record is being written.
    await setRoles(who, { from: 'viewer', to: 'viewer' })
  }
  const id = await started(who)
  const stopped = await ended(id)
  expect(stopped).toMatchObject({ state: 'failed', actor: 'Ben' })
  expect(boards()).toBe(1)
  expect(JSON.stringify(stopped.steps)).toContain('This needs the role editor')
  expect((await who.call('POST', `/api/runs/${id}/resume`, {})).code).toBe('forbidden')
  expect((await gateway.call('POST', `/api/runs/${id}/resume`, {})).status).toBe(200)
  expect((await ended(id)).state).toBe('done')
  expect(boards()).toBe(3)
})

test('records and changes of connections that somebody does not see are not found', async () => {
  const who = await signInAs(gateway, { role: 'none', roles: { to: 'viewer' } })
  const search = async () => (await gateway.call('GET', '/api/record-search?q=one')).json['records'] as object[]
  await expect.poll(async () => (await search()).length).toBeGreaterThan(0)
  const found = (await who.call('GET', '/api/record-search?q=one')).json
  expect(found['records']).toEqual([])
  expect(JSON.stringify(found)).not.toContain('from')
  expect((await who.call('GET', '/api/connections/from/history')).status).toBe(404)
  expect((await who.call('GET', '/api/connections/from/export')).status).toBe(404)
})
