/** Sign-in with a real provider in its own process. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuditPage } from '#contract/audit.ts'
import type { SessionEntry } from '#contract/connections.ts'
import type { Account, ListedPerson } from '#contract/people.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { ProviderFault } from '#node/testing/oidcProvider.ts'
import { ProviderBrowser, startTestProvider, type TestProvider } from '#node/testing/testProvider.ts'
import {
  secrets,
  startTestGateway,
  startUpstream,
  type Reply,
  type TestGateway,
  type TestUpstream,
} from '../testing/testGateway.ts'
import { invite, signInAs, testPassword } from '../testing/testPeople.ts'
import type { ProviderSettings } from './providerSettings.ts'

let upstream: TestUpstream
let gateway: TestGateway
let provider: TestProvider
let other: TestProvider
const origins: string[] = []

const defaults = {
  groupsClaim: 'groups',
  createPeople: true,
  allowedDomains: [],
  trustEmail: false,
  signOutAtProvider: true,
}
const groups: ProviderSettings['groups'] = [
  { group: 'admins', role: 'administrator' },
  { group: 'payments', role: 'editor', connections: ['oss'] },
  { group: 'staff', role: 'viewer' },
]

beforeAll(async () => {
  upstream = await startUpstream()
  const port = await freePort()
  origins.push(`http://127.0.0.1:${port}`, `http://localhost:${port}`)
  ;[provider, other] = await Promise.all([
    startTestProvider({ origins, ids: ['test', 'strict', 'private', 'secret', 'roles'] }),
    startTestProvider({ origins, ids: ['other'] }),
  ])
  const { settings } = provider
  const providers: ProviderSettings[] = [
    { ...defaults, ...settings, id: 'test', label: 'Test', groups },
    { ...defaults, ...other.settings, id: 'other', label: 'Other', groups },
    {
      ...defaults,
      ...settings,
      id: 'strict',
      label: 'Strict',
      groups,
      createPeople: false,
      allowedDomains: ['corp.example'],
    },
    {
      ...defaults,
      ...settings,
      id: 'private',
      label: 'Private',
      groups,
      issuer: 'https://127.0.0.1:1',
      allowPrivate: false,
    },
    { ...defaults, ...settings, id: 'roles', label: 'Roles', groups: [{ group: 'staff', role: 'editor' }] },
    { ...defaults, ...settings, id: 'down', label: 'Down', groups, issuer: 'http://127.0.0.1:1' },
    { ...defaults, ...settings, id: 'secret', label: 'Secret', groups, clientSecret: 'wrong'.repeat(10) },
  ]
  gateway = await startTestGateway(upstream, { port, providers })
}, 60_000)
afterAll(async () => {
  await gateway.close()
  await Promise.all([provider.stop(), other.stop(), upstream.close()])
})
beforeEach(() => provider.setFault(null))

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  await new Promise((closed) => server.close(closed))
  return port
}

/** The cookies that a response sets, as a browser sends them back. */
const cookiesOf = ({ headers }: Reply) =>
  headers
    .getSetCookie()
    .map((one) => one.split(';')[0] ?? '')
    .filter((one) => !one.endsWith('='))
    .join('; ')
// Each test reads what it expects.
const json = <T>(reply: { json: unknown }) => reply.json as T

async function begin(id = 'test') {
  const reply = await gateway.call('POST', `/api/sign-in/providers/${id}`, {}, { cookie: '' })
  return { reply, url: String(reply.json['url']), cookie: cookiesOf(reply) }
}

const finish = (id: string, answer: string, cookie: string) =>
  gateway.call('POST', '/api/session', { provider: id, answer }, { cookie })

let people = 0
/** Somebody at the provider. */
async function somebody(claims: Record<string, unknown> = {}, at = provider) {
  const name = `person${++people}`
  const email = `${name}@corp.example`
  const set = (more: Record<string, unknown>) =>
    at.setAccount(name, { email, email_verified: true, name: `Person ${name}`, groups: ['staff'], ...claims, ...more })
  await set({})
  return { name, email, set, browser: new ProviderBrowser() }
}

