/** Behavior that only PostgreSQL has: ways to it that break, several stacks on one database, TLS. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { firstStart } from '../startup/firstStart.ts'
import { breakableProxy, type BreakableProxy } from '../testing/breakableProxy.ts'
import { ownPostgres } from '#node/testing/testPostgres.ts'
import { firstContent, startTestStack } from '../testing/testStack.ts'
import { collection } from './collection.ts'
import { openStore, type Store } from './store.ts'
import { StoreError } from '#node/database/storeError.ts'

const postgres = ownPostgres()

let dataDir: string
let url: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stack-data-'))
  url = await postgres.createDatabase()
})
const opened: Store[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function open(address = url): Promise<Store> {
  const store = await openStore({ url: address, dataDir })
  opened.push(store)
  return store
}

const records = collection<{ id: string }>('services')
const write = (store: Store, id: string) => store.write((transaction) => records.insert(transaction, { id }))
const idsOf = async (store: Store) => (await records.all(store)).map(({ id }) => id)

describe('several stacks on one database', () => {
  test('start concurrently and share their data', async () => {
    const identities = await Promise.all(Array.from({ length: 4 }, async () => firstStart(await open(), firstContent)))
    expect(new Set(identities.map((identity) => JSON.stringify(identity))).size).toBe(1)
  })

  test('write one after the other, so that checks still hold at the commit', async () => {
    const stores = [await open(), await open()]
    const takeName = (store: Store, id: string) =>
      store.write(async (transaction) => {
        if ((await records.count(transaction)) > 0) return
        await delay(20)
        await records.insert(transaction, { id })
      })
    await Promise.all([...stores, ...stores].map((store, at) => takeName(store, String(at))))
    expect(await records.count(stores[0] ?? (await open()))).toBe(1)
  })

  test('do not wait forever for one that holds a lock', async () => {
    const [holder, other] = [await open(), await open()]
    let release = () => {}
    const free = new Promise<void>((resolve) => (release = resolve))
    let held = Promise.resolve()
    await new Promise<void>((begun) => {
      held = holder.write(() => {
        begun()
        return free
      })
    })
    await expect(write(other, 'a')).rejects.toThrow(
      new StoreError('refused', 'The PostgreSQL server of DATABASE_URL is busy with other writes.'),
    )
    release()
    await held
    await write(other, 'b')
    expect(await idsOf(holder)).toEqual(['b'])
  })
})

test('a failed statement stores nothing, even if the work continues', async () => {
  const store = await open()
  const careless = store.write(async (transaction) => {
    await records.insert(transaction, { id: 'a' })
    await transaction.run('NOT SQL').catch(() => {})
  })
  await expect(careless).rejects.toMatchObject({ name: 'StoreError', outcome: 'refused' })
  expect(await idsOf(store)).toEqual([])
})

test('commits wait for the disk even if the server is configured not to', async () => {
  await postgres.server.sql(`ALTER DATABASE ${url.split('/').at(-1)} SET synchronous_commit = off`)
  const store = await open()
  const [row] = await store.write((transaction) => transaction.rows('SHOW synchronous_commit'))
  expect(row).toEqual({ synchronous_commit: 'on' })
})

const ways: BreakableProxy[] = []
afterEach(() => {
  for (const way of ways.splice(0)) way.close()
})
async function breakable(): Promise<BreakableProxy> {
  const way = await breakableProxy(url)
  ways.push(way)
  return way
}

describe('broken connection', () => {
  test('rolls back uncommitted writes, reports unknown outcomes, and reconnects', async () => {
    const way = await breakable()
    const store = await open(way.url)
    way.breakAt('INSERT', 'cut')
    await expect(write(store, 'a')).rejects.toMatchObject({ name: 'StoreError', outcome: 'refused' })
    way.breakAt('COMMIT\0', 'cut')
    await expect(write(store, 'b')).rejects.toMatchObject({ name: 'StoreError', outcome: 'unknown' })
    way.heal()
    await write(store, 'c')
    // The cut commit had reached the server.
    await expect.poll(() => idsOf(store)).toEqual(['b', 'c'])
  })

  test('without a response times out, in a read and in a write', { timeout: 60_000 }, async () => {
    const way = await breakable()
    const store = await open(way.url)
    const silent = 'The PostgreSQL server of DATABASE_URL cannot be reached (timeout).'
    way.breakAt('SELECT', 'hang')
    const outcomes = await Promise.allSettled([records.all(store), write(store, 'a')])
    const given = { status: 'rejected', reason: new StoreError('refused', silent) }
    expect(outcomes).toEqual([given, given])
    way.heal()
    await write(store, 'b')
    expect(await idsOf(store)).toEqual(['b'])
  })
})

test('to a stopped server is reported, and reconnects when the server is back', async () => {
  const store = await open()
  await write(store, 'a')
  await postgres.server.stop()
  const gone = 'The PostgreSQL server of DATABASE_URL cannot be reached (ECONNREFUSED).'
  await expect(records.all(store)).rejects.toThrow(new StoreError('refused', gone))
  await expect(write(store, 'b')).rejects.toThrow(new StoreError('refused', gone))
  await expect(openStore({ url, dataDir })).rejects.toThrow(new StoreError('refused', gone))
  await postgres.server.start()
  await write(store, 'c')
  expect(await idsOf(store)).toEqual(['a', 'c'])
})

test('gives clients 503 if nothing changed, 504 if the outcome is unknown, and recovers', async () => {
  const way = await breakable()
  const stack = await startTestStack({ databaseUrl: way.url })
  const create = (name: string) => stack.openSource('POST', '/dashboards', { name, tiles: [] })
  way.breakAt('INSERT', 'cut')
  expect(await create('lost')).toMatchObject({
    status: 503,
    json: { message: expect.stringMatching(/^The PostgreSQL server of DATABASE_URL cannot be reached/) },
  })
  way.breakAt('COMMIT\0', 'cut')
  expect(await create('kept')).toMatchObject({
    status: 504,
    json: { message: expect.stringMatching(/It is unknown whether the change was saved\.$/) },
  })
  way.heal()
  const names = async () =>
    (await stack.openSource('GET', '/dashboards')).json.data.map(({ name }: { name: string }) => name)
  await expect.poll(names).toEqual(['kept', 'First'])
  await postgres.server.stop()
  expect((await stack.openSource('GET', '/dashboards')).status).toBe(503)
  await postgres.server.start()
  expect((await create('later')).status).toBe(200)
  await stack.close()
})

/** Runs a command as the server's own user, in its data folder. */
const asServer = (command: string) => postgres.server.sql(`COPY (SELECT 1) TO PROGRAM '${command}'`)

