/** Behavior that only PostgreSQL has: several consoles on one database, beside a stack, and a server that goes away. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openPostgres } from '#node/database/postgres.ts'
import { UnusableState } from '#node/files/atomicFile.ts'
import { ownPostgres } from '#node/testing/testPostgres.ts'
import { AuditStore, type NewAuditEntry } from '../audit/auditStore.ts'
import { People } from '../identity/people/people.ts'
import { answerJson, startTestGateway, startUpstream } from '../testing/testGateway.ts'
import { openDatabase, type Database } from './database.ts'

const postgres = ownPostgres()
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function open(url: string): Promise<Database> {
  const database = await openDatabase(mkdtempSync(join(tmpdir(), 'no-files-')), url)
  ends.push(() => database.close())
  return database
}

const entry = (event: string): NewAuditEntry => ({
  actor: 'Mira',
  personId: null,
  address: null,
  event,
  connectionId: null,
  subject: null,
  outcome: 'done',
  status: 200,
  reason: null,
  request: 'r',
  begun: null,
  changes: [],
})

describe('several consoles on one database', () => {
  test('create its tables once, whoever comes first', async () => {
    const url = await postgres.createDatabase()
    const databases = await Promise.all(Array.from({ length: 4 }, () => open(url)))
    for (const database of databases)
      expect(await database.rows('SELECT count(*) AS n FROM people')).toEqual([{ n: 0 }])
  })

  test('append to one audit chain', async () => {
    const url = await postgres.createDatabase()
    const stores = [new AuditStore(await open(url)), new AuditStore(await open(url))]
    await Promise.all(Array.from({ length: 40 }, (_, at) => stores[at % 2]?.append(entry(`connections.${at}`))))
    const { entries, fault } = (await stores[0]?.verify()) ?? {}
    expect([entries, fault]).toEqual([40, undefined])
  })

  test('keep one administrator, when two remove each other', async () => {
    const url = await postgres.createDatabase()
    const [one, other] = [new People(await open(url)), new People(await open(url))]
    const input = { role: 'administrator', roles: {} } as const
    const ids: string[] = []
    for (const name of ['a', 'b']) {
      const { id } = await one.add({ name, email: `${name}@example.com`, ...input })
      await one.activate(id)
      await one.setPassword(id, 'a-password-of-the-test')
      ids.push(id)
    }
    const [first = '', second = ''] = ids
    const outcomes = await Promise.allSettled([one.remove(first), other.remove(second)])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await one.list()).toHaveLength(1)
  })
})

test('the tables lie beside those of a stack in the same database, also for a user of their name', async () => {
  await postgres.server.sql('CREATE ROLE console_user SUPERUSER LOGIN')
  const url = (await postgres.createDatabase()).replace('stack@', 'console_user@')
  await open(url)
  const stack = {
    url,
    variable: 'DATABASE_URL',
    product: 'stack',
    lock: 1,
    migrations: { both: ['CREATE TABLE people (id TEXT)'] },
  }
  const opened = await openPostgres({ ...stack, product: 'stack' })
  ends.push(() => opened.close())
  expect(await opened.rows('SELECT current_schema() AS name, count(*) AS n FROM people')).toEqual([
    { name: 'public', n: 0 },
  ])
  expect(await (await open(url)).rows('SELECT email FROM people')).toEqual([])
})

test('bytes and wide numbers come back as from a file', async () => {
  const databases = [
    await open(await postgres.createDatabase()),
    await openDatabase(mkdtempSync(join(tmpdir(), 'file-'))),
  ]
  for (const database of databases) {
    await database.write({
      sql: 'INSERT INTO versions (hash, base, bytes) VALUES (?, ?, ?)',
      args: ['v', null, new Uint8Array([0, 39, 92, 255])],
    })
    const [row] = await database.rows('SELECT bytes, ?1 AS text, length(bytes) * 5000000000 AS wide FROM versions', [
      '?',
    ])
    expect(row?.['bytes']).toBeInstanceOf(ArrayBuffer)
    expect({ ...row, bytes: [...new Uint8Array(row?.['bytes'] as ArrayBuffer)] }).toEqual({
      bytes: [0, 39, 92, 255],
      text: '?',
      wide: 20_000_000_000,
    })
  }
})

describe('a server that cannot be reached', () => {
  test('refuses the start in one line, without its password', async () => {
    const opening = openDatabase('/nowhere', 'postgres://mira:a-password@127.0.0.1:9/records')
    await expect(opening).rejects.toThrow(UnusableState)
    await expect(opening).rejects.toThrow(
      /^The PostgreSQL server of CONSOLE_DATABASE_URL cannot be reached \(ECONNREFUSED\)\.$/,
    )
  })

  test('fails requests with 503, sends nothing, and is used again once it is back', { timeout: 60_000 }, async () => {
    const upstream = await startUpstream()
    const gateway = await startTestGateway(upstream, { databaseUrl: await postgres.createDatabase() })
    ends.push(
      () => upstream.close(),
      () => gateway.close(),
    )
    upstream.become(answerJson({ data: { id: 'x1', name: 'Board', tiles: [] } }))
    const write = () => gateway.call('POST', '/api/c/oss/stack/dashboards', { name: 'Board', tiles: [] })
    expect((await write()).status).toBe(200)
    upstream.hits.length = 0
    await postgres.server.kill()
    const refused = await write()
    expect([refused.status, refused.code]).toEqual([503, 'unavailable'])
    expect(refused.json['message']).toMatch(
      /^The PostgreSQL server of CONSOLE_DATABASE_URL (cannot be reached|ended the connection) \([\w ]+\)\. Nothing was changed\.$/,
    )
    expect((await gateway.call('GET', '/readyz')).status).toBe(503)
    expect(upstream.hits).toEqual([])
    await postgres.server.start()
    expect((await write()).status).toBe(200)
    expect((await gateway.call('GET', '/api/connections/oss/history')).json['items']).toHaveLength(2)
  })
})