/** The whole way: to the provider, and back to the console. */
async function signIn(who: Awaited<ReturnType<typeof somebody>>, id = 'test') {
  const begun = await begin(id)
  if (begun.reply.status !== 200) return begun.reply
  const back = new URL(await who.browser.follow(begun.url, who.name))
  expect(back.pathname).toBe(`/sign-in/${id}`)
  return finish(id, back.search, begun.cookie)
}

const as = (reply: Reply) => {
  const cookie = cookiesOf(reply)
  return (method: string, path: string, body?: unknown) => gateway.call(method, path, body, { cookie })
}
const listed = async (email: string) =>
  json<ListedPerson[]>(await gateway.call('GET', '/api/people')).find((one) => one.email === email)
const newest = async (area: string) =>
  json<AuditPage>(await gateway.call('GET', `/api/audit?area=${area}&limit=1`)).entries[0]

describe('a sign-in', () => {
  test('leads to the provider and back, with an account, its roles and a session', async () => {
    const who = await somebody({ groups: ['staff', 'payments', 'unknown'] })
    const reply = await signIn(who)
    expect(reply.json).toMatchObject({ signedIn: true, limited: true, person: { email: who.email } })
    expect(await listed(who.email)).toMatchObject({
      state: 'active',
      role: 'viewer',
      roles: { oss: 'editor' },
      byHand: { role: 'none', roles: {} },
      fromGroups: [
        { provider: 'Test', group: 'payments', role: 'editor', connectionId: 'oss' },
        { provider: 'Test', group: 'staff', role: 'viewer' },
      ],
    })
    const sessions = json<SessionEntry[]>(await as(reply)('GET', '/api/sessions'))
    expect(sessions).toMatchObject([{ way: 'provider', provider: 'Test', place: 'machine', current: true }])
    const roles = await newest('person')
    expect(roles).toMatchObject({ event: 'person.groupRoles', actor: 'Test', subject: `Person ${who.name}` })
    expect(roles?.reason).toContain('given: editor on oss (Test group payments)')
    const signedIn = await newest('session')
    expect(signedIn).toMatchObject({ event: 'session.signIn', subject: `Test: ${who.email}`, outcome: 'done' })
  })

  test('is offered on the sign-in page, and asks for a code with PKCE, state and nonce', async () => {
    const { json: session } = await gateway.call('GET', '/api/session', undefined, { cookie: '' })
    expect(session['providers']).toContainEqual({ id: 'test', label: 'Test' })
    const { reply, url } = await begin()
    const asked = new URL(url).searchParams
    expect(asked.get('response_type')).toBe('code')
    expect(asked.get('code_challenge_method')).toBe('S256')
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)?.length).toBeGreaterThan(20)
    expect(asked.get('redirect_uri')).toBe(`${origins[0]}/sign-in/test`)
    const [cookie = ''] = reply.headers.getSetCookie()
    expect(cookie).toMatch(/_provider=[\w-]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Strict$/)
    // Sealed: the browser does not learn the verifier.
    expect(Buffer.from(cookie.split(/[=;]/)[1] ?? '', 'base64url').toString('latin1')).not.toContain('redirect')
  })

  test('goes back to the address at which the console was opened', async () => {
    const origin = origins[1] ?? ''
    const headers = { cookie: '', origin, host: new URL(origin).host }
    const begun = await gateway.call('POST', '/api/sign-in/providers/test', {}, headers)
    // Not every client lets a test choose the Host header.
    const uri = new URL(String(begun.json['url'] ?? 'http://x')).searchParams.get('redirect_uri')
    expect([`${origin}/sign-in/test`, null]).toContain(uri)
    expect(
      (await gateway.call('POST', '/api/sign-in/providers/test', {}, { origin: 'https://evil.example' })).status,
    ).toBe(403)
  })

  test('reads the groups at each sign-in, and roles by hand stay', async () => {
    const who = await somebody({ groups: ['admins'] })
    const first = await signIn(who)
    expect(first.json['limited']).toBeUndefined()
    const person = await listed(who.email)
    expect(person?.role).toBe('administrator')
    const input = { name: 'Changed', email: who.email, role: 'viewer', roles: { managed: 'editor' } }
    expect((await gateway.call('PUT', `/api/people/${person?.id}`, input)).status).toBe(200)
    expect(await listed(who.email)).toMatchObject({ role: 'administrator', roles: { managed: 'administrator' } })
    await who.set({ groups: [] })
    // The session that is open loses them too.
    await signIn(who)
    expect(await listed(who.email)).toMatchObject({ role: 'viewer', roles: { managed: 'editor' } })
    expect(await listed(who.email)).not.toHaveProperty('fromGroups')
    expect((await as(first)('GET', '/api/people')).code).toBe('forbidden')
    expect((await newest('person'))?.reason).toBe('taken away: administrator on all connections (Test group admins)')
  })

  test.each([
    ['a text that is split', 'staff,admins'],
    ['another case', ['ADMINS']],
    ['the group of everybody', ['*']],
    ['nested', [['admins']]],
    ['an object', { admins: true, includes: 'admins' }],
  ])('gives no role for groups that are %s', async (_, claim) => {
    const who = await somebody({ groups: claim })
    const reply = await signIn(who)
    expect(reply.json['message']).toMatch(/^None of your groups at Test has a role in this console/)
    expect(await listed(who.email)).toBeUndefined()
  })

  test('is refused if the provider left out the groups, instead of taking the roles away', async () => {
    const who = await somebody({ groups: ['admins'] })
    await signIn(who)
    await who.set({ groups: undefined, _claim_names: { groups: 'src1' } })
    expect((await signIn(who)).json['message']).toMatch(/^Test left out your groups, because you are in too many/)
    expect((await listed(who.email))?.role).toBe('administrator')
  })
})

