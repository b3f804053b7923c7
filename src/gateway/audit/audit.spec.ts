/** The audit log of a gateway in front of a deployment in memory. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { AuditPage, AuditVerification } from '#contract/console/audit.ts'
import type { TargetPlan } from '#contract/console/runs.ts'
import { exampleAuditFacts } from '../testing/exampleAuditFacts.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { signInAs } from '../testing/testPeople.ts'
import { startMemoryUpstream } from '../testing/memoryUpstream.ts'
import { generousBudgetsFor, startTestGateway, openSourceSeed } from '../testing/testGateway.ts'
import { ChainCheck, hashOf } from './auditChain.ts'
import { AuditStore } from './auditStore.ts'

const [from, to] = [await startMemoryUpstream('f'), await startMemoryUpstream('t')]
const connection = (id: string, { url: baseUrl }: { url: string }) => openSourceSeed(id, baseUrl)
const gateway = await startTestGateway(from, {
  seeds: [connection('from', from), connection('to', to)],
  budgets: generousBudgetsFor(from.url, to.url),
  password: 'correct horse battery staple',
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([from, to].map((one) => one.close()))
})

type Json = Record<string, unknown>
const { call } = gateway
/** A response. Tests look into it; a wrong guess fails their expectation. */
const ask = async <T>(method: string, path: string, body?: unknown) => (await call(method, path, body)).json as T
const entries = async (query = '') => (await ask<AuditPage & Json>('GET', `/api/audit${query}`)).entries
const webhook = { name: 'On call', service: 'generic', url: 'https://hooks.example/T0PATHSEEDED' }

test('a write has who, what, from where, and the versions before and after it', async () => {
  await call('GET', '/api/c/from/stack/webhooks')
  const made = await call('POST', '/api/c/from/stack/webhooks', webhook)
  const { id } = Object(made.json['result'])
  await call('PUT', `/api/c/from/stack/webhooks/${id}`, { ...webhook, name: 'On call 2' })
  const [update, create] = await entries()
  expect(create).toMatchObject({
    event: 'webhooks.create',
    outcome: 'done',
    status: 200,
    address: '127.0.0.1',
    connectionId: 'from',
    subject: 'On call',
    request: made.headers.get('x-request-id'),
    changes: [{ kind: 'webhooks', recordId: id, name: 'On call', after: expect.stringMatching(/./) }],
  })
  expect(update).toMatchObject({
    event: 'webhooks.update',
    subject: 'On call 2',
    changes: [{ before: create?.changes[0]?.after, after: expect.stringMatching(/./) }],
  })
  const { before, after } = update?.changes[0] ?? {}
  for (const version of [before, after]) {
    const shown = await call('GET', `/api/connections/from/history/versions/${version}`)
    expect(shown.status).toBe(200)
    expect(shown.text).not.toContain('T0PATHSEEDED')
  }
})

test('entries keep the ID of the person who acted, also after they are renamed', async () => {
  const nora = await signInAs(gateway, { name: 'Nora', role: 'administrator' })
  await nora.call('PUT', '/api/connections/to/read-only', { readOnly: false })
  await call('PUT', `/api/people/${nora.id}`, { name: 'Nora Lind', email: nora.email, role: 'administrator' })
  await nora.call('PUT', '/api/connections/to/read-only', { readOnly: false })
  const [second, rename, first] = await entries('?limit=3')
  expect(first).toMatchObject({ actor: 'Nora', personId: nora.id })
  expect(second).toMatchObject({ actor: 'Nora Lind', personId: nora.id })
  expect(rename).not.toHaveProperty('personId')
  const [signIn] = await entries('?area=session&limit=1')
  expect(signIn).toMatchObject({ actor: 'Nora', personId: nora.id })
  expect((await call('GET', '/api/audit/verification')).json).not.toHaveProperty('fault')
})

test('entries without the ID of a person keep their hash', () => {
  expect(hashOf(exampleAuditFacts)).toBe('7a7d5480433254234bde04e158f2a49bb91d0995f9d32d8d4803b454ac960fef')
  expect(hashOf({ ...exampleAuditFacts, personId: 'p' })).not.toBe(hashOf({ ...exampleAuditFacts, personId: 'q' }))
})

