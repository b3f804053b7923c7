/** Accounts, sessions and tokens over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AuditPage } from '#contract/console/audit.ts'
import type { Account, CreatedToken, ListedPerson } from '#contract/console/people.ts'
import { answerJson, gatewayForTests, sendRaw } from '../../testing/testGateway.ts'
import { storedBytes } from '../../testing/testDatabase.ts'
import { openDatabase } from '../../database/database.ts'
import { People } from './people.ts'
import { invite, signInAs, testPassword, type SignedIn } from '../../testing/testPeople.ts'

const { gateway, upstream } = await gatewayForTests()
// Each test reads what it expects.
const json = <T>(reply: { json: unknown }) => reply.json as T
const signIn = (body: unknown, cookie = '') => gateway.call('POST', '/api/session', body, { cookie })
const list = async () => json<ListedPerson[]>(await gateway.call('GET', '/api/people'))
const edit = (id: string, input: object) => gateway.call('PUT', `/api/people/${id}`, { name: 'Person', ...input })
const disable = (id: string, disabled: boolean) => gateway.call('PUT', `/api/people/${id}/disabled`, { disabled })

describe('without people', () => {
  test('the session says nothing of accounts', async () => {
    expect((await gateway.call('GET', '/api/session')).json).not.toHaveProperty('accounts')
    expect((await gateway.call('GET', '/api/account')).json['message']).toMatch(/^You are signed in without an account/)
  })
})

describe('an account', () => {
  test('is invited by a link that works once, and signs in with its password', async () => {
    const added = await invite(gateway, { name: 'Mira Halvorsen' })
    expect((await gateway.call('GET', '/api/session')).json['accounts']).toBe(true)
    expect((await signIn({ email: added.email, password: testPassword })).code).toBe('signedOut')
    const shown = await gateway.call('POST', '/api/invitation', { token: added.invitation }, { cookie: '' })
    expect(shown.json).toEqual({ name: 'Mira Halvorsen', email: added.email })
    expect((await signIn({ token: added.invitation })).code).toBe('signedOut')
    expect((await signIn({ invitation: added.invitation, password: 'short' })).code).toBe('invalid')
    const entry = await signIn({ invitation: added.invitation, password: testPassword })
    expect(entry.json).toMatchObject({ signedIn: true, limited: true, person: { name: 'Mira Halvorsen' } })
    expect((await signIn({ invitation: added.invitation, password: testPassword })).code).toBe('signedOut')
    expect((await signIn({ email: ` ${added.email.toUpperCase()}`, password: testPassword })).status).toBe(200)
    expect((await signIn({ email: added.email, password: 'wrong' })).json['message']).toBe(
      'Wrong e-mail address or password.',
    )
    expect((await list()).find(({ id }) => id === added.id)).toMatchObject({
      state: 'active',
      sessions: 2,
      current: false,
    })
  })

  test('has an e-mail address that nobody else has', async () => {
    const [one, other] = [await invite(gateway), await invite(gateway)]
    const input = { name: 'Twin', role: 'viewer' }
    const twin = await gateway.call('POST', '/api/people', { ...input, email: one.email.toUpperCase() })
    expect([twin.status, twin.json['fields']]).toEqual([409, [expect.objectContaining({ path: 'email' })]])
    expect((await edit(other.id, { role: 'viewer', email: one.email })).status).toBe(409)
    expect((await gateway.call('POST', '/api/people', { ...input, email: 'nowhere' })).code).toBe('invalid')
  })

  test('is refused in a console with too many people', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'people-'))
    const database = await openDatabase(folder)
    try {
      const people = new People(database)
      const person = { name: 'One', email: 'one@example.com', role: 'viewer' as const, roles: {} }
      await database.rows(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 4999)
          INSERT INTO people (id, name, email, role, roles, state, created_at)
          SELECT n, n, n || '@example.com', 'viewer', '{}', 'invited', '2026-01-01T00:00:00.000Z' FROM numbers`,
      )
      const { id } = await people.add(person)
      const other = { ...person, email: 'other@example.com' }
      await expect(people.add(other)).rejects.toMatchObject({
        error: { code: 'blocked', message: 'A console has at most 5000 people. Delete an account first.' },
      })
      await people.remove(id)
      expect(await people.add(other)).toMatchObject({ email: other.email, state: 'invited' })
    } finally {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('gets a new password by a new link, which ends its sessions', async () => {
    const one = await signInAs(gateway)
    const { json: again } = await gateway.call('POST', `/api/people/${one.id}/invitation`)
    expect((await one.call('GET', '/api/connections')).status).toBe(200)
    const token = String(again['link']).split('#invitation=')[1]
    expect((await signIn({ invitation: token, password: 'another-password' })).status).toBe(200)
    expect((await one.call('GET', '/api/connections')).code).toBe('signedOut')
    expect((await signIn({ email: one.email, password: testPassword })).code).toBe('signedOut')
  })

  test('changes its own password with the current one, and ends its other sessions', async () => {
    const one = await signInAs(gateway)
    const other = (await signIn({ email: one.email, password: testPassword })).headers.getSetCookie()[0]?.split(';')[0]
    const change = (current: string) =>
      one.call('PUT', '/api/account/password', { current, password: 'a-new-password' })
    expect((await change('wrong')).json['fields']).toEqual([expect.objectContaining({ path: 'current' })])
    expect((await change(testPassword)).status).toBe(200)
    expect((await one.call('GET', '/api/connections')).status).toBe(200)
    expect((await gateway.call('GET', '/api/connections', undefined, { cookie: other ?? '' })).code).toBe('signedOut')
  })

  test('neither password nor secrets of links and tokens are on the disk or in the log', async () => {
    const one = await signInAs(gateway)
    const pending = await invite(gateway)
    const { secret } = await newToken(one)
    const bytes = await storedBytes(join(gateway.folder, 'data'))
    expect(bytes).toContain('$argon2id$')
    for (const text of [testPassword, pending.invitation, secret]) {
      expect(bytes).not.toContain(text)
      expect(gateway.log.join('\n')).not.toContain(text)
    }
  })
})

describe('a change of an account acts at once on open sessions', () => {
  const names = async ({ call }: SignedIn) =>
    json<{ id: string }[]>(await call('GET', '/api/connections')).map(({ id }) => id)
  const write = ({ call }: SignedIn) => call('POST', '/api/c/oss/stack/dashboards', { name: 'Board', tiles: [] })

  test('of its roles', async () => {
    upstream.become(answerJson({ data: { id: 'x1', name: 'Board', tiles: [] } }))
    const one = await signInAs(gateway, { role: 'editor' })
    expect((await write(one)).code).not.toBe('forbidden')
    await edit(one.id, { email: one.email, role: 'none', roles: { oss: 'viewer' } })
    expect(await names(one)).toEqual(['oss'])
    expect((await write(one)).code).toBe('forbidden')
    expect((await one.call('GET', '/api/c/managed/stack/alerts')).status).toBe(404)
    const comparison = await one.call('GET', '/api/connections/oss/comparison?baseline=managed')
    expect(comparison.status).toBe(404)
    expect((await one.call('GET', '/api/session')).json['limited']).toBe(true)
  })

  test('that it is disabled, enabled or deleted', async () => {
    const one = await signInAs(gateway)
    const { secret } = await newToken(one)
    await disable(one.id, true)
    expect((await one.call('GET', '/api/connections')).code).toBe('signedOut')
    expect((await byToken(secret, 'GET', '/api/connections')).status).toBe(401)
    expect((await signIn({ email: one.email, password: testPassword })).code).toBe('signedOut')
    expect((await gateway.call('POST', `/api/people/${one.id}/invitation`)).code).toBe('blocked')
    await disable(one.id, false)
    // The session has ended for good; the password is what it was.
    expect((await one.call('GET', '/api/connections')).code).toBe('signedOut')
    expect((await signIn({ email: one.email, password: testPassword })).status).toBe(200)
    expect((await gateway.call('DELETE', `/api/people/${one.id}`)).status).toBe(200)
    expect((await byToken(secret, 'GET', '/api/connections')).status).toBe(401)
    expect((await signIn({ email: one.email, password: testPassword })).code).toBe('signedOut')
    expect((await gateway.call('DELETE', `/api/people/${one.id}`)).status).toBe(404)
  })

  test('the last administrator stays one', async () => {
    const [one, other] = [
      await signInAs(gateway, { role: 'administrator' }),
      await signInAs(gateway, { role: 'administrator' }),
    ]
    await invite(gateway, { role: 'administrator' })
    const demote = ({ id, email }: SignedIn) => edit(id, { email, role: 'viewer' })
    // Both at once: one of them is left.
    const outcomes = await Promise.all([demote(one), demote(other)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const last = outcomes[0]?.status === 409 ? one : other
    expect((await disable(last.id, true)).json['message']).toMatch(/is the last administrator who can sign in/)
    expect((await gateway.call('DELETE', `/api/people/${last.id}`)).status).toBe(409)
    expect((await edit(last.id, { email: last.email, role: 'administrator', name: 'Renamed' })).status).toBe(200)
  })
})

test('the audit log has who signed in, who was refused, and what an administrator changed, and is for administrators', async () => {
  const one = await signInAs(gateway, { name: 'Priya Nair', role: 'viewer' })
  await signIn({ email: one.email, password: 'a-wrong-password' })
  await one.call('POST', '/api/c/oss/stack/dashboards', { name: 'Board', tiles: [] })
  await edit(one.id, { email: one.email, role: 'editor' })
  const read = (who: Pick<SignedIn, 'call'>) => who.call('GET', '/api/audit?limit=20')
  const { entries } = json<AuditPage>(await read(gateway))
  const facts = entries.map(({ event, actor, subject, outcome }) => [event, actor, subject, outcome].join(', '))
  expect(facts).toContain('session.signIn, Priya Nair, invitation, done')
  expect(facts.some((fact) => fact.startsWith('session.signIn') && fact.endsWith(`${one.email}, refused`))).toBe(true)
  expect(facts).toContain('dashboards.create, Priya Nair, , refused')
  expect(facts.some((fact) => fact.startsWith('person.update'))).toBe(true)
  expect((await read(one)).code).toBe('forbidden')
})

test('somebody lists and ends only their own sessions', async () => {
  const [one, other] = [await signInAs(gateway), await signInAs(gateway)]
  const sessionsOf = async ({ call }: SignedIn) =>
    json<{ id: string; current: boolean; address: string }[]>(await call('GET', '/api/sessions'))
  const [mine] = await sessionsOf(one)
  expect(await sessionsOf(one)).toEqual([expect.objectContaining({ current: true, address: '127.0.0.1' })])
  await other.call('DELETE', `/api/sessions/${mine?.id}`)
  await other.call('DELETE', '/api/sessions')
  expect(await sessionsOf(one)).toHaveLength(1)
  const administrators = json<{ id: string }[]>(await gateway.call('GET', '/api/sessions'))
  expect(administrators.map(({ id }) => id)).not.toContain(mine?.id)
})

async function newToken({ call }: SignedIn, input: object = {}): Promise<CreatedToken> {
  const body = { name: 'ci-shop', role: 'operator', connections: null, days: 31, ...input }
  const created = await call('POST', '/api/account/tokens', body)
  expect(created.status, created.text).toBe(200)
  return json<CreatedToken>(created)
}

/** As a script sends it: without a cookie, and without the headers of a page. */
async function byToken(secret: string, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${secret}`, host: new URL(gateway.address).host }
  const text = body === undefined ? '' : JSON.stringify(body)
  const sized =
    text === '' ? headers : { ...headers, 'content-type': 'application/json', 'content-length': text.length }
  const reply = await sendRaw(gateway.address, { method, path, headers: sized }, text)
  return { ...reply, json: JSON.parse(reply.text) as unknown }
}

describe('a personal token', () => {
  test('does what its person may, within its own limits', async () => {
    const one = await signInAs(gateway, { role: 'editor' })
    const all = await newToken(one)
    const limited = await newToken(one, { role: 'viewer', connections: ['oss'] })
    expect(all.secret).toMatch(/^sct_[\w-]{43}$/)
    const names = async (secret: string) => json<{ id: string }[]>(await byToken(secret, 'GET', '/api/connections'))
    expect(await names(all.secret)).toHaveLength(4)
    expect(await names(limited.secret)).toEqual([expect.objectContaining({ id: 'oss', role: 'viewer' })])
    const board = { name: 'Board', tiles: [] }
    const write = (secret: string) => byToken(secret, 'POST', '/api/c/oss/stack/dashboards', board)
    expect((await write(all.secret)).status).not.toBe(403)
    expect(await write(limited.secret)).toMatchObject({ status: 403, json: { code: 'forbidden' } })
    expect((await byToken(limited.secret, 'GET', '/api/c/managed/stack/alerts')).status).toBe(404)
    await edit(one.id, { email: one.email, role: 'viewer' })
    expect((await write(all.secret)).status).toBe(403)
  })

  test('has at most 49 others beside it, also if they are created at once', async () => {
    const one = await signInAs(gateway)
    const scope = { name: 'ci', role: 'viewer', connections: null, days: 1 }
    const created = await Promise.all(Array.from({ length: 53 }, () => one.call('POST', '/api/account/tokens', scope)))
    const refused = created.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(3)
    expect(refused[0]?.json['message']).toBe('A person has at most 50 tokens. Revoke one first.')
  })

  test('never reaches sessions and accounts, also of an administrator', async () => {
    const one = await signInAs(gateway, { role: 'administrator' })
    const { secret } = await newToken(one, { role: 'administrator' })
    for (const path of ['/api/people', '/api/account', '/api/sessions']) {
      expect((await byToken(secret, 'GET', path)).status, path).toBe(403)
    }
    const person = { name: 'x', email: 'x@example.com', role: 'administrator' }
    expect((await byToken(secret, 'POST', '/api/people', person)).status).toBe(403)
    // A request to sign in is checked as one of a page.
    expect((await byToken(secret, 'POST', '/api/session', { password: 'x' })).status).toBe(403)
    expect((await byToken(secret, 'DELETE', '/api/connections/none')).status).toBe(404)
  })

  test('is shown with its last use, and ends when it is revoked', async () => {
    const [one, other] = [await signInAs(gateway), await signInAs(gateway)]
    const { id, secret, end } = await newToken(one)
    const shown = async () => json<Account>(await one.call('GET', '/api/account')).tokens
    expect(await shown()).toEqual([expect.not.objectContaining({ usedAt: expect.anything() })])
    await byToken(secret, 'GET', '/api/connections')
    expect(await shown()).toEqual([expect.objectContaining({ id, end, usedAt: expect.any(String) })])
    expect(JSON.stringify(await shown())).not.toContain(secret)
    await other.call('DELETE', `/api/account/tokens/${id}`)
    expect((await byToken(secret, 'GET', '/api/connections')).status).toBe(200)
    await one.call('DELETE', `/api/account/tokens/${id}`)
    expect((await byToken(secret, 'GET', '/api/connections')).status).toBe(401)
    expect((await byToken('sct_guessed', 'GET', '/api/connections')).status).toBe(401)
  })
})
