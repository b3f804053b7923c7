/** Rotations of API keys by the console, against the stack: what stands after a failure at any request, and after a restart. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ApiKeyRotation, ConnectionKey } from '#contract/console/apiKeyRotations.ts'
import type { ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import {
  startTestGateway,
  startUpstream,
  type Hit,
  type TestGateway,
  type TestUpstream,
} from '#gateway/testing/testGateway.ts'
import { signInAs } from '#gateway/testing/testPeople.ts'
import { startTestStack, type TestStack } from '#stack/testing/testStack.ts'

let stack: TestStack
let upstream: TestUpstream
let gateway: TestGateway
let dataDir: string
/** The fault of the nth request to the stack from now on; undefined lets all pass. */
let fault: { at: number; how: 'refused' | 'lost' } | undefined
let requests = 0

beforeEach(async () => {
  fault = undefined
  dataDir = mkdtempSync(join(tmpdir(), 'rotation-'))
  stack = await startTestStack()
  upstream = await startUpstream(async (hit, response) => {
    const isFaulty = fault !== undefined && ++requests === fault.at
    if (isFaulty && fault?.how === 'refused') {
      response.writeHead(503, { 'content-type': 'application/json' })
      return void response.end('{"status":503,"error":"Maintenance"}')
    }
    const answer = await forwarded(hit)
    if (isFaulty) return void response.destroy()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(answer.text)
  })
  gateway = await startGateway()
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
  await stack.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function forwarded({ method, url, headers, body }: Hit) {
  const sent = { authorization: String(headers.authorization), 'content-type': 'application/json' }
  return stack.send(
    method,
    url,
    body === '' ? { headers: { authorization: sent.authorization } } : { headers: sent, body },
  )
}

/** @param ids of connections that the start creates */
function startGateway(ids: readonly string[] = ['one', 'two']): Promise<TestGateway> {
  const { organizationId, serviceId, keyId, keySecret } = stack.identity
  const common = { variant: 'managed', baseUrl: upstream.url, allowPrivate: true, stage: 'staging' } as const
  const seed = { ...common, serviceId, keyId, keySecret }
  // Deployments accept the ID of an organization in capitals, too.
  const writtenBy = (id: string) => (id === 'two' ? organizationId.toUpperCase() : organizationId)
  return startTestGateway(upstream, {
    dataDir,
    seeds: ids.map((id) => ({ ...seed, id, name: id, organizationId: writtenBy(id) })),
    tuning: { keyPauses: [1, 1], deadlines: { connect: 9_000, headers: 9_000, body: 9_000, total: 9_000 } },
  })
}

/** A new process on the disk of the one that was killed. */
async function restartOn(folder: string): Promise<void> {
  await gateway.close()
  rmSync(dataDir, { recursive: true })
  dataDir = folder
  gateway = await startGateway([])
}

const at = '/api/connections/one/api-key-rotations'
const get = async <T>(path: string) => (await gateway.call('GET', path)).json as T // what the gateway answers there
const keys = async () => (await get<{ result: ApiKey[] }>('/api/c/one/organization/keys')).result
const rotationsOf = () => get<ApiKeyRotation[]>(at)
const own = { name: 'Rotated', expireAt: null }

async function ended(id: string): Promise<ApiKeyRotation> {
  for (;;) {
    const rotation = await get<ApiKeyRotation>(`${at}/${id}`)
    if (rotation.state !== 'running') return rotation
    await sleep(10)
  }
}

async function start(more: object = {}): Promise<ApiKeyRotation> {
  const key = (await keys()).find(({ name }) => name === 'credentials.json')
  const reply = await gateway.call('POST', at, { apiKeyId: key?.id, ...own, ...more })
  expect(reply.status, reply.text).toBe(200)
  return ended((reply.json as ApiKeyRotation).id) // what the route answers
}

async function act({ id }: ApiKeyRotation, what: 'resume' | 'undo' | 'finish'): Promise<ApiKeyRotation> {
  const reply = await gateway.call('POST', `${at}/${id}/${what}`)
  expect(reply.status, reply.text).toBe(200)
  return ended(id)
}

/** Whether the stack accepts the key that it began with. */
async function acceptsOldKey(): Promise<boolean> {
  const { keyId, keySecret, organizationId } = stack.identity
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  return (await stack.send('GET', `/v1/organizations/${organizationId}`, { headers: { authorization } })).status === 200
}

const usable = async (id: string) => (await gateway.call('GET', `/api/c/${id}/organization/keys`)).status === 200

test('connections get a new key with the same access, and the old one is disabled, then deleted', async () => {
  const expireAt = '2099-01-01T00:00:00.000Z'
  const before = (await keys())[0]
  const rotation = await start({ expireAt })
  expect(rotation).toMatchObject({ phase: 'rotate', state: 'done', done: 4, oldKey: { name: 'credentials.json' } })
  expect(rotation.connections).toEqual([
    { id: 'one', name: 'one', uses: 'new' },
    { id: 'two', name: 'two', uses: 'new' },
  ])
  const [old, made] = await keys()
  expect(old).toMatchObject({ name: 'credentials.json', state: 'disabled' })
  expect(made).toMatchObject({ name: 'Rotated', state: 'enabled', expireAt })
  expect(made?.assignedRoles).toEqual(before?.assignedRoles)
  expect(made?.ipAccessList).toEqual(before?.ipAccessList)
  expect(await get(at.replace('one', 'two'))).toMatchObject([{ id: rotation.id }])
  expect(await acceptsOldKey()).toBe(false)
  expect([await usable('one'), await usable('two')]).toEqual([true, true])

  const end = await act(rotation, 'finish')
  expect(end).toMatchObject({ phase: 'finish', state: 'done' })
  expect(end.endedAt).toBeTruthy()
  expect((await keys()).map(({ name }) => name)).toEqual(['Rotated'])
  expect((await gateway.call('POST', `${at}/${rotation.id}/undo`)).code).toBe('blocked')

  const audit = (await get<{ entries: { event: string; subject: string }[] }>('/api/audit')).entries
  const events = audit.map(({ event }) => event).filter((event) => event.startsWith('apiKeyRotation'))
  expect(events.toReversed()).toEqual(
    ['start', 'create', 'switch', 'test', 'disable', 'finish', 'delete', 'undo'].map(
      (name) => `apiKeyRotation.${name}`,
    ),
  )
})

test('no secret reaches the page, the log or a readable file', async () => {
  const rotation = await start()
  const texts = [JSON.stringify(rotation), JSON.stringify(await keys()), gateway.log.join('\n')]
  const sent = upstream.hits.map(({ headers }) =>
    Buffer.from(String(headers.authorization).slice(6), 'base64').toString(),
  )
  const secrets = new Set(sent.map((pair) => pair.split(':')[1] ?? ''))
  expect(secrets.size).toBe(2)
  for (const name of ['console.db', 'console.db-wal']) {
    texts.push(readFileSync(join(dataDir, name), 'latin1'))
  }
  for (const secret of secrets) for (const text of texts) expect(text).not.toContain(secret)
})

test('an undo gives the old key back and deletes the new one', async () => {
  const rotation = await start()
  const undone = await act(rotation, 'undo')
  expect(undone).toMatchObject({ phase: 'undo', state: 'done', connections: [] })
  expect((await keys()).map(({ name, state }) => [name, state])).toEqual([['credentials.json', 'enabled']])
  expect([await acceptsOldKey(), await usable('one'), await usable('two')]).toEqual([true, true, true])
  // And again.
  expect(await start()).toMatchObject({ state: 'done' })
})

test.each(['refused', 'lost'] as const)(
  'whichever request is %s, it goes on from there, with one new key',
  async (how) => {
    for (let nth = 1; ; nth++) {
      const [key] = await keys()
      requests = 0
      fault = { at: nth, how }
      const reply = await gateway.call('POST', at, { apiKeyId: key?.id, ...own, name: `Rotated ${nth}` })
      const id = (reply.json as ApiKeyRotation).id // of the rotation, if it began
      let rotation = id ? await ended(id) : undefined
      fault = undefined
      if (rotation?.state === 'failed') {
        expect(rotation.problem).toBeTruthy()
        expect([await usable('one'), await usable('two')]).toEqual([true, true])
        rotation = await act(rotation, 'resume')
      }
      if (!rotation) continue
      expect(rotation, `request ${nth}`).toMatchObject({ state: 'done', done: 4 })
      expect((await keys()).length).toBe(2)
      expect((await act(rotation, 'finish')).state).toBe('done')
      expect((await keys()).map(({ name }) => name)).toEqual([`Rotated ${nth}`])
      if (requests < nth) return
    }
  },
)

test('a kill at any request leaves a rotation that is resumed or undone', { timeout: 60_000 }, async () => {
  const { respond } = upstream
  let rotation: ApiKeyRotation | undefined
  for (let nth = 1; rotation?.phase !== 'finish'; nth++) {
    const [key] = await keys()
    let count = 0
    let killed = false
    const copy = mkdtempSync(join(tmpdir(), 'killed-'))
    upstream.become(async (hit, response) => {
      if (killed) return void response.destroy()
      if (++count < nth) return respond(hit, response)
      // The stack has the request, and the process dies with its disk as it is now. Nothing that it does later counts.
      killed = true
      await forwarded(hit)
      cpSync(dataDir, copy, { recursive: true })
      response.destroy()
    })
    const reply = await gateway.call('POST', at, { apiKeyId: key?.id, ...own, name: `Kill ${nth}` })
    const { id } = reply.json as ApiKeyRotation // of the rotation, if it began
    if (id) await ended(id)
    upstream.become(respond)
    if (!killed) {
      rotation = await act((await rotationsOf())[0] as ApiKeyRotation, 'finish') // it began
      rmSync(copy, { recursive: true })
      continue
    }
    await restartOn(copy)
    const left = (await rotationsOf()).find(({ endedAt }) => endedAt === undefined)
    if (!left) continue
    expect(left.state).toBe('interrupted')
    expect([await usable('one'), await usable('two')]).toEqual([true, true])
    const settled = await act(left, nth % 2 === 0 ? 'undo' : 'resume')
    expect(settled, `request ${nth}`).toMatchObject({ state: 'done' })
    if (settled.phase === 'rotate') await act(settled, 'finish')
    expect((await keys()).length).toBe(1)
    expect([await usable('one'), await usable('two')]).toEqual([true, true])
  }
})

test('of two keys with the same ending, the wrong one is noticed and given back', async () => {
  const { keyId } = stack.identity
  const hash = (text: string) => Buffer.from(text.padEnd(32, '.')).toString('base64')
  const body = {
    name: 'Alike',
    roles: ['admin'],
    hashData: { keyIdHash: hash('a'), keySecretHash: hash('b'), keyIdSuffix: keyId.slice(-4) },
  }
  expect((await gateway.call('POST', '/api/c/one/organization/keys', body)).status).toBe(200)
  const alike = (await keys()).find(({ name }) => name === 'Alike')
  const { keys: possible } = await get<ConnectionKey>('/api/connections/one/key')
  expect(possible.map(({ name }) => name)).toEqual(['credentials.json', 'Alike'])

  const unsure = await gateway.call('POST', at, { apiKeyId: alike?.id, ...own })
  expect(unsure.code).toBe('invalid')
  expect(unsure.text).toContain('credentials.json ends like that of Alike')
  const reply = await gateway.call('POST', at, { apiKeyId: alike?.id, ...own, confirmsAlike: true })
  const wrong = await ended((reply.json as ApiKeyRotation).id) // of the rotation
  expect(wrong).toMatchObject({ state: 'failed', done: 3 })
  expect(wrong.problem).toContain('they had another key with the same ending')
  expect((await act(wrong, 'undo')).state).toBe('done')
  expect((await keys()).map(({ name, state }) => [name, state])).toEqual([
    ['credentials.json', 'enabled'],
    ['Alike', 'enabled'],
  ])
  expect(await usable('one')).toBe(true)
  expect(await start({ confirmsAlike: true })).toMatchObject({ state: 'done' })
})

test('a key that the connection does not use, and a locked connection, are refused', async () => {
  const other = await gateway.call('POST', '/api/c/one/organization/keys', { name: 'Other', roles: ['developer'] })
  const { result } = other.json as { result: { key: ApiKey } } // a created key
  expect((await gateway.call('POST', at, { apiKeyId: result.key.id, ...own })).code).toBe('invalid')
  const [key] = await keys()
  await gateway.call('PUT', '/api/connections/one/read-only', { readOnly: true })
  expect((await gateway.call('POST', at, { apiKeyId: key?.id, ...own })).code).toBe('readOnly')
  expect(await rotationsOf()).toEqual([])
})

test('only who administers all connections with the key may rotate it', async () => {
  const [key] = await keys()
  const person = await signInAs(gateway, { role: 'viewer', roles: { one: 'administrator' } })
  const call = (method: string, path: string, body?: unknown) =>
    gateway.call(method, path, body, { cookie: person.cookie })
  const reply = await call('POST', at, { apiKeyId: key?.id, ...own })
  expect([reply.code, reply.text]).toEqual(['forbidden', expect.stringContaining('Another connection')])
  expect((await call('GET', at)).json).toEqual([])
  expect((await call('POST', at.replace('one', 'two'), { apiKeyId: key?.id, ...own })).code).toBe('forbidden')
})

test('where changes need approval, nothing is rotated', async () => {
  const [key] = await keys()
  const list = await get<{ id: string }[]>('/api/connections')
  const one = list.find(({ id }) => id === 'one')
  const settings = '/api/connections/one/approval'
  // Somebody has to be there to approve.
  for (const role of ['operator', 'administrator'] as const) await signInAs(gateway, { role })
  expect((await gateway.call('PUT', '/api/connections/one', { ...one, stage: 'production' })).text).toContain(
    '"production"',
  )
  expect((await gateway.call('PUT', settings, { twoPersonApproval: true, notificationUrl: null })).text).toContain(
    '"twoPersonApproval":true',
  )
  await gateway.call('PUT', '/api/connections/one/read-only', { readOnly: false })
  // Neither through it, nor through another connection to the same deployment.
  for (const path of [at, at.replace('one', 'two')]) {
    const reply = await gateway.call('POST', path, { apiKeyId: key?.id, ...own })
    expect(reply.code, reply.text).toMatch(/blocked|readOnly/)
  }
  expect((await keys()).length).toBe(1)
})
