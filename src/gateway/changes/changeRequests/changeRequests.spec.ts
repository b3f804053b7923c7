/** Two-person approval as requesters, approvers and attackers see it: writes that wait, are approved and carried out. */
import { describe, expect, test } from 'vitest'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { approvalScene, draft, renamed, searches, type Who } from '../../testing/approvalScene.ts'
import { storedBytes } from '../../testing/testDatabase.ts'
import { answerJson, type Reply } from '../../testing/testGateway.ts'
import { signInAs } from '../../testing/testPeople.ts'

const scene = await approvalScene()
const { target, gateway, searchId, setClock, save, heldBy, get, act, approve, ended, stored, audit } = scene
const { jana, tom, mira, ada, priya } = scene.people

describe('a write on a connection with two-person approval', () => {
  test('is undone by restoring what was there before its approval, which waits again', async () => {
    const id = heldBy(await save(jana))
    expect((await approve(tom, id)).status).toBe(200)
    const { decidedAt } = await ended(id)
    expect(stored()).toMatchObject({ name: 'All errors' })
    const input = { time: decidedAt, records: [{ kind: 'savedSearches', id: searchId() }] }
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
      changes: [{ kind: 'savedSearches', name: 'Errors', action: 'update', recordId: searchId(), changedSince: false }],
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

    // The entries of this request alone, without those of others.
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
    const tagged = await jana.call('PUT', `${searches}/${searchId()}`, { ...renamed('All errors'), tags: ['team-a'] })
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
    target.records.records.savedSearches.set(searchId(), { ...record, name: 'Errors of today' } as never)
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
    setClock(2 * 3_600_000)
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

  test('is in the audit log also if its record has no history', async () => {
    const { respond } = target
    const invited = { email: 'eva@example.com', invitationId: 'i1', url: 'https://deployment.example/join' }
    target.become((hit, response) =>
      hit.url.includes('/team/invitation') ? answerJson({ data: invited })(hit, response) : respond(hit, response),
    )
    try {
      const id = heldBy(await mira.call('POST', '/api/c/prod/stack/team/invitation', { email: invited.email }))
      expect((await approve(ada, id)).status).toBe(200)
      const { state, number } = await ended(id)
      expect(state).toBe('carriedOut')
      const { entries } = await audit(`connectionId=prod&changeRequest=${number}`)
      // The write is carried out while the approval is answered: either entry may be the first.
      expect(entries.map(({ event, outcome, actor }) => `${event} ${outcome}, ${actor}`).toSorted()).toEqual([
        'changeRequest.approve done, Ada Berg',
        'team.invite done, Mira Halvorsen, approved by Ada Berg',
        'team.invite requested, Mira Halvorsen',
      ])
    } finally {
      target.become(respond)
    }
  })

  test('says which of its changes failed, and sends nothing after the first', async () => {
    const id = heldBy(await save(jana))
    heldBy(await jana.call('POST', searches, renamed('Second'), draft({ addTo: id })))
    const { savedSearches } = target.records.records
    target.behaviour.before = async ({ method }) => {
      // After the last look at the record.
      if (method === 'PUT') savedSearches.delete(searchId())
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
