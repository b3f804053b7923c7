/** Sign-in with a real provider in its own process. */
import { describe, expect, test } from 'vitest'
import type { SessionEntry } from '#contract/console/connections.ts'
import type { Account } from '#contract/console/people.ts'
import type { ProviderFault } from '#node/testing/oidcProvider.ts'
import { cookiesOf, json, oidcScene } from '../../testing/oidcScene.ts'
import { secrets } from '../../testing/testGateway.ts'
import { invite, signInAs, testPassword } from '../../testing/testPeople.ts'

const { gateway, provider, other, origins, newNumber, begin, finish, somebody, signIn, as, listed, newest } =
  await oidcScene()

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
    const owner = await signInAs(gateway, { email: `owner${newNumber()}@corp.example`, role: 'operator' })
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
    const added = await invite(gateway, { name: 'Ada', role: 'editor', email: `ada${newNumber()}@corp.example` })
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
    const stranger = await somebody({ email: `x${newNumber()}@elsewhere.example` })
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
