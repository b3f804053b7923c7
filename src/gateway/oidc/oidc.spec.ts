/** Sign-in with a real provider in its own process. */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditPage } from '#contract/audit.ts'
import type { SessionEntry } from '#contract/connections.ts'
import type { Account, ListedPerson } from '#contract/people.ts'
import { ProviderBrowser, startTestProvider, type TestProvider } from '#node/testing/testProvider.ts'
import {
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
    startTestProvider({ origins, ids: ['test', 'strict', 'private', 'noscope'] }),
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
    { ...defaults, ...settings, id: 'private', label: 'Private', groups, allowPrivate: false },
    { ...defaults, ...settings, id: 'noscope', label: 'Secret', groups, clientSecret: 'wrong'.repeat(10) },
  ]
  gateway = await startTestGateway(upstream, { port, providers })
})
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
    expect(await newest('person')).toMatchObject({
      event: 'person.groupRoles',
      actor: 'Test',
      subject: who.name && `Person ${who.name}`,
    })
    expect(await newest('session')).toMatchObject({
      event: 'session.signIn',
      subject: `Test: ${who.email}`,
      outcome: 'done',
    })
  })
})