test('connects by socket', async () => {
  const { pathname, port } = new URL(url)
  const store = await open(`postgres://${pathname}?host=${postgres.folder}&port=${port}&user=stack`)
  expect(await store.rows('SELECT inet_client_addr() AS address')).toEqual([{ address: null }])
})

describe('encrypted connections', () => {
  beforeAll(async () => {
    await asServer(
      'openssl req -x509 -newkey rsa:2048 -nodes -keyout server.key -out server.crt -days 2 -subj /CN=stack -addext subjectAltName=IP:127.0.0.1 2>/dev/null',
    )
  })
  const encrypted = async (parameters: string) => {
    const [row] = await (
      await open(`${url}?${parameters}`)
    ).rows('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
    return row?.['ssl']
  }

  test('report a server without encryption', async () => {
    await expect(encrypted('sslmode=require')).rejects.toThrow('cannot be reached (no TLS support)')
  })

  test('are used if the URL requires them', async () => {
    await postgres.server.sql('ALTER SYSTEM SET ssl = on')
    await postgres.server.stop()
    await postgres.server.start()
    const certificate = join(postgres.folder, 'data', 'server.crt')
    expect(await encrypted('sslmode=disable')).toBe(false)
    expect(await encrypted('sslmode=require')).toBe(true)
    expect(await encrypted(`sslmode=verify-full&sslrootcert=${certificate}`)).toBe(true)
    await expect(encrypted('sslmode=verify-full')).rejects.toThrow(/cannot be reached \(.*SELF_SIGNED/)
  })

  test.each([
    ['sslmode=prefer', 'DATABASE_URL: sslmode must be disable, require, verify-ca or verify-full.'],
    ['sslmode=verify-ca', 'DATABASE_URL: verify-ca needs sslrootcert.'],
    ['sslmode=require&sslrootcert=/none', 'DATABASE_URL: a certificate or key cannot be read (ENOENT).'],
  ])('report %s', async (parameters, message) => {
    await expect(encrypted(parameters)).rejects.toThrow(new StoreError('refused', message))
  })
})

test('no error contains the password', async () => {
  const password = 'a-password-of-the-database'
  await asServer('sed -i "1i host all locked 127.0.0.1/32 scram-sha-256" pg_hba.conf')
  await postgres.server.sql(`CREATE ROLE locked LOGIN PASSWORD 'another'`)
  await postgres.server.sql('SELECT pg_reload_conf()')
  const withPassword = (change: (address: URL) => void) => {
    const address = new URL(url)
    Object.assign(address, { username: 'locked', password })
    change(address)
    return address.href
  }
  const failing = {
    'rejected the password': withPassword(() => {}),
    'cannot be reached (ECONNREFUSED)': withPassword((address) => (address.port = '1')),
    'cannot be reached (ENOTFOUND)': withPassword((address) => (address.hostname = 'nowhere.invalid')),
    'cannot be read (ENOENT)': withPassword((address) => (address.search = 'sslmode=verify-full&sslcert=/none')),
  }
  for (const [message, address] of Object.entries(failing)) {
    const error: unknown = await openStore({ url: address, dataDir }).catch((error: unknown) => error)
    expect(String(error)).toContain(message)
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(password)
  }
})