test('refused actions are entered with the reason', async () => {
  await call('PUT', '/api/connections/to/read-only', { readOnly: true })
  expect((await call('POST', '/api/c/to/stack/webhooks', webhook)).status).toBe(403)
  expect(await call('POST', '/api/session', { password: 'wrong' })).toMatchObject({ status: 401 })
  const [signIn, write, lock] = await entries()
  expect(lock).toMatchObject({ event: 'connection.setReadOnly', outcome: 'done', connectionId: 'to' })
  expect(write).toMatchObject({
    event: 'webhooks.create',
    outcome: 'refused',
    reason: expect.stringMatching(/read-only/),
  })
  expect(signIn).toMatchObject({ event: 'session.signIn', outcome: 'refused', reason: 'Wrong password.' })
  await call('PUT', '/api/connections/to/read-only', { readOnly: false })
})

test('strangers cannot fill the disk: attempts beyond their limit are not entered', async () => {
  const signIn = () =>
    fetch(`${gateway.address}/api/session`, {
      method: 'POST',
      headers: { ...gateway.own, 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'wrong', name: 'x'.repeat(5_000) }),
    })
  const statuses: number[] = []
  for (let attempt = 0; attempt < 60; attempt++) statuses.push((await signIn()).status)
  expect(statuses).toContain(429)
  const entered = await entries('?area=session&outcome=refused&limit=500')
  expect(entered.length).toBeLessThan(40)
  expect(entered.every(({ subject }) => (subject ?? '').length <= 300)).toBe(true)
})

test('nor by anything else that needs no account, and the right link still opens', async () => {
  const newest = async () => (await entries('?limit=1'))[0]?.seq ?? 0
  const stranger = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, path, body, { cookie: '', ...headers })
  const before = await newest()
  const otherSite = { 'sec-fetch-site': 'cross-site' }
  for (let attempt = 0; attempt < 20; attempt++) {
    expect((await stranger('POST', '/api/people', {}, otherSite)).status).toBe(403)
    expect((await stranger('POST', '/api/session', { token: 'x' }, otherSite)).status).toBe(403)
    expect((await stranger('POST', '/api/session', { name: 'x' })).status).toBe(422)
    expect((await stranger('POST', '/api/session', { invitation: 'x', password: 'y' })).status).toBe(422)
    expect((await stranger('POST', '/api/people', {})).status).toBe(401)
    expect((await stranger('DELETE', '/api/session')).status).toBe(200)
  }
  expect(await newest()).toBe(before)
  const statuses: number[] = []
  for (let attempt = 0; attempt < 80; attempt++) {
    statuses.push((await stranger('POST', '/api/session', { token: `guess ${attempt}` })).status)
  }
  expect(statuses).toContain(429)
  expect((await newest()) - before).toBeLessThan(60)
  const [, token] = gateway.signInUrl().split('#token=')
  expect((await stranger('POST', '/api/session', { token })).status).toBe(200)
})

test('a browser that calls itself by the name of a person is not entered as that person', async () => {
  await call('PUT', '/api/connections/to/read-only', { readOnly: false }, { 'user-agent': 'Mira Halvorsen' })
  const [entry] = await entries()
  expect(entry).toMatchObject({ event: 'connection.setReadOnly', actor: 'unknown browser "Mira Halvorsen"' })
  await call('PUT', '/api/connections/to/read-only', { readOnly: false }, { 'user-agent': 'curl/8.5.0' })
  expect((await entries())[0]?.actor).toBe('curl/8.5.0')
})

test('the writes of a run are there, with the run', async () => {
  const [id] = from.records.records.webhooks.keys()
  const input = { from: 'from', records: [{ kind: 'webhooks', id }], targets: [{ connectionId: 'to' }] }
  const { targets } = await ask<{ targets: TargetPlan[] }>('POST', '/api/promotions/plan', input)
  const [plan] = targets
  const start = { ...input, digests: { to: plan?.digest } }
  const { runs } = await ask<{ runs: string[] }>('POST', '/api/promotions', start)
  const [run] = runs
  await expect.poll(async () => (await call('GET', `/api/runs/${run}`)).json.state).toBe('done')
  const [write, begin] = await entries()
  expect(begin).toMatchObject({ event: 'promotion.start', outcome: 'done' })
  expect(write).toMatchObject({ event: 'webhooks.create', connectionId: 'to', request: run, address: null })
})

