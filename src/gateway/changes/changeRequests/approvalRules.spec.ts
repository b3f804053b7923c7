/** Two-person approval of runs, how it is switched on and off, break-glass and its notifications. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { TargetPlan } from '#contract/console/runs.ts'
import { approvalScene, renamed, seed, settings, type Who } from '../../testing/approvalScene.ts'
import { openTestDatabase } from '../../testing/testDatabase.ts'
import { startTestGateway } from '../../testing/testGateway.ts'
import { signInAs } from '../../testing/testPeople.ts'

const scene = await approvalScene()
const {
  source,
  target,
  receiver,
  gateway,
  searchId,
  setClock,
  off,
  save,
  heldBy,
  get,
  act,
  approve,
  ended,
  stored,
  list,
  audit,
} = scene
const { jana, tom, mira, ada, priya } = scene.people

describe('a run', () => {
  const promotion = () => ({
    from: 'from',
    records: [...source.records.records.dashboards.keys()].map((id) => ({ kind: 'dashboards', id })),
    targets: [{ connectionId: 'prod' }],
  })
  const boards = () => [...target.records.records.dashboards.values()].map(({ name }) => name).toSorted()
  async function promote(who: Who) {
    const { json } = await who.call('POST', '/api/promotions/plan', promotion())
    const [plan] = json['targets'] as TargetPlan[] // a plan for each target
    return who.call('POST', '/api/promotions', { ...promotion(), digests: { prod: plan?.digest ?? '' } })
  }
  beforeEach(async () => {
    for (const name of ['One', 'Two']) await source.records.create('dashboards', { name, tags: [], tiles: [] })
  })

  test('waits as well, keeps what others changed since, and can be undone, which waits again', async () => {
    await target.records.create('dashboards', { name: 'One', tags: ['theirs'], tiles: [] })
    const { status, json } = await promote(jana)
    expect(status).toBe(202)
    expect(json['runs']).toEqual([])
    const id = String(Object(json['held'])[0].id)
    const waiting = await get(id)
    expect(waiting).toMatchObject({ origin: 'promotion', title: 'Promote 2 dashboards' })
    expect(waiting.plan?.changes.map(({ name, action }) => [name, action])).toEqual([
      ['One', 'update'],
      ['Two', 'create'],
    ])
    expect(boards()).toEqual(['One'])
    // Somebody creates the second one meanwhile: it is updated instead of doubled, and that is another plan.
    await target.records.create('dashboards', { name: 'Two', tags: ['new'], tiles: [] })
    expect((await approve(tom, id, waiting.plan?.digest)).code).toBe('conflict')
    expect((await approve(tom, id)).status).toBe(200)
    const done = await ended(id)
    expect(done).toMatchObject({ state: 'carriedOut', outcomes: [{ state: 'done' }, { state: 'done' }] })
    expect(boards()).toEqual(['One', 'Two'])
    const run = `/api/runs/${done.runId ?? ''}`
    expect((await jana.call('GET', run)).json).toMatchObject({
      state: 'done',
      actor: 'Jana Novak, approved by Tom Aldridge',
    })
    const { digest } = (await jana.call('POST', `${run}/undo/plan`, {})).json
    const undo = await jana.call('POST', `${run}/undo`, { digest })
    expect(undo.status, undo.text).toBe(202)
    const undoId = String(Object(undo.json['held'])[0].id)
    expect((await approve(tom, undoId)).status).toBe(200)
    expect((await ended(undoId)).state).toBe('carriedOut')
    expect([...target.records.records.dashboards.values()].map(({ tags }) => tags)).toEqual([['theirs'], ['new']])
  })

  test('that is under way ends when two-person approval is switched on', async () => {
    await off()
    await mira.call('PUT', '/api/connections/prod/read-only', { readOnly: false })
    target.behaviour.before = async ({ method }) => {
      if (method !== 'POST') return
      target.behaviour.before = async () => {}
      expect((await mira.call('PUT', settings, { twoPersonApproval: true })).status).toBe(200)
    }
    const { json } = await promote(jana)
    const run = `/api/runs/${String(Object(json['runs'])[0])}`
    await expect.poll(async () => (await jana.call('GET', run)).json['state']).toBe('failed')
    expect(boards()).toHaveLength(1)
    expect((await jana.call('GET', run)).text).toContain('need approval')
    expect((await jana.call('POST', `${run}/resume`, {})).json['message']).toContain('Plan it again')
  })
})

describe('around two-person approval', () => {
  test('it is switched off by two administrators only, and not by changing or deleting the connection', async () => {
    const connection = { name: 'Production EU', variant: 'openSource', baseUrl: target.url, allowPrivate: true }
    const named = { confirmedName: 'Production EU' }
    const refused = [
      await mira.call('PUT', '/api/connections/prod', { ...connection, stage: 'staging', ...named }),
      await mira.call('PUT', '/api/connections/prod', { ...connection, baseUrl: source.url, accessKey: 'k', ...named }),
      await mira.call('DELETE', '/api/connections/prod', named),
      await mira.call('PUT', '/api/connections/prod/read-only', { readOnly: false }),
      // Another connection to the same deployment.
      await mira.call('PUT', `/api/c/twin/stack/saved-searches/${searchId()}`, renamed('By the twin')),
    ]
    for (const { code, text } of refused) expect(code, text).toBe('blocked')
    expect(
      (await mira.call('PUT', '/api/connections/prod', { ...connection, name: 'Production EU', stage: 'production' }))
        .status,
    ).toBe(200)
    expect((await jana.call('PUT', settings, { twoPersonApproval: false })).code).toBe('forbidden')

    const id = heldBy(await mira.call('PUT', settings, { twoPersonApproval: false }))
    expect((await approve(tom, id)).code).toBe('forbidden')
    expect((await approve(mira, id)).code).toBe('forbidden')
    heldBy(await save(jana))
    expect((await approve(ada, id)).status).toBe(200)
    expect((await mira.call('GET', settings)).json).toMatchObject({ twoPersonApproval: false, isProposed: true })
    expect(stored()).toMatchObject({ name: 'Errors' })
  })

  test('keys that are shown once cannot wait', async () => {
    const { code, json } = await mira.call('POST', '/api/c/prod/stack/team/access-key/show', {})
    expect(code).toBe('blocked')
    expect(json['message']).toContain('break-glass')
  })

  test('it needs two people who could approve', async () => {
    const two = await startTestGateway(source, { seeds: [seed('prod', target, 'production')] })
    const one = await two.call('PUT', settings, { twoPersonApproval: true })
    expect(one).toMatchObject({ code: 'invalid' })
    expect(one.json['message']).toContain('Two-person approval needs two people')
    expect((await two.call('GET', settings)).json).toMatchObject({ twoPersonApproval: false, isProposed: false })
    await two.close()
  })

  test('only those who see the connection see its requests', async () => {
    const id = heldBy(await save(jana))
    const nobody = await signInAs(gateway, { name: 'No', role: 'none', roles: { from: 'administrator' } })
    expect((await nobody.call('GET', `/api/change-requests/${id}`)).status).toBe(404)
    expect((await act(nobody, id, 'comments', { text: 'Hello' })).status).toBe(404)
    expect((await act(nobody, id, 'approve', { digest: 'x' })).status).toBe(404)
    expect(await list(nobody)).toEqual([])
    expect((await nobody.call('GET', '/api/change-requests/counts')).json).toEqual({ waiting: {} })
    expect(Object((await tom.call('GET', '/api/change-requests/counts')).json['waiting']).prod).toBeGreaterThan(0)
    expect((await list(jana, '?who=mine')).map((changeRequest) => changeRequest.id)).toContain(id)
    expect((await list(jana, '?who=forMe')).map((changeRequest) => changeRequest.id)).not.toContain(id)
    expect((await list(tom, '?who=forMe&state=open')).map((changeRequest) => changeRequest.id)).toContain(id)
  })
})

describe('break-glass', () => {
  const glass = (who: Who, given: object = {}) =>
    who.call('POST', '/api/connections/prod/break-glass', {
      reason: 'Payments are down',
      confirmedName: 'Production EU',
      ...given,
    })

  test('lets one person change without approval, and everybody sees it', async () => {
    expect((await glass(jana, { confirmedName: 'prod' })).code).toBe('invalid')
    expect((await glass(jana, { reason: 'short' })).code).toBe('invalid')
    expect((await glass(priya)).code).toBe('forbidden')
    expect((await glass(jana)).status).toBe(200)
    expect((await glass(tom)).json['message']).toContain('Jana Novak is under way')
    const connections = async (who: Who) => (await who.call('GET', '/api/connections')).text
    expect(
      JSON.parse(await connections(priya)).find(({ id }: { id: string }) => id === 'prod').breakGlass,
    ).toMatchObject({
      actor: 'Jana Novak',
      reason: 'Payments are down',
      isMine: false,
    })
    expect((await save(jana, 'At once')).status).toBe(200)
    expect(stored()).toMatchObject({ name: 'At once' })
    heldBy(await save(tom, 'Not at once'))
    expect((await jana.call('DELETE', '/api/connections/prod/break-glass')).status).toBe(200)
    heldBy(await save(jana, 'Not any more'))
    const { entries } = await audit('mark=break-glass&limit=10')
    expect(entries.map(({ event, mark }) => [event, mark]).slice(0, 3)).toEqual([
      ['breakGlass.end', 'break-glass'],
      ['savedSearches.update', 'break-glass'],
      ['breakGlass.start', 'break-glass'],
    ])
    expect((await audit('text=break-glass')).entries.length).toBeGreaterThan(2)
    expect((await mira.call('GET', '/api/audit/verification')).json).not.toHaveProperty('fault')
  })

  test('needs an account where people have one, and is nobody else’s', async () => {
    const link = { call: gateway.call }
    const refused = await glass(link)
    expect(refused).toMatchObject({ code: 'forbidden' })
    expect(refused.json['message']).toContain('account of your own')
    // As an earlier version stored it for whoever signed in with the link.
    expect((await glass(jana)).status).toBe(200)
    const database = await openTestDatabase(`${gateway.folder}/data`)
    await database.write({ sql: 'UPDATE break_glass SET person_id = NULL WHERE ended_at IS NULL' })
    await database.close()
    expect((await save(link, 'By the link')).code).toBe('forbidden')
    const shownTo = async (who: Who) => {
      const listed = JSON.parse((await who.call('GET', '/api/connections')).text)
      return listed.find(({ id }: { id: string }) => id === 'prod')
    }
    // The page disables what would be refused, with the same reason.
    expect(await shownTo(link)).toMatchObject({
      breakGlass: { isMine: false },
      breakGlassRefused: refused.json['message'],
      approvalRefused: expect.stringContaining('account of your own'),
    })
    for (const reason of ['breakGlassRefused', 'approvalRefused'])
      expect(await shownTo(jana)).not.toHaveProperty(reason)
    heldBy(await save(jana))
  })

  test('ends by itself', async () => {
    expect((await glass(jana)).status).toBe(200)
    setClock(16 * 60_000)
    heldBy(await save(jana))
  })
})

test('notifications reach the receiver, are tried again, and never go to private addresses unasked', async () => {
  const answers = [503, 200]
  receiver.become((_, response) => {
    response.writeHead(answers.shift() ?? 200)
    response.end()
  })
  const url = `${receiver.url}/services/secret-T0KEN`
  await mira.call('PUT', settings, { twoPersonApproval: true, notificationUrl: url, allowPrivateNotification: false })
  expect((await mira.call('POST', `${settings}/test`)).json).toMatchObject({ ok: false })
  expect(receiver.hits).toEqual([])
  const allowed = await mira.call('PUT', settings, { twoPersonApproval: true, allowPrivateNotification: true })
  expect(allowed.text).not.toContain('secret-T0KEN')
  const id = heldBy(await save(jana, 'All errors', { title: 'Rename', reason: 'Clearer' }))
  await expect.poll(() => receiver.hits.length).toBeGreaterThan(1)
  const bodies = receiver.hits.map(({ body }) => JSON.parse(body))
  expect(bodies.at(-1)).toMatchObject({
    event: 'changeRequest.opened',
    actor: 'Jana Novak',
    connection: { id: 'prod', name: 'Production EU', stage: 'production' },
    request: { title: 'Rename', requester: 'Jana Novak' },
    link: `${gateway.url}/change-requests/${id}`,
  })
})

describe('private addresses', () => {
  const settingsOf = (id: string) => `/api/connections/${id}/approval`

  test('of notifications are for administrators of the console, and so is the URL while they are allowed', async () => {
    const local = await signInAs(gateway, { name: 'Local', role: 'none', roles: { prod: 'administrator' } })
    const twoPersonApproval = true
    const url = `${receiver.url}/first`
    const other = { twoPersonApproval, notificationUrl: `${receiver.url}/other` }
    const allowed = { allowPrivateNotification: true }
    for (const body of [
      { ...other, ...allowed },
      { twoPersonApproval, ...allowed },
    ]) {
      await mira.call('PUT', settingsOf('prod'), { twoPersonApproval, notificationUrl: 'https://hooks.example/x' })
      expect(await local.call('PUT', settingsOf('prod'), body)).toMatchObject({ code: 'forbidden' })
    }
    expect((await local.call('PUT', settingsOf('prod'), other)).status).toBe(200)
    await mira.call('PUT', settingsOf('prod'), { twoPersonApproval, notificationUrl: url, ...allowed })
    expect(await local.call('PUT', settingsOf('prod'), { ...other, ...allowed })).toMatchObject({ code: 'forbidden' })
    expect((await local.call('PUT', settingsOf('prod'), { twoPersonApproval, ...allowed })).status).toBe(200)
    expect((await local.call('PUT', settingsOf('prod'), other)).status).toBe(200)
    expect((await mira.call('GET', settingsOf('prod'))).json).toMatchObject({ allowPrivateNotification: false })
  })
})