describe('whose account it is', () => {
  test('an account that somebody uses is never opened by an e-mail address, but connected by its owner', async () => {
    const owner = await signInAs(gateway, { email: `owner${++people}@corp.example`, role: 'operator' })
    const who = await somebody({ email: owner.email })
    const refused = await signIn(who)
    expect(refused.code).toBe('signedOut')
    expect(refused.json['message']).toContain('then connect it to Test under My account')
    const begun = await owner.call('POST', '/api/account/providers/test', {})
    const back = new URL(await who.browser.follow(String(begun.json['url']), who.name))
    const answer = { provider: 'test', answer: back.search }
    // Not as a sign-in, not by somebody else, and not without what began it.
    const transaction = cookiesOf(begun)
    expect((await finish('test', back.search, transaction)).code).toBe('signedOut')
    const stranger = await signInAs(gateway)
    const withIt = { cookie: `${stranger.cookie}; ${transaction}` }
    expect((await stranger.call('POST', '/api/account/providers', answer, withIt)).code).toBe('signedOut')
    expect((await owner.call('POST', '/api/account/providers', answer)).code).toBe('signedOut')
    const own = { cookie: `${owner.cookie}; ${transaction}` }
    expect((await owner.call('POST', '/api/account/providers', answer, own)).status).toBe(200)
    expect((await signIn(who)).json).toMatchObject({ person: { email: owner.email } })
    const account = json<Account>(await owner.call('GET', '/api/account'))
    expect(account.providers.find(({ id }) => id === 'test')?.connected?.groups).toEqual(['staff'])
    expect(await newest('account')).toMatchObject({ event: 'account.connectProvider', outcome: 'done' })

    expect((await owner.call('DELETE', '/api/account/providers/test')).status).toBe(200)
    expect((await signIn(who)).code).toBe('signedOut')
  })

  test('an identity belongs to one account', async () => {
    const who = await somebody()
    await signIn(who)
    const other = await signInAs(gateway)
    const begun = await other.call('POST', '/api/account/providers/test', {})
    const back = new URL(await who.browser.follow(String(begun.json['url']), who.name))
    const cookie = `${other.cookie}; ${cookiesOf(begun)}`
    const reply = await other.call(
      'POST',
      '/api/account/providers',
      { provider: 'test', answer: back.search },
      { cookie },
    )
    expect([reply.code, reply.json['message']]).toEqual([
      'conflict',
      "Somebody else's account is connected to this identity of Test.",
    ])
  })

  test('somebody who was added and never signed in gets their account, if the address is verified', async () => {
    const added = await invite(gateway, { name: 'Ada', role: 'editor', email: `ada${++people}@corp.example` })
    const who = await somebody({ email: added.email, email_verified: false })
    expect((await signIn(who)).json['message']).toContain('does not say that the e-mail address')
    await who.set({ email: added.email, email_verified: 'true' })
    expect((await signIn(who)).code).toBe('signedOut')
    await who.set({ email: added.email, email_verified: true })
    expect((await signIn(who)).json).toMatchObject({ person: { name: 'Ada', email: added.email } })
    // The link that was sent before opens it no more.
    const proof = { invitation: added.invitation, password: testPassword }
    expect((await gateway.call('POST', '/api/session', proof, { cookie: '' })).code).toBe('signedOut')
    // Nobody with the same address at another provider gets it.
    const twin = await somebody({ email: added.email }, other)
    expect((await signIn(twin, 'other')).json['message']).toContain('There is an account with the e-mail address')
  })

  test('with the name of somebody else, or of the console, is told apart', async () => {
    await invite(gateway, { name: 'Mira Halvorsen' })
    for (const name of ['mira  halvorsen', 'Stack Console']) {
      const who = await somebody({ name })
      expect((await signIn(who)).json).toMatchObject({ person: { name: `${name} (${who.email})` } })
    }
  })

  test('is that of the subject, whatever address it has later', async () => {
    const who = await somebody()
    await signIn(who)
    const victim = await signInAs(gateway, { role: 'administrator' })
    await who.set({ email: victim.email })
    expect((await signIn(who)).json).toMatchObject({ person: { email: who.email } })
  })

  test('of two providers with one issuer, the one that was used says what groups mean', async () => {
    const who = await somebody({ groups: ['staff'] })
    await signIn(who)
    expect((await signIn(who, 'roles')).status).toBe(200)
    expect((await listed(who.email))?.fromGroups).toEqual([{ provider: 'Roles', group: 'staff', role: 'editor' }])
    await signIn(who)
    expect((await listed(who.email))?.fromGroups).toEqual([{ provider: 'Test', group: 'staff', role: 'viewer' }])
  })

  test('a disabled account stays closed', async () => {
    const who = await somebody()
    const first = await signIn(who)
    const id = (await listed(who.email))?.id
    await gateway.call('PUT', `/api/people/${id}/disabled`, { disabled: true })
    expect((await as(first)('GET', '/api/connections')).code).toBe('signedOut')
    expect((await signIn(who)).json['message']).toBe('This account is disabled.')
    await gateway.call('PUT', `/api/people/${id}/disabled`, { disabled: false })
    expect((await listed(who.email))?.state).toBe('active')
    expect((await signIn(who)).status).toBe(200)
    // It is the only way in: nobody locks themselves out.
    const refused = await as(await signIn(who))('DELETE', '/api/account/providers/test')
    expect(refused.json['message']).toMatch(/^This is the only way in which you can sign in/)
  })

  test('only known people of allowed domains, where the configuration says so', async () => {
    const stranger = await somebody({ email: `x${++people}@elsewhere.example` })
    expect((await signIn(stranger, 'strict')).json['message']).toBe(
      'Only people with a verified e-mail address of corp.example may sign in with Strict.',
    )
    const tricky = await somebody({ email: `"a@corp.example"@evil.example` })
    expect((await signIn(tricky, 'strict')).code).toBe('signedOut')
    const unknown = await somebody()
    expect((await signIn(unknown, 'strict')).json['message']).toMatch(
      /^Nobody with the e-mail address .* has an account here/,
    )
  })
})

