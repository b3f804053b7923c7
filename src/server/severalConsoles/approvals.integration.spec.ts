/** Approvals on consoles that share a database: each notification is sent once, and each request is carried out once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { minimalPages } from '#gateway/testing/minimalPages.ts'
import type { ChangeRequestDetail } from '#contract/console/changeRequests.ts'
import type { HeldChange } from '#contract/wire/kernel.ts'
import { openDatabase, type Database } from '#gateway/database/database.ts'
import { startMemoryUpstream, type MemoryUpstream } from '#gateway/testing/memoryUpstream.ts'
import { generousBudgetsFor } from '#gateway/testing/testGateway.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { headersFor } from '../testing/orderedGateway.ts'
import { startKillable, type KillableGateway } from '../testing/killableGateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'shared-approvals-'))
const secret = 'the-same-secret-for-all-consoles'
const password = 'a-password-of-this-test'
/** Longer than others take to notice, on a busy machine. */
const noticed = { timeout: 60_000, interval: 200 }

/** The notifications that the receiver got: their idempotency keys and events. */
const received: { key: string; event: string }[] = []
let onReceived = async (_event: string): Promise<void> => {}
const receiver = createServer((request, response) => void receive(request, response))

let upstream: MemoryUpstream
let database: Database
let consoles: KillableGateway[] = []
/** The ID of the first one. */
let firstId: unknown
let jana: Record<string, string>
let tom: Record<string, string>

beforeAll(async () => {
  upstream = await startMemoryUpstream('d')
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  const distDir = minimalPages(folder)
  const databaseUrl = await newDatabase()
  const stack = { id: 'stack', name: 'Stack', baseUrl: upstream.url, allowPrivate: true, accessKey: 'key-of-the-stack' }
  const order = {
    distDir,
    databaseUrl,
    secret,
    // Behind one name, so that people are signed in at each.
    publicUrl: 'http://console.example',
    budgets: generousBudgetsFor(upstream.url),
    tuning: { noticeRetries: [100, 100], beat: 250 },
    seeds: [{ ...stack, variant: 'openSource', stage: 'staging' } as const],
  }
  const first = await startKillable({ ...order, dataDir: join(folder, 'console-0') })
  database = await openDatabase(folder, databaseUrl)
  firstId = (await database.rows('SELECT id FROM consoles'))[0]?.['id']
  consoles = [first, await startKillable({ ...order, dataDir: join(folder, 'console-1') })]
  jana = await added('jana')
  tom = await added('tom')
  const { port } = receiver.address() as AddressInfo // it listens on a port
  const notification = { notificationUrl: `http://127.0.0.1:${port}/`, allowPrivateNotification: true }
  await consoles[1]?.call('PUT', '/api/connections/stack/approval', { twoPersonApproval: true, ...notification })
}, 120_000)
afterAll(async () => {
  await Promise.all(consoles.map((console) => console.kill()))
  receiver.closeAllConnections()
  receiver.close()
  await database.close()
  await upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // no encoding is set
  const { event } = JSON.parse(Buffer.concat(chunks).toString()) as { event: string }
  received.push({ key: String(request.headers['idempotency-key']), event })
  await onReceived(event)
  response.end()
}

/** Adds somebody with a password. @returns the cookie of their session */
async function added(name: string): Promise<Record<string, string>> {
  const [one] = consoles
  if (!one) throw new Error('There is no console.')
  const person = { name, email: `${name}@example.com`, role: 'administrator' }
  const { link } = await one.call<{ link: string }>('POST', '/api/people', person)
  const invitation = link.split('#invitation=')[1]
  const response = await fetch(`${one.address}/api/session`, {
    method: 'POST',
    headers: headersFor(one),
    body: JSON.stringify({ invitation, password }),
  })
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/** A change of a record that waits for approval. */
async function asked(on: KillableGateway, name: string): Promise<HeldChange & { record: string }> {
  const board = { name, tags: [], tiles: [] }
  const { id: record } = (await upstream.records.create('dashboards', board)) as { id: string } // as it stores it
  const change = { name: `${name} 2`, tags: [], tiles: [] }
  const { held } = await on.call<{ held: HeldChange }>('PUT', `/api/c/stack/stack/dashboards/${record}`, change, jana)
  return { ...held, record }
}

const detail = (on: KillableGateway, id: string) => on.call<ChangeRequestDetail>('GET', `/api/change-requests/${id}`)

async function approve(on: KillableGateway, id: string): Promise<void> {
  const { plan } = await detail(on, id)
  await on.call('POST', `/api/change-requests/${id}/approve`, { digest: plan?.digest }, tom)
}

const writesOf = (id: string) => upstream.hits.filter(({ method, url }) => method === 'PUT' && url.includes(id))
const waiting = () => database.rows("SELECT id FROM approval_notices WHERE state = 'waiting'")

test('each notification is sent once, whichever console sends it', async () => {
  const open = Array.from({ length: 8 }, (_, at) => asked(consoles[at % 2]!, `Board ${at}`)) // there are two
  const requests = await Promise.all(open)
  await Promise.all(requests.map(({ id }, at) => approve(consoles[at % 2]!, id)))
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), noticed)
  const events = received.map(({ event }) => event)
  expect(events.filter((event) => event === 'changeRequest.opened')).toHaveLength(8)
  expect(events.filter((event) => event === 'changeRequest.approved')).toHaveLength(8)
  expect(new Set(received.map(({ key }) => key)).size, 'nothing is sent twice').toBe(received.length)
  for (const { id, record } of requests) {
    await vi.waitFor(async () => expect((await detail(consoles[0]!, id)).state).toBe('carriedOut'), noticed)
    expect(writesOf(record)).toHaveLength(1)
  }
})

