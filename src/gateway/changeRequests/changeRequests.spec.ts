/** Two-person approval as requesters, approvers and attackers see it, against a deployment in memory behind a real socket. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { changeRequestHeader } from '#contract/changeRequestPaths.ts'
import type { ChangeRequestDetail, ChangeRequestDraft, ChangeRequestPage } from '#contract/changeRequests.ts'
import type { AuditPage } from '#contract/audit.ts'
import { parseJson, stringifyJson } from '#contract/json.ts'
import type { TargetPlan } from '#contract/runs.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { startMemoryUpstream, type MemoryUpstream } from '../testing/memoryUpstream.ts'
import { ampleFor, secrets, startTestGateway, startUpstream, type Reply } from '../testing/testGateway.ts'
import { openTestDatabase, storedBytes } from '../testing/testDatabase.ts'
import { signInAs, type SignedIn } from '../testing/testPeople.ts'

const [source, target] = [await startMemoryUpstream('f'), await startMemoryUpstream('t')]
const receiver = await startUpstream()
const seed = (id: string, { url }: MemoryUpstream, stage: 'production' | 'staging') => ({
  id,
  name: id === 'prod' ? 'Production EU' : id,
  variant: 'openSource' as const,
  baseUrl: url,
  allowPrivate: true,
  accessKey: secrets.accessKey,
  stage,
})
let clock = 0
const gateway = await startTestGateway(source, {
  seeds: [seed('from', source, 'staging'), seed('prod', target, 'production'), seed('twin', target, 'staging')],
  budgets: ampleFor(source.url, target.url),
  tuning: { noticeRetries: [20, 20], now: () => currentTime() + clock },
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([source.close(), target.close(), receiver.close()])
})

const jana = await signInAs(gateway, { name: 'Jana Novak', role: 'operator' })
const tom = await signInAs(gateway, { name: 'Tom Aldridge', role: 'operator' })
const mira = await signInAs(gateway, { name: 'Mira Halvorsen', role: 'administrator' })
const ada = await signInAs(gateway, { name: 'Ada Berg', role: 'administrator' })
const priya = await signInAs(gateway, { name: 'Priya Nair', role: 'none', roles: { prod: 'viewer', from: 'operator' } })
type Who = Pick<SignedIn, 'call'>

const settings = '/api/connections/prod/approval'
const searches = '/api/c/prod/stack/saved-searches'
let searchId = ''
beforeEach(async () => {
  clock = 0
  target.behaviour.before = async () => {}
  for (const { records } of [source, target]) for (const all of Object.values(records.records)) all.clear()
  searchId = String(Object(await target.records.create('savedSearches', renamed('Errors'))).id)
  await off()
  const on = await mira.call('PUT', settings, { fourEyes: true, notificationUrl: null })
  expect(on.status, on.text).toBe(200)
})

/** Without asking anybody, as a test may. */
async function off() {
  const glass = { reason: 'so that the next test starts without it', confirmedName: 'Production EU' }
  await mira.call('DELETE', '/api/connections/prod/break-glass')
  await mira.call('POST', '/api/connections/prod/break-glass', glass)
  await mira.call('PUT', settings, { fourEyes: false, notificationUrl: null })
  await mira.call('DELETE', '/api/connections/prod/break-glass')
}

const draft = (given: ChangeRequestDraft) => ({ [changeRequestHeader]: encodeURIComponent(JSON.stringify(given)) })
const renamed = (name: string) => ({
  name,
  sourceId: 'source1',
  select: '',
  where: 'level:error',
  whereLanguage: 'lucene',
  orderBy: '',
  tags: [],
})
const save = (who: Who, name = 'All errors', given: ChangeRequestDraft = {}) =>
  who.call('PUT', `${searches}/${searchId}`, renamed(name), draft(given))
const heldBy = ({ status, json, text }: Reply) => {
  expect(status, text).toBe(202)
  expect(json['code']).toBe('sentForApproval')
  return String(Object(json['held']).id)
}
const get = async (id: string, who: Who = tom) =>
  (await who.call('GET', `/api/change-requests/${id}`)).json as unknown as ChangeRequestDetail
const act = (who: Who, id: string, what: string, body: unknown = {}) =>
  who.call('POST', `/api/change-requests/${id}/${what}`, body)
const approve = async (who: Who, id: string, digest?: string) =>
  act(who, id, 'approve', { digest: digest ?? (await get(id)).plan?.digest ?? 'none' })