describe('a fault of the provider', () => {
  const messageWith = async (fault: ProviderFault) => {
    const who = await somebody()
    await provider.setFault(fault)
    const { json: reply, status } = await signIn(who)
    return `${status} ${String(reply['message'])}`
  }

  test.each<[string, ProviderFault, RegExp]>([
    ['another audience', { idToken: { aud: 'other' } }, /^401 Test sent a token that is not for this sign-in/],
    [
      'another issuer',
      { idToken: { iss: 'https://evil.example' } },
      /^401 Test sent a token that is not for this sign-in/,
    ],
    ['another nonce', { idToken: { nonce: 'other' } }, /^401 Test sent a token that is not for this sign-in/],
    ['no nonce', { idToken: { nonce: null } }, /^401 Test sent/],
    ['a slow clock', { idToken: { exp: 1_000_000 } }, /^401 .* The clocks of the provider and of this console differ/],
    ['a fast clock', { idToken: { iat: 4_000_000_000, nbf: 4_000_000_000 } }, /^401 .* The clocks .* differ/],
    ['another key', { otherKey: true }, /^401 Test sent a response that does not belong to this sign-in/],
    ['no token', { status: { path: '/token', status: 503 } }, /^401 Test /],
    ['no user info', { status: { path: '/me', status: 500 } }, /^401 Test /],
  ])('%s is explained, and passwords still work', async (_, fault, expected) => {
    expect(await messageWith(fault)).toMatch(expected)
    const { status } = await gateway.call('POST', '/api/session', { password: secrets.password }, { cookie: '' })
    expect(status).toBe(200)
  })

  test('that somebody cancels is explained', async () => {
    const { url, cookie } = await begin()
    const state = new URL(url).searchParams.get('state')
    const answer = `?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`
    expect((await finish('test', answer, cookie)).json['message']).toMatch(
      /^Test refused the sign-in. You may have cancelled/,
    )
    expect(await newest('session')).toMatchObject({ subject: 'Test', outcome: 'refused' })
  })

  test('a wrong secret and a private address are explained without the secret', async () => {
    const reply = await signIn(await somebody(), 'secret')
    expect(reply.json['message']).toBe(
      'Secret does not accept the client ID or secret of this console. An administrator has to correct them.',
    )
    const { reply: guarded } = await begin('private')
    expect([guarded.code, guarded.json['message']]).toEqual([
      'unreachable',
      expect.stringMatching(
        /^Private cannot be reached: it has a private address, which its configuration does not allow/,
      ),
    ])
    const { reply: down } = await begin('down')
    expect(down.json['message']).toBe(
      'Down cannot be reached: the connection failed (ECONNREFUSED). Try again later, or sign in otherwise.',
    )
    expect((await gateway.call('GET', '/api/session', undefined, { cookie: '' })).json['passwordOffered']).toBe(true)
    for (const secret of ['client-secret-SEEDED', 'wrongwrong']) {
      expect(gateway.log.join('\n')).not.toContain(secret)
      expect(reply.text).not.toContain(secret)
    }
  })
})

