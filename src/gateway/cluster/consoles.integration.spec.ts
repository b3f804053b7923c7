/** Two consoles on one PostgreSQL database, as behind a balancer. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { writeIdHeader } from '#contract/wire/gatewayWire.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { openServer, type Database } from '../database/database.ts'
import { migrations } from '../database/migrations.ts'
import {
  secrets,
  startTestGateway,
  startUpstream,
  type TestGateway,
  type TestUpstream,
} from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'
import { Presence } from './presence.ts'

/** Consoles that share a database share it. */
const secret = 'the secret of all consoles'
const dataDir = mkdtempSync(join(tmpdir(), 'no-files-'))
/** Longer than another console may take to notice. */
const soon = { timeout: 30_000, interval: 100 }
/** Longer than others take to notice that a console has ended, on a busy machine. */
const noticed = { timeout: 40_000, interval: 200 }

describe('two consoles', () => {
  let upstream: TestUpstream
  let one: TestGateway
  let other: TestGateway
  let databaseUrl: string
  const links: string[] = []
  beforeAll(async () => {
    upstream = await startUpstream()
    databaseUrl = await newDatabase()
    one = await startTestGateway(upstream, { databaseUrl, secret, onSignInUrl: (url) => void links.push(url) })
    other = await startTestGateway(upstream, { databaseUrl, secret })
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
    expect(await signedIn(other, cookie)).toBe(false)
  })

  test('apply changes of roles, tokens and accounts made on one console at once on the other', async () => {
    const person = await signInAs(one, { name: 'Ada', role: 'editor' })
    const write = (on: TestGateway, headers: Record<string, string>) =>
      on.call('DELETE', '/api/c/oss/stack/dashboards/65f5e4a3b9e77c001a000001', undefined, headers)
    const cookie = { cookie: person.cookie }
    const tokenInput = { name: 'T', role: 'editor', connections: null, days: 1 }
    const made = await other.call('POST', '/api/account/tokens', tokenInput, cookie)
    const bearer = { cookie: '', authorization: `Bearer ${String(made.json['secret'])}` }
    const codes = async (on: TestGateway) => [(await write(on, cookie)).code, (await write(on, bearer)).code]
    const setRole = (role: string) =>
      one.call('PUT', `/api/people/${person.id}`, { name: 'Ada', email: person.email, role, roles: {} })
    expect(await codes(one)).toEqual([undefined, undefined])
    await setRole('viewer')
    expect(await codes(other)).toEqual(['forbidden', 'forbidden'])
    await setRole('editor')
    expect(await codes(other)).toEqual([undefined, undefined])
    await one.call('DELETE', `/api/account/tokens/${String(made.json['id'])}`, undefined, cookie)
    expect(await codes(other)).toEqual([undefined, 'signedOut'])
    await one.call('DELETE', `/api/people/${person.id}`)
    expect(await codes(other)).toEqual(['signedOut', 'signedOut'])
  })

  test('accept the link of either once, and the console that printed it prints a new one', async () => {
    const count = links.length
    const token = links.at(-1)?.split('#token=')[1]
    expect((await signIn(other, { token })).status).toBe(200)
    expect((await signIn(one, { token })).code).toBe('signedOut')
    await vi.waitFor(() => expect(links).toHaveLength(count + 1), soon)
    expect((await signIn(other, { token: links.at(-1)?.split('#token=')[1] })).status).toBe(200)
  })

  test('send a write once that is repeated on the other one', async () => {
    const write = (on: TestGateway, id: string) =>
      on.call('DELETE', `/api/c/oss/stack/dashboards/${id}`, undefined, {
        [writeIdHeader]: 'repeated-write',
        cookie: shared,
      })
    const entry = await signIn(one, { password: secrets.password })
    const shared = entry.headers.get('set-cookie')?.split(';')[0] ?? ''
    const [first = '', second = ''] = ['65f5e4a3b9e77c001a00000a', '65f5e4a3b9e77c001a00000b']
    upstream.hits.length = 0
    const answers = await Promise.all([one, other, one, other].map((on) => write(on, first)))
    expect(answers.map(({ status, json }) => [status, json])).toEqual(answers.map(() => [200, answers[0]?.json]))
    expect(upstream.hits.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    expect((await write(other, second)).status).toBe(409)
  })

  test('share their connections and their keys', async () => {
    const input = { name: 'Shared', variant: 'openSource', baseUrl: upstream.url, allowPrivate: true, stage: 'staging' }
    const named = async (gateway: TestGateway, name: string) => {
      const { json } = await gateway.call('GET', '/api/connections')
      return Object.values(json).find((each) => Object(each).name === name)
    }
    const { json } = await one.call('POST', '/api/connections', { ...input, accessKey: 'shared-key-0123456789' })
    expect(await named(other, 'Shared')).toMatchObject({ secretEnd: '6789' })
    await other.call('GET', `/api/c/${String(json['id'])}/stack/dashboards`)
    expect(upstream.hits.at(-1)?.headers.authorization).toBe('Bearer shared-key-0123456789')
    await other.call('PUT', `/api/connections/${String(json['id'])}`, { ...input, name: 'Renamed', readOnly: true })
    expect(await named(one, 'Renamed')).toBeDefined()
    const write = await one.call('DELETE', `/api/c/${String(json['id'])}/stack/dashboards/65f5e4a3b9e77c001a000001`)
    expect(write.code).toBe('readOnly')
    await one.call('DELETE', `/api/connections/${String(json['id'])}`, {})
    expect(await named(other, 'Renamed')).toBeUndefined()
  })

  test.each([
    ['another CONSOLE_SECRET', 'the secret of somebody else', /encrypted with another CONSOLE_SECRET/],
    ['a key file of its own', undefined, /Consoles that share a database need the same CONSOLE_SECRET\.$/],
  ])('refuse a third with %s, which leaves no trace', async (_, wrong, message) => {
    const database = await openServer(databaseUrl)
    const stored = async () =>
      Promise.all(['connections', 'console_keys'].map((table) => database.rows(`SELECT * FROM ${table} ORDER BY 1`)))
    const before = await stored()
    await expect(startTestGateway(upstream, { databaseUrl, secret: wrong })).rejects.toThrow(message)
    expect(await stored()).toEqual(before)
    expect(await database.rows('SELECT id FROM consoles')).toHaveLength(2)
    await database.close()
  })

  test('count wrong passwords together', async () => {
    const guesses = Array.from({ length: 20 }, (_, at) => signIn(at % 2 ? one : other, { password: `guess ${at}` }))
    const codes = (await Promise.all(guesses)).map(({ code }) => code)
    // Each alone would allow five. On a busy machine, the first second of waiting is over before the last guess.
    expect(codes.filter((code) => code === 'signedOut').length).toBeLessThan(9)
  })
})

describe('consoles that come and go', () => {
  const newPresence = async (url: string, place = dataDir, isAlone = false) => {
    const database = await openServer(url)
    return { database, presence: new Presence({ database, dataDir: place, isAlone, onError: () => {}, beat: 100 }) }
  }
  const idsIn = async (database: Database) =>
    (await database.rows('SELECT id FROM consoles ORDER BY id')).map(({ id }) => String(id))

  test('a command that has to be alone, and a console: either refuses to start beside the other', async () => {
    const url = await newDatabase()
    const [console, command] = [await newPresence(url), await newPresence(url, '/command', true)]
    await console.presence.open()
    expect(await command.presence.hasOthers()).toBe(true)
    await expect(command.presence.open()).rejects.toThrow(/^A console uses the database of CONSOLE_DATABASE_URL\. /)
    await console.presence.close()
    expect(await command.presence.hasOthers()).toBe(false)
    await command.presence.open()
    const next = await newPresence(url)
    await expect(next.presence.open()).rejects.toThrow(/^A command changes the database of CONSOLE_DATABASE_URL now\. /)
    await command.presence.close()
    await next.presence.open()
    expect(await idsIn(next.database)).toEqual([next.presence.id])
    await next.presence.close()
    for (const { database } of [console, command, next]) await database.close()
  })

  test('one that was killed is removed by the next start in its folder, or once it sent no beat', async () => {
    const url = await newDatabase()
    const killed = await newPresence(url)
    await killed.presence.open()
    await killed.database.close() // no beats from now on
    const same = await newPresence(url)
    await same.presence.open()
    expect(await idsIn(same.database)).toEqual([same.presence.id])
    await same.database.close()
    const elsewhere = await newPresence(url, '/elsewhere')
    await elsewhere.presence.open()
    expect(await idsIn(elsewhere.database)).toEqual([same.presence.id, elsewhere.presence.id].toSorted())
    await vi.waitFor(async () => expect(await idsIn(elsewhere.database)).toEqual([elsewhere.presence.id]), noticed)
    await elsewhere.presence.close()
    expect(await idsIn(elsewhere.database)).toEqual([])
    await elsewhere.database.close()
  }, 60_000)

  test('a newer version that updates the database replaces those of earlier ones, which then serve nobody', async () => {
    const databaseUrl = await newDatabase()
    const upstream = await startUpstream()
    const gateway = await startTestGateway(upstream, { databaseUrl, secret })
    // The same version changes nothing.
    await (await openServer(databaseUrl)).close()
    expect((await gateway.call('GET', '/api/connections')).status).toBe(200)
    const newer = await openServer(databaseUrl, {
      ...migrations,
      both: [...migrations.both, 'CREATE TABLE of_the_next_version (id INTEGER)'],
    })
    expect(await idsIn(newer)).toEqual([])
    const write = () => gateway.call('DELETE', '/api/c/oss/stack/dashboards/65f5e4a3b9e77c001a000001')
    await expect(write()).resolves.toMatchObject({ code: 'unavailable' })
    expect(upstream.hits.filter(({ method }) => method === 'DELETE')).toEqual([])
    const ready = async () => fetch(`${gateway.url}/readyz`)
    await vi.waitFor(async () => expect((await ready()).status).toBe(503), soon)
    expect((await gateway.call('GET', '/api/connections')).code).toBe('unavailable')
    await expect(startTestGateway(upstream, { databaseUrl, secret })).rejects.toThrow(/written by a newer version/)
    await gateway.close()
    await newer.close()
    await upstream.close()
  })

  test('that took the place of one that only stopped for a while ends that one', { timeout: 60_000 }, async () => {
    const url = await newDatabase()
    const stopped = await newPresence(url)
    await stopped.presence.open()
    // As after twelve beats without one of its own.
    await stopped.database.write(
      { sql: 'DELETE FROM consoles' },
      { sql: "INSERT INTO consoles (id, beat) VALUES ('next', 0)" },
    )
    await vi.waitFor(() => expect(stopped.presence.isReplaced).toBe(true), soon)
    await stopped.presence.close()
    expect(await stopped.database.rows('SELECT id FROM consoles')).toEqual([{ id: 'next' }])
    await stopped.database.close()
  })
})
