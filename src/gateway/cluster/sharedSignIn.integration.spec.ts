/** Sign-ins that begin at one console and are finished at the other one, as a balancer may send them. */
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ProviderBrowser, startTestProvider, type TestProvider } from '#node/testing/testProvider.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { SoftAuthenticator } from '../testing/softAuthenticator.ts'
import { startTestGateway, startUpstream, type TestGateway, type TestUpstream } from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

/** The address of the balancer, where passkeys may be used. */
const publicUrl = 'http://localhost:8999'

let upstream: TestUpstream
let provider: TestProvider
let one: TestGateway
let other: TestGateway
beforeAll(async () => {
  upstream = await startUpstream()
  provider = await startTestProvider({ origins: [publicUrl], ids: ['test'] })
  const rules = { groupsClaim: 'groups', createPeople: true, allowedDomains: [], trustEmail: false }
  const groups = [{ group: 'staff', role: 'viewer' } as const]
  const settings = { ...rules, ...provider.settings, id: 'test', label: 'Test', groups, signOutAtProvider: true }
  const shared = { databaseUrl: await newDatabase(), secret: 'the-secret-of-both-consoles', publicUrl }
  ;[one, other] = await Promise.all([
    startTestGateway(upstream, { ...shared, providers: [settings] }),
    startTestGateway(upstream, { ...shared, providers: [settings] }),
  ])
}, 60_000)
afterAll(async () => {
  await Promise.all([one.close(), other.close()])
  await Promise.all([provider.stop(), upstream.close()])
})

/** A request of the page, which the balancer sends to a console. */
async function send(to: TestGateway, method: 'GET' | 'POST', path: string, cookie: string, body?: unknown) {
  const response = await request(to.address + path, {
    method,
    headers: {
      ...to.own,
      host: new URL(publicUrl).host,
      origin: publicUrl,
      cookie,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const set = [response.headers['set-cookie'] ?? []].flat().map((each) => each.split(';')[0] ?? '')
  const json = (await response.body.json()) as Record<string, unknown> // each test reads what it expects
  return { json, cookie: set.filter((each) => !each.endsWith('=')).join('; ') }
}

test('with a provider: once, and the session holds at both', async () => {
  const claims = { email: 'ada@corp.example', email_verified: true, name: 'Ada', groups: ['staff'] }
  await provider.setAccount('ada', claims)
  const begun = await send(one, 'POST', '/api/sign-in/providers/test', '', {})
  const { search: answer } = new URL(await new ProviderBrowser().follow(String(begun.json['url']), 'ada'))
  const finish = (at: TestGateway) => send(at, 'POST', '/api/session', begun.cookie, { provider: 'test', answer })
  const finished = await finish(other)
  expect(finished.json).toMatchObject({ signedIn: true, person: { email: 'ada@corp.example' } })
  for (const at of [one, other]) {
    expect((await send(at, 'GET', '/api/session', finished.cookie)).json).toMatchObject({ person: { name: 'Ada' } })
    expect((await finish(at)).json['signedIn']).not.toBe(true)
  }
})

test('with a passkey: it is added and used at either, and a challenge holds once', async () => {
  const person = await signInAs(one, { name: 'Grace' })
  const device = new SoftAuthenticator(publicUrl)
  type Options = Parameters<SoftAuthenticator['create']>[0] & Parameters<SoftAuthenticator['get']>[0]
  const asked = await send(one, 'POST', '/api/account/passkeys/options', person.cookie, {})
  const credential = device.create(asked.json as unknown as Options) // the reply of the route
  const added = { name: 'Laptop', credential }
  await send(other, 'POST', '/api/account/passkeys', `${person.cookie}; ${asked.cookie}`, added)
  const begun = await send(other, 'POST', '/api/sign-in/passkey', '', {})
  const passkey = device.get(begun.json as unknown as Options) // the reply of the route
  const finish = (at: TestGateway) => send(at, 'POST', '/api/session', begun.cookie, { passkey })
  expect((await finish(one)).json).toMatchObject({ signedIn: true, person: { name: 'Grace' } })
  for (const at of [one, other]) expect((await finish(at)).json['signedIn']).not.toBe(true)
})
