/** A provider whose clock is right, and a console on a machine whose clock is set. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { currentTime, WallClock, wallClock } from '#node/clock/wallClock.ts'
import { createEgress, type Egress } from '#node/upstream/egressGuard.ts'
import { Provider } from './provider.ts'

const hour = 3_600_000
const redirectUri = 'https://console.example/sign-in/corp'
const transaction = { provider: 'corp', redirectUri, state: 's', nonce: 'n', verifier: 'v'.repeat(43) }

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

let server: Server
let egress: Egress
let issuer: string
let keys: readonly KeyPair[]
/** The number of the key that the provider has now. */
let current: number
let provider: Provider

beforeAll(async () => {
  keys = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  egress = createEgress({ connect: 2000, headers: 2000, body: 2000, total: 2000 })
  server = createServer((request, response) => {
    void answerOf(request.url ?? '').then((body) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
})
afterAll(async () => {
  await egress.close()
  server.close()
})
beforeEach(() => {
  // The clock of the process would remember the steps, for the other specs of the worker as well.
  const sources = { wall: () => Date.now(), monotonic: () => performance.now(), sinceBoot: () => performance.now() }
  const own = new WallClock(sources)
  vi.spyOn(wallClock, 'now').mockImplementation(() => own.now())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  current = 0
  const settings = { issuer, clientId: 'console', clientSecret: 'a-secret', allowPrivate: true, scopes: ['openid'] }
  const people = { groupsClaim: 'groups', groups: [], createPeople: false, allowedDomains: [], trustEmail: false }
  provider = new Provider({ id: 'corp', label: 'Corp', ...settings, ...people, signOutAtProvider: true }, egress)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function answerOf(path: string): Promise<unknown> {
  if (path === '/keys') {
    const jwk = await exportJWK(keys[current]!.publicKey) // one of the two
    return { keys: [{ ...jwk, kid: String(current), alg: 'RS256', use: 'sig' }] }
  }
  if (path === '/token') return { access_token: 'a', token_type: 'Bearer', id_token: await signed({ nonce: 'n' }) }
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

/** A token of the provider that is valid for five minutes, by the time that the console had before its clock was set. */
function signed(claims: Record<string, unknown>): Promise<string> {
  const now = Math.floor(currentTime() / 1000)
  return new SignJWT({ iss: issuer, aud: 'console', sub: 'ada', iat: now, exp: now + 300, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: String(current) })
    .sign(keys[current]!.privateKey) // one of the two
}

let notices = 0
const notice = () =>
  signed({ jti: String(++notices), events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })
const setClock = (by: number) => vi.setSystemTime(Date.now() + by)
const signIn = () => provider.finish(transaction, '?code=a&state=s')

test.each([6 * hour, -6 * hour])('a clock that is set by %i ms for a while refuses nobody', async (by) => {
  expect(await signIn()).toMatchObject({ subject: 'ada' })
  setClock(by)
  expect(await signIn()).toMatchObject({ subject: 'ada' })
  expect(await provider.readSignOut(await notice())).toMatchObject({ subject: 'ada' })
  setClock(-by)
  expect(await signIn()).toMatchObject({ subject: 'ada' })
})

test('new keys of a provider are read although the clock was set back since the old ones came', async () => {
  setClock(6 * hour)
  await signIn()
  await provider.readSignOut(await notice())
  setClock(-6 * hour)
  current = 1
  expect(await signIn()).toMatchObject({ subject: 'ada' })
  expect(await provider.readSignOut(await notice())).toMatchObject({ subject: 'ada' })
})
