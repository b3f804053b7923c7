/** A key of the management API serves a whole organization: what a connection may do with it to the services of other connections. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { answerJson, gatewayForTests, organizationId, secrets } from '../testing/testGateway.ts'
import { signInAs, type SignedIn } from '../testing/testPeople.ts'

const ids = {
  dev: 'aaaaaaaa-2222-4222-8222-222222222222',
  prod: 'bbbbbbbb-2222-4222-8222-222222222222',
  unused: 'cccccccc-2222-4222-8222-222222222222',
}
const { gateway, upstream } = await gatewayForTests({ seeds: [] })
const known = new Map<string, string>()
let editor: SignedIn
let admin: SignedIn
let everywhere: SignedIn

beforeAll(async () => {
  for (const [name, stage] of [
    ['dev', 'development'],
    ['prod', 'production'],
  ] as const) {
    const managed = {
      variant: 'managed',
      organizationId,
      serviceId: ids[name],
      keyId: 'k',
      keySecret: secrets.keySecret,
    }
    const { json } = await gateway.call('POST', '/api/connections', {
      name: `Secret ${name}`,
      baseUrl: upstream.url,
      allowPrivate: true,
      stage,
      ...managed,
    })
    known.set(name, String(json['id']))
  }
  const roles = (dev: 'editor' | 'administrator') => ({ role: 'none' as const, roles: { [idOf('dev')]: dev } })
  editor = await signInAs(gateway, roles('editor'))
  admin = await signInAs(gateway, roles('administrator'))
  everywhere = await signInAs(gateway, { role: 'administrator' })
  await signInAs(gateway, { role: 'administrator' })
})
beforeEach(() => upstream.become(answerJson({ status: 200, requestId: 'r', result: {} })))

const idOf = (name: string) => known.get(name) ?? ''
const viaDev = (path: string) => `/api/c/${idOf('dev')}/organization${path}`
const writes = () => upstream.hits.filter(({ method }) => method !== 'GET')

const attacks: [what: string, method: string, path: (service: string) => string, body?: unknown][] = [
  ['stops it', 'PATCH', (id) => `/services/${id}/state`, { command: 'stop' }],
  ['deletes it', 'DELETE', (id) => `/services/${id}`],
  ['deletes a pipe of it', 'DELETE', (id) => `/services/${id}/datapipes/pipe-1`],
  ['closes its query endpoint', 'DELETE', (id) => `/services/${id}/serviceQueryEndpoint`],
]

test.each(attacks)(
  'an editor of development %s, but not of production through the same key',
  async (...[, method, path, body]) => {
    const own = await editor.call(method, viaDev(path(ids.dev)), body)
    expect(own.status, own.text).not.toBe(403)
    upstream.hits.length = 0
    for (const spelling of [ids.prod, ids.prod.toUpperCase()]) {
      const reply = await editor.call(method, viaDev(path(spelling)), body)
      expect(reply, reply.text).toMatchObject({ status: 403, code: 'forbidden' })
      expect(reply.text, 'of a connection that they do not see').not.toMatch(/Secret prod|read-only/)
    }
    expect(writes()).toEqual([])
    const unused = await editor.call(method, viaDev(path(ids.unused)), body)
    expect(unused.status, 'a service of no connection').not.toBe(403)
  },
)

test('an administrator of one connection makes no key for the whole organization', async () => {
  const key = { name: 'k', state: 'enabled', roles: ['admin'] }
  const reply = await admin.call('POST', viaDev('/keys'), key)
  expect(reply, reply.text).toMatchObject({ status: 403, code: 'forbidden' })
  expect(writes()).toEqual([])
  const allowed = await everywhere.call('POST', viaDev('/keys'), key)
  expect(allowed.code, allowed.text).not.toBe('forbidden')
})

test('the lock of production and its two-person approval hold through another connection too', async () => {
  const stop = () => everywhere.call('PATCH', viaDev(`/services/${ids.prod}/state`), { command: 'stop' })
  expect(await stop()).toMatchObject({ status: 403, code: 'readOnly' })
  const approval = `/api/connections/${idOf('prod')}/approval`
  const on = await everywhere.call('PUT', approval, { twoPersonApproval: true, notificationUrl: null })
  expect(on.status, on.text).toBe(200)
  for (const write of [
    stop,
    () => everywhere.call('POST', viaDev('/keys'), { name: 'k', state: 'enabled', roles: ['admin'] }),
  ]) {
    const reply = await write()
    expect(reply, reply.text).toMatchObject({ code: 'blocked' })
    expect(reply.text).toContain('Secret prod')
  }
  expect(writes()).toEqual([])
})
