/** A provider of the internet that names addresses in the network of the console. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Agent, type Dispatcher, MockAgent } from 'undici'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { createEgress, type Egress } from '#node/upstream/egressGuard.ts'
import { Provider } from './provider.ts'

const issuer = 'https://id.example'
const redirectUri = 'https://console.example/sign-in/corp'
const transaction = { provider: 'corp', redirectUri, state: 's', nonce: 'n', verifier: 'v'.repeat(43) }
const answer = `?code=a&state=s&iss=${encodeURIComponent(issuer)}`
const token = ['{"alg":"RS256","kid":"1"}', '{}', 'signature']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.')

let inside: Server
let connections = 0
let secret: string
let egress: Egress
let internet: MockAgent

beforeAll(async () => {
  inside = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(inside, 'listening')
  secret = `https://127.0.0.1:${(inside.address() as AddressInfo).port}` // it listens on a port
  egress = createEgress({ connect: 2000, headers: 2000, body: 2000, total: 2000 }, async () => ['127.0.0.1'])
})
afterAll(async () => {
  await egress.close()
  inside.close()
})
beforeEach(() => {
  connections = 0
  internet = new MockAgent()
})

/** The provider answers without a network; every other host is reached through the guard. */
class Network extends Agent {
  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { origin } = options
    return (String(origin) === issuer ? internet : egress.agent(false)).dispatch(options, handler)
  }
}

function providerWith(metadata: Record<string, string>, status = 200, headers: Record<string, string> = {}): Provider {
  const discovery = internet.get(issuer).intercept({ path: '/.well-known/openid-configuration' })
  const body = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    ...metadata,
  }
  discovery.reply(status, body, { headers: { 'content-type': 'application/json', ...headers } })
  const settings = {
    id: 'corp',
    label: 'Corp',
    issuer,
    clientId: 'console',
    clientSecret: 'a-secret',
    scopes: ['openid'],
    groupsClaim: 'groups',
    groups: [],
    createPeople: false,
    allowedDomains: [],
    trustEmail: false,
    allowPrivate: false,
    signOutAtProvider: true,
  }
  return new Provider(settings, { agent: () => new Network(), close: async () => undefined })
}

const refused = { error: { code: 'unreachable', message: expect.stringContaining('it has a private address') } }

test.each([['127.0.0.1'], ['name.example']])('keys at %s are not read', async (host) => {
  const provider = providerWith({ jwks_uri: `${secret.replace('127.0.0.1', host)}/keys` })
  await expect(provider.readSignOut(token)).rejects.toMatchObject(refused)
  expect(connections).toBe(0)
})

test('a code is not exchanged at a private address', async () => {
  const provider = providerWith({ token_endpoint: `${secret}/token` })
  await expect(provider.finish(transaction, answer)).rejects.toMatchObject(refused)
  expect(connections).toBe(0)
})

test.each([301, 302, 303, 307, 308])('a redirect with status %i is not followed', async (status) => {
  const redirects = [secret, secret.replace('https:', 'http:'), secret.replace('https:', '')].map((location) => ({
    headers: { location: `${location}/elsewhere` },
  }))
  for (const redirect of redirects) {
    const discovery = providerWith({}, status, redirect.headers)
    await expect(discovery.begin(redirectUri)).rejects.toMatchObject({ error: { code: 'signedOut' } })
    const keys = providerWith({})
    internet.get(issuer).intercept({ path: '/keys' }).reply(status, '', redirect)
    await expect(keys.readSignOut(token)).rejects.toThrow()
    const exchange = providerWith({})
    internet.get(issuer).intercept({ path: '/token', method: 'POST' }).reply(status, '', redirect)
    await expect(exchange.finish(transaction, answer)).rejects.toMatchObject({ error: { code: 'signedOut' } })
    internet.assertNoPendingInterceptors()
  }
  expect(connections).toBe(0)
})

const signingKeys = generateKeyPair('RS256')

/** The responses of a provider before the user info request: its keys, and a valid ID token without groups. */
async function signsIn(): Promise<void> {
  const { publicKey, privateKey } = await signingKeys
  const idToken = await new SignJWT({ nonce: transaction.nonce, email: 'a@id.example' })
    .setProtectedHeader({ alg: 'RS256', kid: '1' })
    .setIssuer(issuer)
    .setAudience('console')
    .setSubject('a')
    .setIssuedAt(new Date(currentTime()))
    .setExpirationTime(new Date(currentTime() + 5 * 60_000))
    .sign(privateKey)
  const headers = { 'content-type': 'application/json' }
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: '1', alg: 'RS256', use: 'sig' }] }
  internet.get(issuer).intercept({ path: '/keys' }).reply(200, keys, { headers })
  const tokens = { access_token: 'SEEDED-access-token', token_type: 'Bearer', id_token: idToken }
  internet.get(issuer).intercept({ path: '/token', method: 'POST' }).reply(200, tokens, { headers })
}

test.each([301, 302, 303, 307, 308])('a redirect of the user info with status %i is not followed', async (status) => {
  for (const location of [secret, secret.replace('https:', 'http:'), secret.replace('https:', '')]) {
    const provider = providerWith({ userinfo_endpoint: `${issuer}/me` })
    await signsIn()
    internet
      .get(issuer)
      .intercept({ path: '/me' })
      .reply(status, '', { headers: { location: `${location}/me` } })
    await expect(provider.finish(transaction, answer)).rejects.toMatchObject({ error: { code: 'signedOut' } })
    internet.assertNoPendingInterceptors()
  }
  expect(connections).toBe(0)
})

test.each([['127.0.0.1'], ['name.example']])('user info at %s is not read', async (host) => {
  const provider = providerWith({ userinfo_endpoint: `${secret.replace('127.0.0.1', host)}/me` })
  await signsIn()
  await expect(provider.finish(transaction, answer)).rejects.toMatchObject(refused)
  internet.assertNoPendingInterceptors()
  expect(connections).toBe(0)
})

test('an endpoint without https is not used', async () => {
  const provider = providerWith({ token_endpoint: secret.replace('https:', 'http:') })
  await expect(provider.finish(transaction, answer)).rejects.toThrow(/without https/)
  expect(connections).toBe(0)
})