test('reads, plans and tests are not entered', async () => {
  const [newest] = await entries()
  await call('GET', '/api/connections')
  await call('POST', '/api/connections/to/test')
  expect((await entries())[0]?.seq).toBe(newest?.seq)
})

test('is searched by what was done, where, and how it ended', async () => {
  expect((await entries('?text=ON%20CALL%202')).map(({ event }) => event)).toContain('webhooks.update')
  expect(await entries('?text=%25')).toEqual([])
  const refused = await entries('?outcome=refused')
  expect(new Set(refused.map(({ outcome }) => outcome))).toEqual(new Set(['refused']))
  expect(new Set((await entries('?area=session')).map(({ event }) => event))).toEqual(new Set(['session.signIn']))
  expect((await entries('?connectionId=to')).every(({ connectionId }) => connectionId === 'to')).toBe(true)
  const [first] = await entries('?limit=1')
  expect((await entries(`?limit=1&before=${first?.seq}`))[0]?.seq).toBeLessThan(first?.seq ?? 0)
  expect((await call('GET', '/api/audit?limit=0')).status).toBe(422)
})

test('the exported lines are a chain that anybody can check', async () => {
  const response = await fetch(`${gateway.address}/api/audit/export`, {
    headers: { ...gateway.own, cookie: gateway.cookie },
  })
  const text = await response.text()
  const check = new ChainCheck()
  const lines = text.trimEnd().split('\n')
  for (const line of lines) check.add(JSON.parse(line))
  expect(check.result()).toMatchObject({ entries: lines.length })
  expect(check.isBroken).toBe(false)
  expect(text).not.toMatch(/SEEDED|correct horse/)
  const { json } = await call('GET', '/api/audit/verification')
  expect(json).toMatchObject({ entries: lines.length, head: check.result().head })
})

test('a change of an entry shows, and so does a missing one', async () => {
  const database = await openTestDatabase(`${gateway.folder}/data`)
  const verification = async () => ask<AuditVerification & Json>('GET', '/api/audit/verification')
  const { entries: count } = await verification()
  const [stored] = await database.rows('SELECT * FROM audit WHERE seq = 2')
  await database.write({ sql: "UPDATE audit SET actor = 'somebody else' WHERE seq = 2" })
  expect((await verification()).fault).toEqual({ seq: 2, problem: 'The entry was changed.' })
  await database.write({ sql: 'UPDATE audit SET actor = ? WHERE seq = 2', args: [String(stored?.['actor'])] })
  await database.write({ sql: 'UPDATE audit SET seq = 100000 WHERE seq = 3' })
  expect((await verification()).fault).toEqual({ seq: 3, problem: 'The entry is missing.' })
  await database.write({ sql: 'UPDATE audit SET seq = 3 WHERE seq = 100000' })
  expect(await verification()).toEqual(expect.objectContaining({ entries: count }))
  await database.close()
})

test('two processes add to one chain', async () => {
  const database = await openTestDatabase(mkdtempSync(join(tmpdir(), 'audit-')))
  const stores = [new AuditStore(database), new AuditStore(database)]
  const entry = { ...exampleAuditFacts, personId: null, event: 'alerts.update' }
  await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      await stores[at % 2]?.append({ ...entry, subject: String(at) })
    }),
  )
  const all = await stores[0]?.list({ limit: 500 })
  expect(new Set(all?.map(({ subject }) => subject)).size).toBe(40)
  expect(await stores[1]?.verify()).toMatchObject({ entries: 40, head: all?.[0]?.hash })
  await database.close()
})

test('the hash covers every field', () => {
  const other = { ...exampleAuditFacts, changes: [{ kind: 'alerts', recordId: null, name: 'x' }] }
  expect(hashOf(other)).not.toBe(hashOf(exampleAuditFacts))
  for (const [key, value] of Object.entries(exampleAuditFacts)) {
    if (key !== 'changes')
      expect(hashOf({ ...exampleAuditFacts, [key]: `${String(value)}!` }), key).not.toBe(hashOf(exampleAuditFacts))
  }
  // The order of the fields does not matter: the same fields, in another one.
  expect(hashOf(Object.fromEntries(Object.entries(exampleAuditFacts).toReversed()) as typeof exampleAuditFacts)).toBe(
    hashOf(exampleAuditFacts),
  )
})
