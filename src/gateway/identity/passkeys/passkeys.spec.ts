/** Passkeys over HTTP, with an authenticator in software. Chromium's is in `e2e/console/sign-in.e2e.ts`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditPage } from '#contract/console/audit.ts'
import type { SessionEntry } from '#contract/console/connections.ts'
import type { Account } from '#contract/console/people.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { SoftAuthenticator } from '../../testing/softAuthenticator.ts'
import { startTestGateway, startUpstream, type TestGateway, type TestUpstream } from '../../testing/testGateway.ts'
import { callAtLocalhost, signInAs, type SignedIn } from '../../testing/testPeople.ts'

let upstream: TestUpstream
let gateway: TestGateway
let origin: string
const clock = { later: 0 }

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTestGateway(upstream, { tuning: { now: () => currentTime() + clock.later } })
  origin = `http://localhost:${gateway.port}`
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const call = (method: string, path: string, body: unknown, cookie: string) =>
  callAtLocalhost(gateway, { method, path, body, cookie })

interface Options {
  challenge: string
  rp: { id: string }
  rpId: string
}

async function register(
  person: SignedIn,
  device: SoftAuthenticator,
  wrong: Parameters<SoftAuthenticator['create']>[1] = {},
) {
  const begun = await call('POST', '/api/account/passkeys/options', {}, person.cookie)
  const credential = device.create(begun.json as unknown as Options, wrong) // the reply of the route
  const cookie = `${person.cookie}; ${begun.cookie}`
  return {
    begun,
    credential,
    cookie,
    reply: await call('POST', '/api/account/passkeys', { name: 'Laptop', credential }, cookie),
  }
}

async function signIn(device: SoftAuthenticator, wrong: Parameters<SoftAuthenticator['get']>[1] = {}, email?: string) {
  const begun = await call('POST', '/api/sign-in/passkey', email === undefined ? {} : { email }, '')
  const passkey = device.get(begun.json as unknown as Options, wrong) // the reply of the route
  return { begun, passkey, reply: await call('POST', '/api/session', { passkey }, begun.cookie) }
}

const newest = async (area: string) => {
  const { entries } = (await gateway.call('GET', `/api/audit?area=${area}&limit=1`)).json as unknown as AuditPage
  return entries[0]
}
const accountOf = async ({ cookie }: SignedIn) =>
  (await call('GET', '/api/account', undefined, cookie)).json as unknown as Account // the reply of the route

describe('a passkey', () => {
  test('is added with a name, signs in, and shows its last use', async () => {
    const person = await signInAs(gateway, { name: 'Grace' })
    const device = new SoftAuthenticator(origin)
    const { reply, begun } = await register(person, device)
    expect(reply.status).toBe(200)
    expect(begun.json).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(JSON.stringify(begun.json['user'])).not.toContain(Buffer.from(person.email).toString('base64url'))
    expect(await newest('passkey')).toMatchObject({ event: 'passkey.create', actor: 'Grace', subject: 'Laptop' })
    const { reply: entry, begun: asked } = await signIn(device)
    expect(entry.json).toMatchObject({ signedIn: true, person: { name: 'Grace' } })
    // Nobody learns from it which passkeys an account has.
    expect(asked.json['allowCredentials'] ?? []).toEqual([])
    const sessions = (await call('GET', '/api/sessions', undefined, entry.cookie)).json as unknown as SessionEntry[]
    expect(sessions.find(({ current }) => current)).toMatchObject({ way: 'passkey' })
    expect(await newest('session')).toMatchObject({
      event: 'session.signIn',
      actor: 'Grace',
      subject: 'passkey: Laptop',
    })
    const [passkey] = (await accountOf(person)).passkeys
    expect(passkey?.usedAt).toBeDefined()
    const renamed = { name: 'Old laptop' }
    expect((await call('PUT', `/api/account/passkeys/${passkey?.id}`, renamed, person.cookie)).status).toBe(200)
    expect((await accountOf(person)).passkeys[0]?.name).toBe('Old laptop')
  })

  test('with an e-mail address, only that of its account is accepted', async () => {
    const [person, other] = [await signInAs(gateway), await signInAs(gateway)]
    const device = new SoftAuthenticator(origin)
    await register(person, device)
    expect((await signIn(device, {}, person.email)).reply.status).toBe(200)
    for (const email of [other.email, 'nobody@example.com']) {
      const { begun, reply } = await signIn(device, {}, email)
      expect(reply.json['message']).toBe('This passkey does not belong to the account with this e-mail address.')
      expect(begun.json['allowCredentials'] ?? []).toEqual([])
    }
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another RP ID', { rpId: 'evil.example' }],
    ['no verified user', { userVerified: false }],
    ['another challenge', { challenge: Buffer.from('x'.repeat(32)).toString('base64url') }],
    ['another type', { type: 'webauthn.create2' }],
  ])('with %s is neither added nor accepted', async (_, wrong) => {
    const person = await signInAs(gateway)
    expect((await register(person, new SoftAuthenticator(origin), wrong)).reply.json['code']).toBe('invalid')
    const device = new SoftAuthenticator(origin)
    await register(person, device)
    expect((await signIn(device, wrong)).reply.json['message']).toBe('The passkey was not accepted. Try again.')
    expect((await signIn(device)).reply.status).toBe(200)
  })

  test('whose counter goes back is refused as a copy', async () => {
    const person = await signInAs(gateway)
    const device = new SoftAuthenticator(origin)
    await register(person, device)
    expect((await signIn(device, { counter: 4_000_000_000 })).reply.status).toBe(200)
    for (const counter of [4_000_000_000, 7, 0]) {
      expect((await signIn(device, { counter })).reply.json['message']).toMatch(/^This passkey may have been copied/)
    }
  })

  test('that is removed or whose account is disabled opens nothing', async () => {
    const person = await signInAs(gateway)
    const device = new SoftAuthenticator(origin)
    await register(person, device)
    await gateway.call('PUT', `/api/people/${person.id}/disabled`, { disabled: true })
    expect((await signIn(device)).reply.json['message']).toBe('This account is disabled.')
    await gateway.call('PUT', `/api/people/${person.id}/disabled`, { disabled: false })
    const again = (await signIn(device)).reply
    const [passkey] = (await accountOf({ ...person, cookie: again.cookie })).passkeys
    expect((await call('DELETE', `/api/account/passkeys/${passkey?.id}`, undefined, again.cookie)).status).toBe(200)
    expect(await newest('passkey')).toMatchObject({ event: 'passkey.delete', subject: 'Laptop', outcome: 'done' })
    expect((await signIn(device)).reply.json['message']).toMatch(/^This passkey is not registered here/)
    await gateway.call('DELETE', `/api/people/${person.id}`)
  })

  test('of a person who is deleted can belong to somebody else', async () => {
    const [one, other] = [await signInAs(gateway), await signInAs(gateway)]
    const device = new SoftAuthenticator(origin)
    await register(one, device)
    expect((await register(other, device)).reply.json['message']).toBe('This passkey is registered already.')
    await gateway.call('DELETE', `/api/people/${one.id}`)
    expect((await signIn(device)).reply.json['message']).toMatch(/^This passkey is not registered here/)
    expect((await register(other, device)).reply.status).toBe(200)
  })
})

test('is added only for half an hour after a sign-in, so that an open browser is no lasting way in', async () => {
  const person = await signInAs(gateway)
  clock.later = 30 * 60_000
  const begun = await call('POST', '/api/account/passkeys/options', {}, person.cookie)
  clock.later = 0
  expect(begun.json['message']).toMatch(/^You signed in more than 30 minutes ago/)
  expect((await call('POST', '/api/account/passkeys/options', {}, person.cookie)).status).toBe(200)
})

describe('a challenge', () => {
  test('works once, in the browser that asked for it, and for five minutes', async () => {
    const person = await signInAs(gateway)
    const device = new SoftAuthenticator(origin)
    const registered = await register(person, device)
    const again = { name: 'Again', credential: registered.credential }
    expect((await call('POST', '/api/account/passkeys', again, registered.cookie)).json['message']).toMatch(
      /used already/,
    )
    const { begun, passkey, reply } = await signIn(device)
    expect(reply.status).toBe(200)
    expect(reply.set.some((cookie) => cookie.endsWith('_challenge='))).toBe(true)
    const replay = await call('POST', '/api/session', { passkey }, begun.cookie)
    expect(replay.json['code']).toBe('signedOut')
    expect((await call('POST', '/api/session', { passkey }, '')).json['code']).toBe('signedOut')

    const late = await call('POST', '/api/sign-in/passkey', {}, '')
    const answer = device.get(late.json as unknown as Options) // the reply of the route
    const elsewhere = await call('POST', '/api/sign-in/passkey', {}, '')
    expect((await call('POST', '/api/session', { passkey: answer }, elsewhere.cookie)).json['code']).toBe('signedOut')
    clock.later = 5 * 60_000
    const expired = await call('POST', '/api/session', { passkey: answer }, late.cookie)
    expect(expired.json['message']).toMatch(/^This sign-in took too long/)
    clock.later = 0
  })

  test('of a registration is for the person who asked, and never signs in', async () => {
    const [person, other] = [await signInAs(gateway), await signInAs(gateway)]
    const device = new SoftAuthenticator(origin)
    const begun = await call('POST', '/api/account/passkeys/options', {}, person.cookie)
    const credential = device.create(begun.json as unknown as Options) // the reply of the route
    const stolen = `${other.cookie}; ${begun.cookie}`
    expect((await call('POST', '/api/account/passkeys', { name: 'x', credential }, stolen)).json['code']).toBe(
      'invalid',
    )
    await register(person, device)
    const options = { ...(begun.json as unknown as Options), rpId: 'localhost' } // the reply of the route
    const swapped = begun.cookie.replace('_registration=', '_challenge=')
    const reply = await call('POST', '/api/session', { passkey: device.get(options) }, swapped)
    expect(reply.json['code']).toBe('signedOut')
  })
})

test('nonsense is refused with a reason', async () => {
  const person = await signInAs(gateway)
  for (const credential of [{}, { id: 'x', response: {} }, { id: 'x', response: { clientDataJSON: '!!' } }]) {
    const begun = await call('POST', '/api/account/passkeys/options', {}, person.cookie)
    const cookie = `${person.cookie}; ${begun.cookie}`
    expect((await call('POST', '/api/account/passkeys', { name: 'x', credential }, cookie)).json['code']).toBe(
      'invalid',
    )
  }
  for (const passkey of [{}, null, { id: 'x', response: {} }, { id: 'x'.repeat(5_000), response: {} }]) {
    const begun = await call('POST', '/api/sign-in/passkey', {}, '')
    const reply = await call('POST', '/api/session', { passkey }, begun.cookie)
    expect(['invalid', 'signedOut']).toContain(reply.json['code'])
  }
})

test('at an IP address, passkeys are refused with the address that works', async () => {
  const reply = await gateway.call('POST', '/api/sign-in/passkey', {})
  expect(reply.json['message']).toBe(
    `Passkeys need a host name instead of an IP address. Open the console as ${origin}.`,
  )
  await signInAs(gateway)
  const session = await gateway.call('GET', '/api/session', undefined, { cookie: '' })
  expect(session.json['passkeysRefused']).toBe(reply.json['message'])
})
