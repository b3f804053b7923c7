/** Sign-in links, invitations and passkey challenges work once: also in several browsers at the same moment, and after a restart. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account } from '#contract/console/people.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { freePort } from '#node/testing/freePort.ts'
import { SoftAuthenticator } from '../../testing/softAuthenticator.ts'
import { testDatabaseUrl } from '../../testing/testDatabase.ts'
import { startTestGateway, startUpstream, type TestGateway, type TestUpstream } from '../../testing/testGateway.ts'
import { callAtLocalhost, invite, signInAs, testPassword } from '../../testing/testPeople.ts'

const day = 86_400_000
const clock = { later: 0 }
const dataDir = mkdtempSync(join(tmpdir(), 'replays-'))
let upstream: TestUpstream
let gateway: TestGateway
beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await start(await freePort())
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A console whose records stay when it ends. Its cookies are those of its port. */
async function start(port: number): Promise<TestGateway> {
  const databaseUrl = await testDatabaseUrl(dataDir)
  return startTestGateway(upstream, { dataDir, databaseUrl, port, tuning: { now: () => currentTime() + clock.later } })
}

const call = (method: string, path: string, body: unknown, cookie: string) =>
  callAtLocalhost(gateway, { method, path, body, cookie })

const signIn = (proof: unknown, cookie = '') => call('POST', '/api/session', proof, cookie)
const accept = (invitation: string) => signIn({ invitation, password: testPassword })

/** How many of several browsers get in with the same proof at the same moment. */
async function admitted(attempt: () => Promise<{ status: number }>): Promise<number> {
  const replies = await Promise.all(Array.from({ length: 8 }, attempt))
  return replies.filter(({ status }) => status === 200).length
}

type Options = Parameters<SoftAuthenticator['create']>[0] & Parameters<SoftAuthenticator['get']>[0]
const optionsOf = ({ json }: { json: unknown }) => json as Options // the reply of the route

test('an invitation lets one of several browsers in', async () => {
  const { invitation } = await invite(gateway)
  expect(await admitted(() => accept(invitation))).toBe(1)
  expect((await accept(invitation)).json['code']).toBe('signedOut')
})

test.each<[string, (id: string) => Promise<unknown>]>([
  ['was replaced', (id) => gateway.call('POST', `/api/people/${id}/invitation`)],
  ['is of a person who was deleted', (id) => gateway.call('DELETE', `/api/people/${id}`)],
  [
    'is of a person who was disabled and enabled again',
    async (id) => {
      for (const disabled of [true, false]) await gateway.call('PUT', `/api/people/${id}/disabled`, { disabled })
    },
  ],
])('an invitation that %s lets nobody in', async (_, withdraw) => {
  const { id, invitation } = await invite(gateway)
  await withdraw(id)
  expect((await call('POST', '/api/invitation', { token: invitation }, '')).json['code']).toBe('signedOut')
  expect((await accept(invitation)).json['code']).toBe('signedOut')
})

test('a sign-in link lets one of several browsers in', async () => {
  const token = gateway.signInUrl().split('#token=')[1]
  expect(await admitted(() => signIn({ token }))).toBe(1)
  expect((await signIn({ token })).json['code']).toBe('signedOut')
})

test('registrations and assertions of passkeys are used once, also at the same moment and after a restart', async () => {
  const person = await signInAs(gateway)
  const device = new SoftAuthenticator(`http://localhost:${gateway.port}`)
  const asked = await call('POST', '/api/account/passkeys/options', {}, person.cookie)
  const registration = { name: 'Laptop', credential: device.create(optionsOf(asked)) }
  const register = () => call('POST', '/api/account/passkeys', registration, `${person.cookie}; ${asked.cookie}`)
  expect(await admitted(register)).toBe(1)

  const begun = await call('POST', '/api/sign-in/passkey', {}, '')
  const assertion = { passkey: device.get(optionsOf(begun), { counter: 50 }) }
  const unused = await call('POST', '/api/sign-in/passkey', {}, '')
  expect(await admitted(() => signIn(assertion, begun.cookie))).toBe(1)

  await gateway.stop()
  gateway = await start(gateway.port)
  expect((await register()).json['code']).toBe('invalid')
  expect((await signIn(assertion, begun.cookie)).json['code']).toBe('signedOut')
  // A challenge from before the restart still works, with a counter that went on.
  const copied = device.get(optionsOf(unused), { counter: 50 })
  expect((await signIn({ passkey: copied }, unused.cookie)).json['message']).toMatch(/may have been copied/)
  const next = device.get(optionsOf(unused), { counter: 51 })
  const entry = await signIn({ passkey: next }, unused.cookie)
  expect(entry.status).toBe(200)
  const { passkeys } = (await call('GET', '/api/account', undefined, entry.cookie)).json as unknown as Account // as above
  expect(passkeys).toHaveLength(1)
})

// The last test, because sessions end as well.
test('an invitation ends after seven days, and not before', async () => {
  const [early, late] = [await invite(gateway), await invite(gateway)]
  clock.later = 7 * day - 60_000
  const inTime = await accept(early.invitation)
  clock.later = 7 * day
  const tooLate = await accept(late.invitation)
  clock.later = 0
  expect([inTime.status, tooLate.json['code']]).toEqual([200, 'signedOut'])
})
