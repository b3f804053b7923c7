import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { sessionEntry } from '#contract/console/connections.ts'
import { stepHoldTime, wallClock } from '#node/clock/wallClock.ts'
import { testClock } from '#node/testing/testClock.ts'
import type { Database } from '../../database/database.ts'
import { openTestDatabase, storedBytes } from '../../testing/testDatabase.ts'
import { absoluteTimeout, idleTimeout, Sessions } from './sessions.ts'
import {
  secrets,
  startTestGateway,
  startUpstream,
  type TestGateway,
  type TestUpstream,
} from '../../testing/testGateway.ts'

const opened: Database[] = []
afterAll(async () => {
  for (const database of opened) await database.close()
})

async function withClock() {
  const clock = { now: 1_000_000 }
  const dataDir = mkdtempSync(join(tmpdir(), 'sessions-'))
  const database = await openTestDatabase(dataDir)
  opened.push(database)
  const restart = () => new Sessions(database, () => clock.now)
  return { clock, dataDir, restart, sessions: restart() }
}

const start = { way: 'password', browser: 'Firefox' } as const

describe('session', () => {
  test('ends after too long without use', async () => {
    const { clock, sessions } = await withClock()
    const id = await sessions.start(start)
    for (let use = 0; use < 5; use++) {
      clock.now += idleTimeout - 1
      expect(await sessions.find(id)).not.toBeNull()
    }
    clock.now += idleTimeout
    expect(await sessions.find(id)).toBeNull()
  })

  test('ends after a week, used or not', async () => {
    const { clock, sessions } = await withClock()
    const id = await sessions.start(start)
    const end = clock.now + absoluteTimeout
    while (clock.now + idleTimeout / 2 < end) {
      clock.now += idleTimeout / 2
      expect(await sessions.find(id)).not.toBeNull()
    }
    clock.now = end
    expect(await sessions.find(id)).toBeNull()
  })

  test('does not end because a step of the clock skipped its time', async () => {
    const { pass, step, clock } = testClock(1_700_000_000_000)
    const database = await openTestDatabase(mkdtempSync(join(tmpdir(), 'sessions-')))
    opened.push(database)
    const sessions = new Sessions(database, () => clock.now(), { idle: idleTimeout, absolute: absoluteTimeout }, clock)
    const id = await sessions.start(start)
    step(30 * 24 * 3_600_000)
    pass(stepHoldTime)
    // Somebody else signs in, which removes the sessions that have ended.
    await sessions.start(start)
    expect(await sessions.find(id)).not.toBeNull()
    pass(idleTimeout)
    expect(await sessions.find(id)).toBeNull()
  })

  test('survives a restart, and its ID is not on the disk', async () => {
    const { dataDir, sessions, restart } = await withClock()
    const id = await sessions.start(start)
    const { key = '' } = (await sessions.find(id)) ?? {}
    const bytes = await storedBytes(dataDir)
    expect([bytes.includes(key), bytes.includes(id)]).toEqual([true, false])
    const restarted = restart()
    expect(await restarted.find(id)).not.toBeNull()
    await restarted.end(id)
    expect(await restarted.find(id)).toBeNull()
    expect(await restart().find(id)).toBeNull()
  })

  test('is not found by an unknown ID', async () => {
    const { sessions } = await withClock()
    const id = await sessions.start(start)
    for (const other of [undefined, '', 'x', id.slice(1), `${id} `, id.toUpperCase()])
      expect(await sessions.find(other)).toBeNull()
  })

  test('replaces the oldest ones of the same person beyond 100, and those of nobody else', async () => {
    const { clock, sessions } = await withClock()
    const other = await sessions.start({ ...start, person: 'somebody else' })
    const oldest = await sessions.start({ ...start, person: 'one' })
    for (const id of [other, oldest]) expect(await sessions.find(id)).not.toBeNull()
    for (let more = 0; more < 100; more++) {
      clock.now += 1
      await sessions.start({ ...start, person: 'one' })
    }
    expect(await sessions.find(oldest), 'also if it was just in use').toBeNull()
    expect(await sessions.list('', 'one')).toHaveLength(100)
    expect(await sessions.find(other)).not.toBeNull()
  })
})

