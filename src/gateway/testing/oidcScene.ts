/** A console with two OpenID Connect providers, each in its own process, and people who sign in with them. */
import { afterAll, beforeEach, expect } from 'vitest'
import type { AuditPage } from '#contract/console/audit.ts'
import type { ListedPerson } from '#contract/console/people.ts'
import { freePort } from '#node/testing/freePort.ts'
import { ProviderBrowser, startTestProvider } from '#node/testing/testProvider.ts'
import type { ProviderSettings } from '../identity/oidc/providerSettings.ts'
import { startTestGateway, startUpstream, type Reply } from './testGateway.ts'

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

type TestProvider = Awaited<ReturnType<typeof startTestProvider>>

/** Settings of the two providers that differ in their rules, and of some that cannot be used. */
function providersOf(provider: TestProvider, other: TestProvider): ProviderSettings[] {
  const { settings } = provider
  return [
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
}

/** Starts all of it, until the tests of the file have ended. */
export async function oidcScene() {
  const upstream = await startUpstream()
  const port = await freePort()
  const origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
  const [provider, other] = await Promise.all([
    startTestProvider({ origins, ids: ['test', 'strict', 'private', 'secret', 'roles'] }),
    startTestProvider({ origins, ids: ['other'] }),
  ])
  const gateway = await startTestGateway(upstream, { port, providers: providersOf(provider, other) })
  afterAll(async () => {
    await gateway.close()
    await Promise.all([provider.stop(), other.stop(), upstream.close()])
  })
  beforeEach(() => provider.setFault(null))

  let lastNumber = 0
  /** For names that nobody has yet. */
  const newNumber = () => ++lastNumber

  async function begin(id = 'test') {
    const reply = await gateway.call('POST', `/api/sign-in/providers/${id}`, {}, { cookie: '' })
    return { reply, url: String(reply.json['url']), cookie: cookiesOf(reply) }
  }

  const finish = (id: string, answer: string, cookie: string) =>
    gateway.call('POST', '/api/session', { provider: id, answer }, { cookie })

  /** Somebody at the provider. */
  async function somebody(claims: Record<string, unknown> = {}, at = provider) {
    const name = `person${newNumber()}`
    const email = `${name}@corp.example`
    const set = (more: Record<string, unknown>) =>
      at.setAccount(name, {
        email,
        email_verified: true,
        name: `Person ${name}`,
        groups: ['staff'],
        ...claims,
        ...more,
      })
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
    json<ListedPerson[]>(await gateway.call('GET', '/api/people')).find((candidate) => candidate.email === email)
  const newest = async (area: string) =>
    json<AuditPage>(await gateway.call('GET', `/api/audit?area=${area}&limit=1`)).entries[0]

  return { gateway, provider, other, origins, newNumber, begin, finish, somebody, signIn, as, listed, newest }
}

/** The cookies that a response sets, as a browser sends them back. */
export const cookiesOf = ({ headers }: Reply) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ')
// Each test reads what it expects.
export const json = <T>(reply: { json: unknown }) => reply.json as T
