/** Sign-outs by a provider, and attacks on the way from and to a provider. */
import { randomUUID } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { cookiesOf, oidcScene } from '../../testing/oidcScene.ts'
import { secrets, type Reply } from '../../testing/testGateway.ts'

const { gateway, provider, other, origins, begin, finish, somebody, signIn, as, newest } = await oidcScene()

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
    expect(done.headers.getSetCookie().some((cookie) => /_provider=;.*(Expires|Max-Age=0)/i.test(cookie))).toBe(true)
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
      .filter((cookie) => cookie.includes('_known'))
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