describe('a sign-out', () => {
  const now = () => Math.floor(currentTime() / 1000)
  const event = 'http://schemas.openid.net/event/backchannel-logout'
  const notice = (claims: Record<string, unknown> = {}) => ({
    iss: provider.issuer,
    aud: 'console',
    iat: now(),
    exp: now() + 120,
    jti: randomUUID(),
    events: { [event]: {} },
    ...claims,
  })
  const report = async (token: string, id = 'test') => {
    const body = new URLSearchParams({ logout_token: token })
    const response = await fetch(`${gateway.address}/sign-out/${id}`, { method: 'POST', body })
    return `${response.status} ${await response.text()}`
  }
  const sign = (claims: Record<string, unknown>) => provider.sign(notice(claims), { typ: 'logout+jwt' })
  const isOpen = async (reply: Reply) => (await as(reply)('GET', '/api/connections')).status === 200

  test('here goes on at the provider, and ends both sessions', async () => {
    const who = await somebody()
    const reply = await signIn(who)
    const out = await as(reply)('DELETE', '/api/session')
    const url = new URL(String(out.json['signOutUrl']))
    expect(url.origin).toBe(provider.issuer)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${origins[0]}/sign-in`)
    expect(await isOpen(reply)).toBe(false)
    const asked = await who.browser.get(url.href)
    expect(asked.text).toContain('Do you want to sign-out')
  })

  test('at the provider ends the session here, by its own back channel', async () => {
    const who = await somebody()
    const [first, second] = [await signIn(who), await signIn(await somebody())]
    const url = new URL(String((await as(await signIn(who))('DELETE', '/api/session')).json['signOutUrl']))
    const { text } = await who.browser.get(url.href)
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const confirmed = new URLSearchParams({ xsrf, logout: 'yes' })
    await who.browser.get(`${provider.issuer}/session/end/confirm`, confirmed)
    await vi.waitFor(async () => expect(await isOpen(first)).toBe(false), { timeout: 30_000 })
    expect(await isOpen(second)).toBe(true)
    const entered = await newest('session')
    expect(entered).toMatchObject({ event: 'session.backChannelSignOut', actor: 'Test', outcome: 'done' })
  })

  test('by subject ends all sessions of the subject, once', async () => {
    const who = await somebody()
    const [first, second] = [await signIn(who), await signIn(who)]
    const token = await sign({ sub: who.name })
    expect(await report(token)).toBe('200 ')
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, false])
    const again = await signIn(who)
    expect(await report(token)).toMatch(/^400 .*The token was used before/)
    expect(await isOpen(again)).toBe(true)
  })

  test('that nobody proves ends nothing', async () => {
    const who = await somebody()
    const reply = await signIn(who)
    const sub = who.name
    const key = await generateKeyPair('RS256')
    const forged = (alg: string, secret: CryptoKey | Uint8Array, header: object = {}) =>
      new SignJWT(notice({ sub })).setProtectedHeader({ alg, kid: 'the-key-of-the-test', ...header }).sign(secret)
    const refused: Record<string, string> = {
      'another key': await forged('RS256', key.privateKey),
      'the client secret as key': await forged('HS256', new TextEncoder().encode(provider.settings.clientSecret)),
      'no signature': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(notice({ sub }))).toString('base64url')}.`,
      'another issuer': await sign({ sub, iss: other.issuer }),
      'another audience': await sign({ sub, aud: 'other' }),
      'too old': await sign({ sub, iat: now() - 3_600 }),
      expired: await sign({ sub, exp: now() - 3_600 }),
      'from the future': await sign({ sub, iat: now() + 3_600, exp: now() + 7_200 }),
      'no event': await sign({ sub, events: {} }),
      'a nonce, as ID tokens have': await sign({ sub, nonce: 'x' }),
      'no ID': await sign({ sub, jti: undefined }),
      nobody: await sign({}),
      'another type': await provider.sign(notice({ sub }), { typ: 'at+jwt' }),
      'somebody else’s session': await sign({ sub, sid: 'not-their-session' }),
      nonsense: 'a.b.c',
      empty: '',
    }
    for (const [what, token] of Object.entries(refused)) {
      const answer = await report(token)
      expect(`${what}: ${answer}`).toMatch(what === 'somebody else’s session' ? /: 200 / : /: 400 /)
      expect(await isOpen(reply)).toBe(true)
    }
    // Strangers do not fill the audit log, but the log of the console has it.
    expect((await newest('session'))?.outcome).toBe('done')
    expect(gateway.log.join('\n')).toContain('A sign-out token of a provider was refused.')
    expect(await report(await sign({ sub }), 'other')).toMatch(/^400 /)
    expect(await report(await sign({ sub }), 'nobody')).toMatch(/^400 /)
    expect(await isOpen(reply)).toBe(true)
  })
})