describe('list of sessions', () => {
  test('shows who is signed in, most recently used first, without expired sessions', async () => {
    const { clock, sessions } = await withClock()
    const old = await sessions.start(start)
    clock.now += idleTimeout - 60_000
    const mine = (await sessions.find(await sessions.start({ way: 'link', browser: 'x'.repeat(5_000) })))?.key ?? ''
    const shown = await sessions.list(mine)
    expect(shown).toMatchObject([
      { current: true, way: 'link', createdAt: new Date(clock.now).toISOString() },
      { current: false, way: 'password', browser: 'Firefox', endsAt: new Date(clock.now + 60_000).toISOString() },
    ])
    expect(shown[0]?.browser.length).toBeLessThan(1_000)
    clock.now += 60_000
    expect(await sessions.find(old)).toBeNull()
    expect(await sessions.list(mine)).toHaveLength(1)
    expect(JSON.stringify(shown)).not.toContain(mine)
  })

  test('shows the end of the week as the end of a session in use', async () => {
    const { clock, sessions } = await withClock()
    const id = await sessions.start(start)
    const end = clock.now + absoluteTimeout
    while (clock.now < end - idleTimeout) {
      clock.now += idleTimeout / 2
      await sessions.find(id)
    }
    expect((await sessions.list(''))[0]?.endsAt).toBe(new Date(end).toISOString())
  })

  test('includes sessions of the versions that had them in a file, which is kept aside', async () => {
    const { clock, dataDir, sessions, restart } = await withClock()
    const id = 'a-secret-id'
    const hash = createHash('sha256').update(id).digest('hex')
    const path = join(dataDir, 'sessions.json')
    const content = JSON.stringify({ sessions: [{ hash, createdAt: clock.now, seenAt: clock.now }] })
    writeFileSync(path, content)
    await sessions.takeOver(dataDir)
    // As if the first start had been killed before it put the file aside.
    writeFileSync(path, content)
    const restarted = restart()
    await restarted.takeOver(dataDir)
    expect([existsSync(path), readFileSync(`${path}.migrated`, 'utf8')]).toEqual([false, content])
    expect(await restarted.find(id)).toMatchObject({ key: hash })
    expect(await restarted.list('')).toMatchObject([{ browser: '', current: false }])
  })

  test('ends one session or all others for good', async () => {
    const { sessions, restart } = await withClock()
    const ids = [await sessions.start(start), await sessions.start(start), await sessions.start(start)]
    const [mine = '', second = '', third = ''] = ids
    const name = (await sessions.find(mine))?.key
    const [shown] = (await sessions.list((await sessions.find(second))?.key ?? '')).filter(({ current }) => current)
    expect(await sessions.endThose(({ id }) => id === shown?.id)).toHaveLength(1)
    expect(await sessions.find(second)).toBeNull()
    expect(await sessions.find(third)).not.toBeNull()
    expect(await sessions.endThose((one) => one.name !== name)).toHaveLength(1)
    const restarted = restart()
    const found = await Promise.all(ids.map((id) => restarted.find(id)))
    expect(found.map((session) => session !== null)).toEqual([true, false, false])
  })
})