test('what a console did when it was killed is neither lost nor done twice', { timeout: 120_000 }, async () => {
  const release = { notice: () => {}, write: () => {} }
  // The notification that the request was opened is being sent, by whichever console.
  const noticeArrived = new Promise<void>((arrived) => {
    onReceived = async (event) => {
      if (event !== 'changeRequest.opened') return
      onReceived = async () => {}
      arrived()
      await new Promise<void>((done) => (release.notice = done))
    }
  })
  const { id, record } = await asked(consoles[0]!, 'Left')
  await noticeArrived
  const [sending] = await database.rows("SELECT id, owner FROM approval_notices WHERE state = 'waiting'")
  // The same console carries it out.
  const at = sending?.['owner'] === firstId ? 0 : 1
  const killed = consoles[at]!
  const other = consoles[1 - at]!
  const writeArrived = new Promise<void>((arrived) => {
    upstream.behaviour.before = async ({ method }) => {
      if (method !== 'PUT') return
      upstream.behaviour.before = async () => {}
      // It takes effect at once, and is answered later.
      await upstream.records.update('dashboards', record, { name: 'Left 2', tags: [], tiles: [] })
      arrived()
      await new Promise<void>((done) => (release.write = done))
    }
  })
  await approve(killed, id)
  await writeArrived
  // The other console sees it under way, and leaves it alone.
  expect((await detail(other, id)).state).toBe('carryingOut')
  expect(await database.rows("SELECT owner FROM change_requests WHERE state = 'carryingOut'")).toEqual([
    { owner: sending?.['owner'] },
  ])
  await killed.kill()
  consoles = [other]
  await vi.waitFor(async () => expect((await detail(other, id)).state).toBe('carriedOut'), noticed)
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), noticed)
  release.notice()
  release.write()
  const { outcomes, events } = await detail(other, id)
  expect(outcomes).toMatchObject([{ state: 'done', reason: expect.stringMatching(/^The console ended/) }])
  expect(events.map(({ kind }) => kind)).toEqual(['opened', 'approved', 'carriedOut'])
  expect(writesOf(record)).toHaveLength(1)
  // Nobody knows whether the receiver took the first one: it gets it again, under the same key.
  const attempts = received.filter(({ key }) => key === sending?.['id'])
  expect(attempts).toHaveLength(2)
  const others = received.filter(({ key }) => key !== sending?.['id']).map(({ key }) => key)
  expect(new Set(others).size).toBe(others.length)
})