describe('an attack on the way', () => {
  test('with the answer of somebody else fails: login CSRF and stolen codes', async () => {
    const attacker = await somebody({ groups: ['admins'] })
    const mine = await begin()
    const back = new URL(await attacker.browser.follow(mine.url, attacker.name))
    const victim = await begin()
    for (const cookie of ['', victim.cookie, gateway.cookie]) {
      expect((await finish('test', back.search, cookie)).code).toBe('signedOut')
    }
    // The sign-in that the victim began does not fit the attacker's code either.
    const state = new URL(victim.url).searchParams.get('state') ?? ''
    const injected = new URLSearchParams(back.search)
    injected.set('state', state)
    expect((await finish('test', `?${injected}`, victim.cookie)).code).toBe('signedOut')
  })

  test('with an answer, a transaction or a cookie that was used before fails', async () => {
    const who = await somebody()
    const begun = await begin()
    const back = new URL(await who.browser.follow(begun.url, who.name))
    const done = await finish('test', back.search, begun.cookie)
    expect(done.status).toBe(200)
    // The browser forgets it.
    expect(done.headers.getSetCookie().some((one) => /_provider=;.*(Expires|Max-Age=0)/i.test(one))).toBe(true)
    expect((await finish('test', back.search, begun.cookie)).code).toBe('signedOut')
    const changed = begun.cookie.slice(0, -3) + (begun.cookie.endsWith('A') ? 'BBB' : 'AAA')
    expect((await finish('test', back.search, changed)).code).toBe('signedOut')
  })

  test('that mixes up two providers fails', async () => {
    const who = await somebody()
    const begun = await begin('other')
    const meant = new URL(begun.url)
    // A provider that is bad sends the browser on to a good one, with its own state.
    const good = new URL((await begin('test')).url)
    good.searchParams.set('state', meant.searchParams.get('state') ?? '')
    const back = new URL(await who.browser.follow(good.href, who.name))
    expect((await finish('test', back.search, begun.cookie)).code).toBe('signedOut')
    const again = await begin('other')
    const query = new URLSearchParams(back.search)
    query.set('state', new URL(again.url).searchParams.get('state') ?? '')
    // The good one says who it is (iss).
    const mixed = await finish('other', `?${query}`, again.cookie)
    expect(mixed.json['message']).toBe('Other sent a response that does not belong to this sign-in. Start again.')
  })

  test('with a session ID that the attacker knows gets nothing: the sign-in makes a new one', async () => {
    const who = await somebody()
    const begun = await begin()
    const back = new URL(await who.browser.follow(begun.url, who.name))
    const name = gateway.cookie.split('=')[0]
    const fixed = `${name}=an-id-that-the-attacker-chose`
    const done = await finish('test', back.search, `${begun.cookie}; ${fixed}`)
    expect(done.status).toBe(200)
    expect(cookiesOf(done)).not.toContain('attacker')
    expect((await gateway.call('GET', '/api/connections', undefined, { cookie: fixed })).code).toBe('signedOut')
  })

  test('with nonsense is refused, and nothing of it comes back', async () => {
    for (const answer of [
      '',
      '?',
      '?code=x',
      '?error=<script>&state=x',
      '?code=x&code=y',
      `?${'x'.repeat(7_000)}`,
      '#a',
      '//x',
    ]) {
      const { cookie } = await begin()
      const reply = await finish('test', answer, cookie)
      expect(reply.code).toBe('signedOut')
      expect(reply.text).not.toContain('script')
    }
    expect((await finish('nobody', '?code=x', '')).status).toBe(404)
    expect((await finish('__proto__', '?code=x', '')).status).toBe(404)
  })

  test('by many failures delays its own address, and nobody who signed in from their browser before', async () => {
    const who = await somebody()
    const known = cookiesOf(await signIn(who))
      .split('; ')
      .filter((one) => one.includes('_known'))
      .join('; ')
    // Another site that sends the browser to the page with answers does not use up the attempts of the browser.
    for (let attempt = 0; attempt < 10; attempt++) {
      await finish('test', '?code=x&state=x', known)
    }
    let last: unknown
    for (let attempt = 0; attempt < 60 && last !== 'rateLimited'; attempt++) {
      last = (await finish('test', '?code=x', '')).code
    }
    expect(last).toBe('rateLimited')
    const begun = await begin()
    const back = new URL(await who.browser.follow(begun.url, who.name))
    expect((await finish('test', back.search, begun.cookie)).code).toBe('rateLimited')
    expect((await finish('test', back.search, `${begun.cookie}; ${known}`)).status).toBe(200)
    // Passwords have limits of their own.
    const password = { password: secrets.password }
    expect((await gateway.call('POST', '/api/session', password, { cookie: '' })).status).toBe(200)
  })
})