describe('sign-in over HTTP', () => {
  let upstream: TestUpstream
  let gateway: TestGateway
  const links: string[] = []
  beforeAll(async () => {
    upstream = await startUpstream()
    gateway = await startTestGateway(upstream, { onSignInUrl: (url) => void links.push(url) })
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
  })
  const signIn = (proof: unknown, cookie = '') => gateway.call('POST', '/api/session', proof, { cookie })
  const tokenOf = (link: string | undefined) => link?.split('#token=')[1]

  test('accepts a link once, and issues a new one', async () => {
    expect(links).toHaveLength(2)
    expect(links[0]).toMatch(/\/sign-in#token=[\w-]{43}$/)
    expect((await signIn({ token: tokenOf(links[0]) })).code).toBe('signedOut')
    expect(gateway.signInUrl()).toBe(links[1])
    const { status, headers } = await signIn({ token: tokenOf(links[1]) })
    expect(status).toBe(200)
    expect(headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(links).toHaveLength(3)
    expect((await signIn({ token: tokenOf(links[1]) })).status).toBe(401)
  })

  test('creates a new session ID, and ends the previous session', async () => {
    const { headers } = await signIn({ password: secrets.password })
    const first = headers.get('set-cookie')?.split(';')[0] ?? ''
    const again = await signIn({ password: secrets.password }, first)
    expect(again.headers.get('set-cookie')).not.toContain(first)
    expect((await gateway.call('GET', '/api/connections', undefined, { cookie: first })).code).toBe('signedOut')
  })

  test('reports what is offered, and rejects requests after signing out', async () => {
    const entry = await signIn({ password: secrets.password })
    const cookie = entry.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await gateway.call('GET', '/api/session', undefined, { cookie })).json).toEqual({
      signedIn: true,
      passwordOffered: true,
      build: 'test',
    })
    expect((await gateway.call('DELETE', '/api/session', undefined, { cookie })).json.signedIn).toBe(false)
    expect((await gateway.call('GET', '/api/connections', undefined, { cookie })).code).toBe('signedOut')
    expect((await gateway.call('GET', '/api/c/oss/stack/alerts', undefined, { cookie })).code).toBe('signedOut')
    expect((await gateway.call('GET', '/api/session', undefined, { cookie })).json.signedIn).toBe(false)
    expect(upstream.hits).toEqual([])
  })

  test('lets a session list and end others, and nobody else', async () => {
    const cookieOf = async () => {
      const { headers } = await signIn({ password: secrets.password })
      return headers.get('set-cookie')?.split(';')[0] ?? ''
    }
    const [mine, other, third] = [await cookieOf(), await cookieOf(), await cookieOf()]
    const ask = (method: string, path: string, cookie: string) => gateway.call(method, path, undefined, { cookie })
    const list = async () => z.array(sessionEntry).parse((await ask('GET', '/api/sessions', mine)).json)
    const shown = await list()
    expect(shown.filter(({ current }) => current)).toHaveLength(1)
    expect(JSON.stringify(shown)).not.toContain(mine.split('=')[1])
    expect((await ask('GET', '/api/sessions', '')).code).toBe('signedOut')
    expect((await ask('DELETE', '/api/sessions', '')).code).toBe('signedOut')
    expect((await ask('DELETE', '/api/sessions/nobody', mine)).status).toBe(200)
    expect(await list()).toHaveLength(shown.length)

    const theirs = z.array(sessionEntry).parse((await ask('GET', '/api/sessions', other)).json)
    const otherId = theirs.find(({ current }) => current)?.id
    expect((await ask('DELETE', `/api/sessions/${otherId}`, mine)).status).toBe(200)
    expect((await ask('GET', '/api/connections', other)).code).toBe('signedOut')
    expect((await ask('GET', '/api/connections', third)).status).toBe(200)
    expect((await ask('DELETE', '/api/sessions', mine)).status).toBe(200)
    expect((await ask('GET', '/api/connections', third)).code).toBe('signedOut')
    expect(await list()).toHaveLength(1)
  })

  test('locks password sign-in for a while after several failures', async () => {
    // The first lock lasts a second, which a busy machine may need for the next request.
    vi.spyOn(wallClock, 'now').mockReturnValue(wallClock.now())
    const codes: unknown[] = []
    const { headers } = await signIn({ password: secrets.password })
    const mine = headers.get('set-cookie')?.split(';')[0] ?? ''
    for (let attempt = 0; attempt < 25; attempt++) codes.push((await signIn({ password: `guess ${attempt}` })).code)
    expect(codes[0]).toBe('signedOut')
    const refused = await signIn({ password: secrets.password })
    expect(codes.at(-1)).toBe('rateLimited')
    expect(refused.code).toBe('rateLimited')
    expect(refused.json.retryAfter).toBeGreaterThan(0)
    // Neither the link nor a signed-in user is delayed by failed attempts of others.
    const owner = await signIn({ password: secrets.password }, mine)
    expect(owner.status).toBe(200)
    const token = gateway.signInUrl().split('#token=')[1]
    expect((await signIn({ token: 'wrong' })).code).toBe('signedOut')
    expect((await signIn({ token })).status).toBe(200)
  })
})

test('behind https, the cookie is bound to the host and never sent unencrypted', async () => {
  const upstream = await startUpstream()
  const gateway = await startTestGateway(upstream, { publicUrl: 'https://console.example' })
  try {
    expect(gateway.url).toBe('https://console.example')
    expect(gateway.signInUrl()).toMatch(/^https:\/\/console\.example\/sign-in#/)
    expect(gateway.setCookie).toMatch(/^__Host-[\w]+=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    expect((await gateway.call('GET', '/api/session')).headers.get('strict-transport-security')).toMatch(/^max-age=/)
  } finally {
    await gateway.close()
    await upstream.close()
  }
})
