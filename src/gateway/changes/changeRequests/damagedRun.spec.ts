/** Change requests whose run, or one of its steps, is damaged: they are shown with what is known, and nothing is sent again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeRequestHeader } from '#contract/console/changeRequestPaths.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { openTestDatabase } from '../../testing/testDatabase.ts'
import { startMemoryUpstream } from '../../testing/memoryUpstream.ts'
import { generousBudgetsFor, secrets, startTestGateway } from '../../testing/testGateway.ts'
import { signInAs, type SignedIn } from '../../testing/testPeople.ts'
import type { Database } from '../../database/database.ts'

const target = await startMemoryUpstream('t')
const gateway = await startTestGateway(target, {
  seeds: [
    {
      id: 'prod',
      name: 'Production',
      variant: 'openSource',
      baseUrl: target.url,
      allowPrivate: true,
      accessKey: secrets.accessKey,
      stage: 'staging',
    },
  ],
  budgets: generousBudgetsFor(target.url),
})
let database: Database
let requester: SignedIn
let approver: SignedIn
beforeAll(async () => {
  database = await openTestDatabase(`${gateway.folder}/data`)
  requester = await signInAs(gateway, { name: 'Requester', role: 'operator' })
  approver = await signInAs(gateway, { name: 'Approver', role: 'administrator' })
})
afterAll(async () => {
  await database.close()
  await gateway.close()
  await target.close()
})

const dashboards = '/api/c/prod/stack/dashboards'
const board = (name: string) => ({ name, tags: [], tiles: [] })
const names = () => [...target.records.records.dashboards.values()].map(({ name }) => name).toSorted()

/** Restores two dashboards by an approved request. @returns the IDs of the request and of its run */
async function restored(): Promise<{ id: string; runId: string }> {
  // Otherwise a second person has to switch it off.
  await database.write({ sql: 'DELETE FROM approval_settings' })
  const ids = await Promise.all(
    ['One', 'Two'].map(async (name) =>
      String(Object((await approver.call('POST', dashboards, board(name))).json['result']).id),
    ),
  )
  const time = currentIsoTime()
  await expect.poll(() => currentTime(), { interval: 1 }).toBeGreaterThan(Date.parse(time))
  for (const id of ids) await approver.call('PUT', `${dashboards}/${id}`, board('Changed'))
  await approver.call('PUT', '/api/connections/prod/approval', { twoPersonApproval: true, notificationUrl: null })
  const input = { time, records: ids.map((id) => ({ kind: 'dashboards', id })) }
  const planned = await requester.call('POST', '/api/connections/prod/restores/plan', input)
  const header = { [changeRequestHeader]: encodeURIComponent('{}') }
  const start = { ...input, digests: { prod: planned.json['digest'] } }
  const held = await requester.call('POST', '/api/connections/prod/restores', start, header)
  expect(held.status, held.text).toBe(202)
  const id = String(Object(held.json['held'])[0].id)
  const { digest } = Object((await read(id)).json['plan'])
  const approved = await approver.call('POST', `/api/change-requests/${id}/approve`, { digest })
  expect(approved.status, approved.text).toBe(200)
  await expect.poll(async () => (await read(id)).json['state'], { timeout: 60_000 }).toBe('carriedOut')
  expect(names()).toEqual(expect.arrayContaining(['One', 'Two']))
  return { id, runId: String((await read(id)).json['runId']) }
}
const read = (id: string) => approver.call('GET', `/api/change-requests/${id}`)

test('a damaged step is named, beside the outcome of the others, on the request and on the run', async () => {
  const { id, runId } = await restored()
  await database.write({
    sql: 'UPDATE run_steps SET step = substr(step, 1, 20) WHERE run_id = ? AND position = 0',
    args: [runId],
  })
  const { status, json, text } = await read(id)
  expect(status, text).toBe(200)
  const message = `The record ${runId} 0 of the table run_steps is damaged and cannot be read. Delete it, or restore a backup.`
  const key = Object(json['approved']).changes[0].key
  expect(json['outcomes']).toEqual([
    { key, state: 'unknown', reason: message },
    { key: expect.any(String), state: 'done' },
  ])

  await database.write({ sql: "UPDATE runs SET state = 'interrupted' WHERE id = ?", args: [runId] })
  const run = await approver.call('GET', `/api/runs/${runId}`)
  expect(run, run.text).toMatchObject({ status: 200, json: { damaged: [message], steps: [{ state: 'done' }] } })
  const before = names()
  const resumed = await approver.call('POST', `/api/runs/${runId}/resume`)
  expect(resumed).toMatchObject({ status: 500, json: { message } })
  expect(names()).toEqual(before)
  expect((await approver.call('GET', `/api/runs/${runId}`)).json).toMatchObject({ state: 'interrupted' })
})

test('a damaged step is named also where the approved plan is damaged', async () => {
  const { id, runId } = await restored()
  await database.write({
    sql: 'UPDATE run_steps SET state = ? WHERE run_id = ? AND position = 1',
    args: ['x', runId],
  })
  await database.write({ sql: "UPDATE change_requests SET approved = 'x' WHERE id = ?", args: [id] })
  const { status, json, text } = await read(id)
  expect(status, text).toBe(200)
  expect(json['outcomes']).toContainEqual({
    key: 'Step 2',
    state: 'unknown',
    reason: expect.stringContaining(`The record ${runId} 1 of the table run_steps is damaged`),
  })
})

test('a request whose run is damaged stays as it is', async () => {
  const { id, runId } = await restored()
  await database.write({ sql: 'UPDATE runs SET details = substr(details, 1, 20) WHERE id = ?', args: [runId] })
  await database.write({
    sql: "UPDATE change_requests SET state = 'carriedOutWithFailures' WHERE id = ?",
    args: [id],
  })
  const { status, json, text } = await read(id)
  expect(status, text).toBe(200)
  expect(json).toMatchObject({ state: 'carriedOutWithFailures', outcomes: [{ state: 'done' }, { state: 'done' }] })
})