const ended = (id: string) =>
  expect
    .poll(async () => (await get(id)).state)
    .not.toMatch(/waiting|carryingOut/)
    .then(() => get(id))
const stored = () => target.records.records.savedSearches.get(searchId)
const list = async (who: Who, query = '') =>
  ((await who.call('GET', `/api/change-requests${query}`)).json as unknown as ChangeRequestPage).items
const audit = async (query: string) => (await mira.call('GET', `/api/audit?${query}`)).json as unknown as AuditPage

describe('a write on a connection with two-person approval', () => {
  test('is undone by restoring what was there before its approval, which waits again', async () => {
    const id = heldBy(await save(jana))
    expect((await approve(tom, id)).status).toBe(200)
    const { decidedAt } = await ended(id)
    expect(stored()).toMatchObject({ name: 'All errors' })
    const input = { time: decidedAt, records: [{ kind: 'savedSearches', id: searchId }] }
    const restores = '/api/connections/prod/restores'
    const planned = await tom.call('POST', `${restores}/plan`, input)
    const start = { ...input, digests: { prod: planned.json['digest'] } }
    const undo = await tom.call('POST', restores, start)
    expect(undo.status, undo.text).toBe(202)
    expect(stored()).toMatchObject({ name: 'All errors' })
    const undoId = String(Object(undo.json['held'])[0].id)
    expect((await approve(jana, undoId)).status).toBe(200)
    expect((await ended(undoId)).state).toBe('carriedOut')
    expect(stored()).toMatchObject({ name: 'Errors' })
    // A write of an approved request, and a step of an approved run.
    const { entries } = await audit('connectionId=prod&limit=50')
    const updates = entries.filter(({ event, outcome }) => event === 'savedSearches.update' && outcome === 'done')
    expect(updates.map(({ actor, personId }) => [actor.split(',')[0], personId])).toEqual([
      ['Tom Aldridge', entries.find(({ actor }) => actor === 'Tom Aldridge')?.personId],
      ['Jana Novak', entries.find(({ actor }) => actor === 'Jana Novak')?.personId],
    ])
    expect(entries.filter(({ personId }) => personId === undefined)).toEqual([])
  })

  test('waits with its plan, is approved by somebody else, and is carried out once', async () => {
    const id = heldBy(await save(jana, 'All errors', { title: 'Rename', reason: 'Clearer', hours: 2 }))
    expect(stored()).toMatchObject({ name: 'Errors' })
    const waiting = await get(id)
    expect(waiting).toMatchObject({
      state: 'waiting',
      title: 'Rename',
      reason: 'Clearer',
      requester: 'Jana Novak',
      origin: 'writes',
    })
    expect(Date.parse(waiting.expiresAt) - Date.parse(waiting.openedAt)).toBeGreaterThan(7_000_000)
    expect(waiting.plan).toMatchObject({
      ready: true,
      changes: [{ kind: 'savedSearches', name: 'Errors', action: 'update', recordId: searchId, changedSince: false }],
    })
    expect(waiting.plan?.changes[0]?.fields).toEqual([{ path: ['name'], before: 'Errors', after: 'All errors' }])
    expect(waiting.rights).toMatchObject({ approve: true, decline: true, withdraw: false })

    expect((await approve(tom, id)).status).toBe(200)
    const done = await ended(id)
    expect(done).toMatchObject({ state: 'carriedOut', decidedBy: 'Tom Aldridge', outcomes: [{ state: 'done' }] })
    expect(done.events.map(({ kind }) => kind)).toEqual(['opened', 'approved', 'carriedOut'])
    expect(stored()).toMatchObject({ name: 'All errors' })
    expect((await approve(tom, id, waiting.plan?.digest)).code).toBe('conflict')

    const { entries } = await audit('connectionId=prod&limit=20')
    const events = entries.map(({ event, outcome, actor }) => [event, outcome, actor])
    expect(events).toContainEqual(['savedSearches.update', 'requested', 'Jana Novak'])
    expect(events).toContainEqual(['changeRequest.approve', 'done', 'Tom Aldridge'])
    expect(events).toContainEqual(['savedSearches.update', 'done', 'Jana Novak, approved by Tom Aldridge'])

    // Those of the request alone, whatever other requests there are.
    const own = await audit(`connectionId=prod&changeRequest=${done.number}`)
    expect(own.entries.map(({ event, outcome }) => `${event} ${outcome}`)).toEqual([
      'changeRequest.approve refused',
      'savedSearches.update done',
      'changeRequest.approve done',
      'savedSearches.update requested',
    ])
    expect((await audit(`connectionId=prod&changeRequest=${done.number + 1}`)).entries).toEqual([])
  })

  test('names the fields that the deployment did not keep', async () => {
    target.behaviour.before = async (hit) => {
      if (hit.method === 'PUT') hit.body = stringifyJson({ ...Object(parseJson(hit.body)), tags: undefined })
    }
    const tagged = await jana.call('PUT', `${searches}/${searchId}`, { ...renamed('All errors'), tags: ['team-a'] })
    const id = heldBy(tagged)
    expect((await approve(tom, id)).status).toBe(200)
    expect(await ended(id)).toMatchObject({
      state: 'carriedOut',
      outcomes: [{ state: 'done', reason: 'This deployment did not keep: tags.' }],
    })
  })

  test('is not approved by the requester, by a token, without an account, or without the role', async () => {
    const token = await jana.call('POST', '/api/account/tokens', {
      name: 'ci',
      role: 'operator',
      connections: null,
      days: 1,
    })
    const toms = await tom.call('POST', '/api/account/tokens', {
      name: 'ci',
      role: 'operator',
      connections: null,
      days: 1,
    })
    const by = ({ json }: Reply): Who => ({
      call: (method, path, body, headers) =>
        gateway.call(method, path, body, { ...headers, cookie: '', authorization: `Bearer ${String(json['secret'])}` }),
    })
    // A request by a token is its person's.
    const id = heldBy(await save(by(token)))
    const { plan, requester } = await get(id)
    expect(requester).toBe('Jana Novak (ci)')
    for (const who of [jana, by(token), by(toms), gateway, priya]) {
      expect((await approve(who, id, plan?.digest)).code).toBe('forbidden')
      expect((await act(who, id, 'decline', { reason: 'No' })).code).toBe('forbidden')
    }
    expect((await get(id, jana)).rights).toMatchObject({
      approve: false,
      reason: 'You asked for it, so somebody else must approve it.',
      withdraw: true,
    })
    expect((await get(id, priya)).rights.reason).toContain('needs the role operator')
    expect((await get(id, gateway)).rights.reason).toContain('Sign in with an account of your own')
    // Who signed in with the link is nobody in particular, so they cannot ask either.
    expect((await save(gateway)).code).toBe('forbidden')
    expect((await save(priya)).code).toBe('forbidden')
    expect((await get(id)).state).toBe('waiting')
    expect(stored()).toMatchObject({ name: 'Errors' })
  })

  test('is approved only as it was shown: a change of the target makes another plan', async () => {
    const id = heldBy(await save(jana))
    const { plan } = await get(id)
    const record = stored()
    target.records.records.savedSearches.set(searchId, { ...record, name: 'Errors of today' } as never)
    const late = await approve(tom, id, plan?.digest)
    expect(late).toMatchObject({ status: 409, code: 'conflict' })
    const now = await get(id)
    expect(now.plan?.changes[0]).toMatchObject({
      changedSince: true,
      fields: [{ path: ['name'], before: 'Errors of today', after: 'All errors', moved: true, asked: 'Errors' }],
    })
    expect(now.events.map(({ kind }) => kind)).toContain('targetChanged')
    expect((await approve(tom, id, now.plan?.digest)).status).toBe(200)
    expect((await ended(id)).state).toBe('carriedOut')
  })

  test('is declined with a reason, withdrawn by its requester, commented, and expires', async () => {
    const declined = heldBy(await save(jana))
    expect((await act(tom, declined, 'decline', {})).code).toBe('invalid')
    expect((await act(priya, declined, 'comments', { text: 'Is that wise?' })).status).toBe(200)
    expect((await act(tom, declined, 'decline', { reason: 'Not now' })).json).toMatchObject({ state: 'declined' })
    expect((await get(declined)).events.map(({ kind, text }) => [kind, text])).toEqual([
      ['opened', undefined],
      ['commented', 'Is that wise?'],
      ['declined', 'Not now'],
    ])
    const withdrawn = heldBy(await save(jana))
    expect((await act(tom, withdrawn, 'withdraw')).code).toBe('forbidden')
    expect((await act(jana, withdrawn, 'withdraw')).json).toMatchObject({ state: 'withdrawn' })
    const expired = heldBy(await save(jana, 'Late', { hours: 1 }))
    const { plan } = await get(expired)
    clock = 2 * 3_600_000
    expect((await approve(tom, expired, plan?.digest)).code).toBe('conflict')
    expect(await get(expired)).toMatchObject({ state: 'expired' })
    expect((await save(jana, 'x', { hours: 0 })).code).toBe('invalid')
    expect((await save(jana, 'x', { hours: 1_000 })).code).toBe('invalid')
    expect(stored()).toMatchObject({ name: 'Errors' })
  })

  test('joins an open request of the same person, where a later change of a record replaces the earlier', async () => {
    const id = heldBy(await save(jana))
    const created = await jana.call('POST', searches, renamed('Second'), draft({ addTo: id }))
    expect(heldBy(created)).toBe(id)
    heldBy(await save(jana, 'Every error', { addTo: id }))
    expect((await save(tom, 'Mine', { addTo: id })).code).toBe('invalid')
    const { plan, events } = await get(id)
    expect(plan?.changes.map(({ action, name }) => [action, name])).toEqual([
      ['create', 'Second'],
      ['update', 'Errors'],
    ])
    expect(events.map(({ kind }) => kind)).toEqual(['opened', 'added', 'added'])
    expect((await approve(tom, id)).status).toBe(200)
    expect(await ended(id)).toMatchObject({ state: 'carriedOut' })
    expect([...target.records.records.savedSearches.values()].map(({ name }) => name).toSorted()).toEqual([
      'Every error',
      'Second',
    ])
  })

  test('shows no secret of its body, and stores none in the open', async () => {
    const secret = 'header-SECRET-81f3'
    const url = 'https://hooks.example/T0PSECRET-path'
    const body = { name: 'Pager', service: 'generic', url, headers: { authorization: secret } }
    const held = await jana.call('POST', '/api/c/prod/stack/webhooks', body)
    const id = heldBy(held)
    const shown = await tom.call('GET', `/api/change-requests/${id}`)
    expect(shown.text).not.toContain(secret)
    expect(shown.text).not.toContain('T0PSECRET')
    expect(gateway.log.join('')).not.toContain(secret)
    expect(await storedBytes(`${gateway.folder}/data`)).not.toContain(secret)
    expect((await approve(tom, id)).status).toBe(200)
    await ended(id)
    expect([...target.records.records.webhooks.values()]).toMatchObject([{ url, headers: { authorization: secret } }])
  })

  test('says which of its changes failed, and sends nothing after the first', async () => {
    const id = heldBy(await save(jana))
    heldBy(await jana.call('POST', searches, renamed('Second'), draft({ addTo: id })))
    const { savedSearches } = target.records.records
    target.behaviour.before = async ({ method }) => {
      // After the last look at the record.
      if (method === 'PUT') savedSearches.delete(searchId)
    }
    const before = target.hits.length
    expect((await approve(tom, id)).status).toBe(200)
    const failed = await ended(id)
    expect(failed).toMatchObject({
      state: 'carriedOutWithFailures',
      outcomes: [{ state: 'failed' }, { state: 'skipped' }],
    })
    expect(failed.events.at(-1)?.kind).toBe('carriedOutWithFailures')
    expect(target.hits.slice(before).map(({ method }) => method)).not.toContain('POST')
  })
})

