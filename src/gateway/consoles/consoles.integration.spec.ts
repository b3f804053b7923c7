/** Two consoles on one PostgreSQL database, as behind a balancer. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testPostgres } from '#node/testing/testPostgres.ts'
import { openDatabase } from '../database/database.ts'
import {
  secrets,
  startTestGateway,
  startUpstream,
  type TestGateway,
  type TestUpstream,
} from '../testing/testGateway.ts'
import { Presence } from './presence.ts'

const postgres = testPostgres()
const dataDir = mkdtempSync(join(tmpdir(), 'no-files-'))
/** Longer than another console may take to notice. */
const soon = { timeout: 10_000, interval: 100 }

describe('two consoles', () => {
  let upstream: TestUpstream
  let one: TestGateway
  let other: TestGateway
  const links: string[] = []
  beforeAll(async () => {
    upstream = await startUpstream()
    const databaseUrl = postgres.createDatabase()
    one = await startTestGateway(upstream, { databaseUrl, onSignInUrl: (url) => void links.push(url) })
    other = await startTestGateway(upstream, { databaseUrl })
  }, 60_000)
  afterAll(async () => {
    await Promise.all([one.close(), other.close()])
    await upstream.close()
  })

  const signIn = (gateway: TestGateway, proof: unknown) => gateway.call('POST', '/api/session', proof, { cookie: '' })
  const signedIn = async (gateway: TestGateway, cookie: string) =>
    (await gateway.call('GET', '/api/session', undefined, { cookie })).json['signedIn']

  test('share their sessions, and a session that was ended on one ends on the other', async () => {
    const entry = await signIn(one, { password: secrets.password })
    const cookie = entry.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await signedIn(other, cookie)).toBe(true)
    await one.call('DELETE', '/api/session', undefined, { cookie })
    await vi.waitFor(async () => expect(await signedIn(other, cookie)).toBe(false), soon)
  })

  test('accept the link of either once, and the console that printed it prints a new one', async () => {
    const count = links.length
    const token = links.at(-1)?.split('#token=')[1]
    expect((await signIn(other, { token })).status).toBe(200)
    expect((await signIn(one, { token })).code).toBe('signedOut')
    await vi.waitFor(() => expect(links).toHaveLength(count + 1), soon)
    expect((await signIn(other, { token: links.at(-1)?.split('#token=')[1] })).status).toBe(200)
  })

  test('count wrong passwords together', async () => {
    const guesses = Array.from({ length: 20 }, (_, at) => signIn(at % 2 ? one : other, { password: `guess ${at}` }))
    const codes = (await Promise.all(guesses)).map(({ code }) => code)
    // Each alone would allow five. On a busy machine, the first second of waiting is over before the last guess.
    expect(codes.filter((code) => code === 'signedOut').length).toBeLessThan(9)
  })
})

describe('a console that ends without a word', () => {
  const join = async (url: string) => {
    const database = await openDatabase(dataDir, url)
    const presence = new Presence(database, () => {})
    await presence.open()
    return { database, presence }
  }

  test('is noticed by the others, and one that only stopped for a while is back', { timeout: 60_000 }, async () => {
    const url = postgres.createDatabase()
    const [{ database, presence }, { presence: gone, database: lost }] = [await join(url), await join(url)]
    await vi.waitFor(() => expect(presence.consoles).toBe(2), soon)
    await lost.close()
    await vi.waitFor(
      async () => expect(await database.rows('SELECT id FROM consoles')).toEqual([{ id: presence.id }]),
      {
        timeout: 40_000,
        interval: 500,
      },
    )
    expect(presence.consoles).toBe(1)
    // Taken for ended by mistake.
    await database.write({ sql: 'DELETE FROM consoles' })
    await vi.waitFor(
      async () => expect(await database.rows('SELECT id FROM consoles')).toEqual([{ id: presence.id }]),
      soon,
    )
    await gone.close()
    await presence.close()
    expect(await database.rows('SELECT id FROM consoles')).toEqual([])
    await database.close()
  })
})
