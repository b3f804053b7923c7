/** Work that a console leaves on a database that it shares, when it is killed or stands still: another one completes it, once. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { minimalPages } from '#gateway/testing/minimalPages.ts'
import { openDatabase, type Database } from '#gateway/database/database.ts'
import { startMemoryUpstream, type MemoryUpstream } from '#gateway/testing/memoryUpstream.ts'
import { generousBudgetsFor } from '#gateway/testing/testGateway.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { startKillable, type KillableGateway } from '../testing/killableGateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'ended-consoles-'))
/**
 * Longer than others take to notice, on a busy machine. A console that stands still may hold the lock of writes, until the server
 * ends its transaction after 30 seconds.
 */
const noticed = { timeout: 150_000, interval: 200 }

let upstream: MemoryUpstream
let database: Database
let consoles: KillableGateway[] = []

/** Consoles with the same connections, each in a folder of its own. */
beforeAll(async () => {
  upstream = await startMemoryUpstream('d')
  const distDir = minimalPages(folder)
  const databaseUrl = await newDatabase()
  const stack = { id: 'stack', name: 'Stack', baseUrl: upstream.url, allowPrivate: true, accessKey: 'key-of-the-stack' }
  const order = {
    distDir,
    databaseUrl,
    budgets: generousBudgetsFor(upstream.url),
    tuning: { beat: 250 },
    seeds: [{ ...stack, variant: 'openSource', stage: 'staging' } as const],
  }
  const first = await startKillable({ ...order, dataDir: join(folder, 'console-0') })
  for (const name of ['console-1', 'console-2', 'console-3']) {
    cpSync(join(folder, 'console-0'), join(folder, name), { recursive: true })
  }
  const others = ['console-1', 'console-2', 'console-3'].map((name) =>
    startKillable({ ...order, dataDir: join(folder, name) }),
  )
  consoles = [first, ...(await Promise.all(others))]
  database = await openDatabase(folder, databaseUrl)
}, 120_000)
afterAll(async () => {
  await Promise.all(consoles.map((console) => console.kill()))
  await database.close()
  await upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

const changesOf = (id: string) =>
  database.rows('SELECT outcome, reason, owner FROM changes WHERE record_id = ? ORDER BY seq', [id])
/** The consoles that the others take for alive. A busy machine may make one of them late enough to be taken for ended. */
const living = async () => (await database.rows('SELECT id FROM consoles')).map(({ id }) => id)
/** The console that sent the write that is held. */
const ownerOf = async (id: string) => (await changesOf(id))[0]?.['owner']

/** Sends a write whose response is held back, and returns once the deployment has it. */
async function writeHeld(on: KillableGateway, name: string) {
  await upstream.records.create('dashboards', { name, tags: [], tiles: [] })
  const id = [...upstream.records.records.dashboards.keys()].at(-1) ?? ''
  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  const arrived = new Promise<void>((done) => {
    upstream.behaviour.before = async ({ method }) => {
      if (method !== 'PUT') return
      // It takes effect at once, and is answered later.
      await upstream.records.update('dashboards', id, { name: `${name} 2`, tags: [], tiles: [] })
      done()
      await released
    }
  })
  const body = { name: `${name} 2`, tags: [], tiles: [] }
  const answer = on.call('PUT', `/api/c/stack/stack/dashboards/${id}`, body).then(
    () => 'done',
    (error: unknown) => String(error),
  )
  await Promise.race([arrived, answer.then((text) => Promise.reject(new Error(text)))])
  upstream.hits.length = 0
  return { id, release, answer }
}

test('a write that a killed console left is completed by one of the others', { timeout: 300_000 }, async () => {
  const [killed] = consoles
  const { id, release, answer } = await writeHeld(killed!, 'Left') // there are four
  expect(await changesOf(id)).toMatchObject([{ outcome: 'pending' }])
  const ended = await ownerOf(id)
  expect(await living()).toContain(ended)
  await killed?.kill()
  await answer
  await vi.waitFor(async () => expect(await changesOf(id)).toMatchObject([{ outcome: 'done' }]), noticed)
  release()
  const [change] = await changesOf(id)
  expect(change?.['reason']).toMatch(/^The console ended before the response arrived/)
  const left = await living()
  expect(left).not.toContain(ended)
  expect(left).toContain(change?.['owner'])
  expect(upstream.hits.filter(({ url }) => url.includes(id))).toHaveLength(1)
})

test('a console that stood still stores and sends nothing once it was replaced', { timeout: 300_000 }, async () => {
  const [, stalled] = consoles
  const { id, release, answer } = await writeHeld(stalled!, 'Stalled') // there are four
  const replaced = await ownerOf(id)
  stalled?.send('SIGSTOP')
  await vi.waitFor(async () => expect(await living()).not.toContain(replaced), noticed)
  await vi.waitFor(async () => expect(await changesOf(id)).toMatchObject([{ outcome: 'done' }]), noticed)
  const judged = await changesOf(id)
  release()
  stalled?.send('SIGCONT')
  await answer
  // The outcome stays the one of the console that took over.
  expect(await changesOf(id)).toEqual(judged)
  const refusal = /Another console has taken the place|did not reach its database/
  const write = () => stalled!.call('DELETE', `/api/c/stack/stack/dashboards/${id}`) // it goes on
  await expect(write()).rejects.toThrow(refusal)
  expect(upstream.records.records.dashboards.has(id)).toBe(true)
  const ready = async () => fetch(`${stalled!.address}/readyz`) // it goes on
  await vi.waitFor(async () => expect((await ready()).status).toBe(503), noticed)
  expect(await living()).not.toContain(replaced)
  await stalled?.kill()
})