describe('at the same time', () => {
  test('two approvals carry a request out once', async () => {
    const id = heldBy(await save(jana))
    const { plan } = await get(id)
    const before = target.hits.length
    const answers = await Promise.all([tom, mira, ada, tom].map((who) => approve(who, id, plan?.digest)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    expect((await ended(id)).state).toBe('carriedOut')
    expect(target.hits.slice(before).filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })

  test('approving and withdrawing: one of them happens', async () => {
    for (let round = 0; round < 5; round++) {
      const id = heldBy(await save(jana, `Round ${round}`))
      const { plan } = await get(id)
      const before = target.hits.length
      const [approved, withdrawn] = await Promise.all([approve(tom, id, plan?.digest), act(jana, id, 'withdraw')])
      expect([approved.status, withdrawn.status].toSorted()).toEqual([200, 409])
      const { state } = await ended(id)
      expect(state).toBe(approved.status === 200 ? 'carriedOut' : 'withdrawn')
      expect(target.hits.slice(before).some(({ method }) => method === 'PUT')).toBe(state === 'carriedOut')
    }
  })

  test('a requester who lost the role, and an approver who loses it meanwhile, change nothing', async () => {
    const kim = await signInAs(gateway, { name: 'Kim', role: 'operator' })
    const id = heldBy(await save(kim))
    await gateway.call('PUT', `/api/people/${kim.id}`, { name: 'Kim', email: kim.email, role: 'viewer', roles: {} })
    const answer = await approve(tom, id)
    expect(answer).toMatchObject({ code: 'blocked' })
    expect(answer.json['message']).toContain('Kim may not make this change any more')
    expect((await get(id)).state).toBe('waiting')
    expect(stored()).toMatchObject({ name: 'Errors' })
  })
})

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
      expect((await mira.call('PUT', settings, { fourEyes: true })).status).toBe(200)
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
      await mira.call('PUT', `/api/c/twin/stack/saved-searches/${searchId}`, renamed('By the twin')),
    ]
    for (const { code, text } of refused) expect(code, text).toBe('blocked')
    expect(
      (await mira.call('PUT', '/api/connections/prod', { ...connection, name: 'Production EU', stage: 'production' }))
        .status,
    ).toBe(200)
    expect((await jana.call('PUT', settings, { fourEyes: false })).code).toBe('forbidden')

    const id = heldBy(await mira.call('PUT', settings, { fourEyes: false }))
    expect((await approve(tom, id)).code).toBe('forbidden')
    expect((await approve(mira, id)).code).toBe('forbidden')
    heldBy(await save(jana))
    expect((await approve(ada, id)).status).toBe(200)
    expect((await mira.call('GET', settings)).json).toMatchObject({ fourEyes: false, isProposed: true })
    expect(stored()).toMatchObject({ name: 'Errors' })
  })

  test('keys that are shown once cannot wait', async () => {
    const { code, json } = await mira.call('POST', '/api/c/prod/stack/team/access-key/show', {})
    expect(code).toBe('blocked')
    expect(json['message']).toContain('break-glass')
  })

  test('it needs two people who could approve', async () => {
    const two = await startTestGateway(source, { seeds: [seed('prod', target, 'production')] })
    const one = await two.call('PUT', settings, { fourEyes: true })
    expect(one).toMatchObject({ code: 'invalid' })
    expect(one.json['message']).toContain('Two-person approval needs two people')
    expect((await two.call('GET', settings)).json).toMatchObject({ fourEyes: false, isProposed: false })
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
    expect((await list(jana, '?who=mine')).map((one) => one.id)).toContain(id)
    expect((await list(jana, '?who=forMe')).map((one) => one.id)).not.toContain(id)
    expect((await list(tom, '?who=forMe&state=open')).map((one) => one.id)).toContain(id)
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
    clock = 16 * 60_000
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
  await mira.call('PUT', settings, { fourEyes: true, notificationUrl: url, allowPrivateNotification: false })
  expect((await mira.call('POST', `${settings}/test`)).json).toMatchObject({ ok: false })
  expect(receiver.hits).toEqual([])
  const allowed = await mira.call('PUT', settings, { fourEyes: true, allowPrivateNotification: true })
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
    const fourEyes = true
    const url = `${receiver.url}/first`
    const other = { fourEyes, notificationUrl: `${receiver.url}/other` }
    const allowed = { allowPrivateNotification: true }
    for (const body of [
      { ...other, ...allowed },
      { fourEyes, ...allowed },
    ]) {
      await mira.call('PUT', settingsOf('prod'), { fourEyes, notificationUrl: 'https://hooks.example/x' })
      expect(await local.call('PUT', settingsOf('prod'), body)).toMatchObject({ code: 'forbidden' })
    }
    expect((await local.call('PUT', settingsOf('prod'), other)).status).toBe(200)
    await mira.call('PUT', settingsOf('prod'), { fourEyes, notificationUrl: url, ...allowed })
    expect(await local.call('PUT', settingsOf('prod'), { ...other, ...allowed })).toMatchObject({ code: 'forbidden' })
    expect((await local.call('PUT', settingsOf('prod'), { fourEyes, ...allowed })).status).toBe(200)
    expect((await local.call('PUT', settingsOf('prod'), other)).status).toBe(200)
    expect((await mira.call('GET', settingsOf('prod'))).json).toMatchObject({ allowPrivateNotification: false })
  })
})
