import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import type { Database } from '../../database/database.ts'
import { openTestDatabase } from '../../testing/testDatabase.ts'
import { KnownBrowsers } from './knownBrowsers.ts'
import { SignInAttempts } from './signInAttempts.ts'

const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

async function withClock() {
  const clock = { now: 0 }
  const database = await openTestDatabase(mkdtempSync(join(tmpdir(), 'attempts-')))
  opened.push(database)
  const attempts = new SignInAttempts(database, () => clock.now)
  const enter = (isRight: boolean, address = '198.51.100.7', known?: string) =>
    attempts
      .check({ way: 'password', account: 'mira@example.com', address, known }, async () => {
        if (!isRight) throw new Error('Wrong password.')
        return 'signed in'
      })
      .catch((error: unknown) => (error instanceof ApiFailure ? Number(error.error.retryAfter) : 'wrong'))
  return { clock, enter }
}

test('each further wrong password waits twice as long, up to a quarter of an hour', async () => {
  const { clock, enter } = await withClock()
  const waits: unknown[] = []
  for (let attempt = 0; attempt < 16; attempt++) {
    const refused = await enter(false)
    if (refused === 'wrong') continue
    waits.push(refused)
    clock.now += Number(refused) * 1000
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32])
  for (let attempt = 0; attempt < 30; attempt++) {
    if ((await enter(false)) !== 'wrong') clock.now += 900_000
  }
  await enter(false)
  expect(await enter(true)).toBe(900)
  clock.now += 3_600_000
  expect(await enter(true)).toBe('signed in')
  // And from then on as in the beginning.
  for (let attempt = 0; attempt < 4; attempt++) expect(await enter(false)).toBe('wrong')
})

test('wrong passwords of others delay neither another address nor a known browser', async () => {
  const { enter } = await withClock()
  for (let attempt = 0; attempt < 20; attempt++) await enter(false)
  expect(await enter(true)).toBeGreaterThan(0)
  expect(await enter(true, '203.0.113.9')).toBe('signed in')
  // From a thousand addresses: only strangers wait.
  for (let attempt = 0; attempt < 1000; attempt++) await enter(false, `192.0.2.${attempt}`)
  expect(await enter(true, '203.0.113.9')).toBeGreaterThan(0)
  expect(await enter(true, '203.0.113.9', 'browser')).toBe('signed in')
})

test('attempts at the same time count, too', async () => {
  const { enter } = await withClock()
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => enter(false)))
  expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(5)
})

test('a browser is known for the account that somebody signed in to, and for no other', () => {
  const browsers = new KnownBrowsers(randomBytes(32))
  const cookie = browsers.issue('mira@example.com')
  expect(browsers.known('mira@example.com', cookie)).toMatch(/^[\w-]{16}$/)
  expect(browsers.known('ben@example.com', cookie)).toBeUndefined()
  expect(new KnownBrowsers(randomBytes(32)).known('mira@example.com', cookie)).toBeUndefined()
  for (const odd of [undefined, '', '.', `${cookie}x`, cookie.split('.')[0]]) {
    expect(browsers.known('mira@example.com', odd)).toBeUndefined()
  }
})
