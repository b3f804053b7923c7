/** Times stored by a clock that was ahead count from the time that is right, at a start and after a step back. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SignInAttempts } from '../identity/sessions/signInAttempts.ts'
import { absoluteTimeout, idleTimeout, Sessions } from '../identity/sessions/sessions.ts'
import { SignInLinks } from '../identity/people/signInLinks.ts'
import { Tokens } from '../identity/people/tokens.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import type { Database } from './database.ts'
import { setBackFutureTimes } from './futureTimes.ts'

const hour = 3_600_000
const day = 24 * hour
const right = Date.UTC(2026, 2, 2, 10)
const ahead = 30 * day

let database: Database
let now: number
const clock = () => now
/** Not by the clock of this process, which may be set during the tests. */
const openSessions = () =>
  new Sessions(
    database,
    clock,
    { idle: idleTimeout, absolute: absoluteTimeout },
    { skippedSince: () => 0, deletionLag: () => 0 },
  )
beforeEach(async () => {
  database = await openTestDatabase(mkdtempSync(join(tmpdir(), 'future-times-')))
  now = right + ahead
  await database.write({
    sql: `INSERT INTO people (id, name, email, role, roles, state, created_at)
      VALUES ('p', 'P', 'p@example.com', 'admin', '[]', 'active', '2026-01-01T00:00:00.000Z')`,
  })
})
afterEach(() => database.close())

/** The clock is right again, and what is stored is corrected. */
async function setBack() {
  now = right
  await setBackFutureTimes(database, now)
}

test('sessions end when they would have', async () => {
  const started = await openSessions().start({ way: 'password', browser: 'Firefox' })
  await setBack()
  const sessions = openSessions()
  expect(await sessions.find(started)).not.toBeNull()
  now += idleTimeout
  expect(await sessions.find(started)).toBeNull()
  expect(now - right).toBeLessThan(absoluteTimeout)
})

test('tokens keep the number of their days', async () => {
  const tokens = new Tokens(database, clock)
  const { secret } = await tokens.create('p', { name: 'ci', role: 'viewer', connections: null, days: 7 })
  await setBack()
  now += 7 * day - hour
  expect(await tokens.find(secret)).toBeDefined()
  now += hour
  expect(await tokens.find(secret)).toBeUndefined()
})

test('invitations and links of administrators end after their period', async () => {
  const links = new SignInLinks(database, clock)
  const invitation = await links.invite('p')
  const link = await links.forAdministrator()
  const printed = await database
    .write({ sql: 'INSERT INTO consoles (id, beat) VALUES (?, 0)', args: ['c'] })
    .then(() => links.forConsole('c'))
  await setBack()
  now += hour
  expect(await links.takeAdministrator(link.token)).toBe(false)
  expect(await links.invited(invitation.token)).toBe('p')
  now += 7 * day
  expect(await links.invited(invitation.token)).toBeUndefined()
  expect(await links.takeAdministrator(printed)).toBe(true)
})

test('a delay of sign-ins ends', async () => {
  const attempts = new SignInAttempts(database, clock)
  const attempt = { way: 'password', account: 'a', address: '192.0.2.1' } as const
  const wrong = () => attempts.check(attempt, () => Promise.reject(new Error('wrong')))
  for (let count = 0; count < 30; count++) {
    await wrong().catch(() => undefined)
    now += count % 3 === 0 ? 60_000 : 0
  }
  await setBack()
  now += 15 * 60_000
  await expect(attempts.check(attempt, async () => 'in')).resolves.toBe('in')
})

test('break-glass lasts as long as it may, and a request waits as long as it was to', async () => {
  const iso = (at: number) => new Date(at).toISOString()
  await database.write(
    {
      sql: `INSERT INTO break_glass (id, connection_id, actor, reason, started_at, ends_at) VALUES ('b', 'c', 'A', 'r', ?, ?)`,
      args: [iso(now), iso(now + hour)],
    },
    {
      sql: `INSERT INTO change_requests (id, number, connection_id, state, origin, title, reason, requester_id, requester,
          requester_by, need, changes, opened_at, expires_at, revision, sealed)
        VALUES ('r', 1, 'c', 'waiting', 'o', 't', '', 'p', 'P', 'x', 'n', 1, ?, ?, 1, '')`,
      args: [iso(now), iso(now + 72 * hour)],
    },
  )
  await setBack()
  const [glass] = await database.rows('SELECT ends_at FROM break_glass')
  expect(Date.parse(String(glass?.['ends_at']))).toBeLessThanOrEqual(right + hour)
  const [request] = await database.rows('SELECT opened_at, expires_at FROM change_requests')
  expect(request).toEqual({ opened_at: iso(right), expires_at: iso(right + 72 * hour) })
})

test('what is not ahead stays, and what is a little ahead', async () => {
  now = right + 4000
  const id = await openSessions().start({ way: 'password', browser: 'Firefox' })
  const before = await database.rows('SELECT * FROM sessions')
  await setBack()
  expect(await database.rows('SELECT * FROM sessions')).toEqual(before)
  expect(await openSessions().find(id)).not.toBeNull()
})
