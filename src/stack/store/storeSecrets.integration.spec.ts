/** Secrets of webhooks, pipes and the stack itself are in no file of the database, and in no dump of it. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { createIdentity, readIdentity, type Identity } from './identity.ts'
import type { PipeDocument } from '../pipes/model/pipeDocument.ts'
import { pipeRows } from '../pipes/model/pipeRows.ts'
import { newPipe } from '../pipes/model/newPipe.ts'
import { newWebhook, webhookRows, type WebhookDocument } from '../documents/webhookRows.ts'
import { dumpOf } from '#node/testing/postgresProcess.ts'
import { newDatabase, ownPostgres } from '#node/testing/testPostgres.ts'
import { fileSteps } from '#node/database/migrations.ts'
import { migrations } from './migrations.ts'
import { openStore, type Store } from './store.ts'
import { program } from '#node/testing/program.ts'

/** Texts that only the stack can read. */
const hidden = [
  'token-of-the-path',
  'token-of-the-query',
  'value-of-the-header',
  'value-of-the-parameter',
  'key-in-the-body',
  'kafka-private-key',
  'registry-password',
  'storage-secret-key',
  'storage-signature',
  'postgres-password',
]

const webhook = newWebhook({
  name: 'Hook',
  service: 'generic',
  url: 'https://hooks.example/token-of-the-path?key=token-of-the-query',
  headers: { 'X-Key': 'value-of-the-header' },
  queryParams: { key: 'value-of-the-parameter' },
  body: '{"routing_key": "key-in-the-body"}',
})
const sources = {
  kafka: {
    type: 'kafka',
    brokers: 'broker.example:9092',
    authentication: 'MUTUAL_TLS',
    credentials: { certificate: 'pem', privateKey: 'kafka-private-key' },
    schemaRegistry: { url: 'https://registry.example', credentials: { username: 'u', password: 'registry-password' } },
  },
  objectStorage: {
    type: 's3',
    url: 'https://files.example/*.csv?signature=storage-signature',
    accessKey: { accessKeyId: 'id', secretKey: 'storage-secret-key' },
  },
  postgres: { host: 'db.example', credentials: { username: 'u', password: 'postgres-password' } },
}
const pipes = Object.entries(sources).map(([kind, arm]) => {
  const input = { name: kind, source: { [kind]: arm }, destination: { database: 'default' } }
  return newPipe('service', input as unknown as PipeCreate, '2026-01-01T00:00:00Z') // omits fields that are not secret
})

const keysOf = ({ personalAccessKey, ingestionKey, keySecret }: Identity) => [
  personalAccessKey,
  ingestionKey,
  keySecret,
]

let folder: string
/** Only this spec writes into its files. */
const postgres = ownPostgres()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sealed-'))
})
const opened: Store[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(target: Parameters<typeof openStore>[0]): Promise<Store> {
  const store = await openStore(target)
  opened.push(store)
  return store
}

async function fill(store: Store): Promise<Identity> {
  return store.write(async (transaction) => {
    await webhookRows.insert(transaction, webhook)
    for (const pipe of pipes) await pipeRows.insert(transaction, pipe)
    return createIdentity(transaction)
  })
}

async function expectAll(store: Store, identity: Identity): Promise<void> {
  expect(await webhookRows.all(store)).toEqual([webhook])
  expect(await webhookRows.get(store, webhook.id)).toEqual(webhook)
  expect(await pipeRows.all(store)).toEqual(pipes)
  expect(await readIdentity(store)).toEqual(identity)
}

/** Which of the texts are in a file of a folder, however deep. A file that is removed meanwhile has none. */
async function found(path: string, texts: readonly string[]): Promise<string[]> {
  const files = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const contents = await Promise.all(files.map((file) => readIfKept(join(file.parentPath, file.name))))
  return texts.filter((text) => contents.some((content) => content.includes(text)))
}

/** The engine removes the log of a file some time after the last connection to it has ended. */
async function readIfKept(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0) // Node throws no other errors here
    throw error
  }
}

test('a file and its log contain no secret', async () => {
  const file = join(folder, 'stack.db')
  const store = await open({ file })
  const identity = await fill(store)
  await webhookRows.update(store, webhook)
  expect(existsSync(`${file}-wal`)).toBe(true)
  expect(await found(folder, ['Hook', 'broker.example:9092'])).toHaveLength(2)
  expect(await found(folder, [...hidden, ...keysOf(identity)])).toEqual([])
  await store.close()
  expect(await found(folder, [...hidden, ...keysOf(identity)])).toEqual([])
  await expectAll(await open({ file }), identity)
})

test('a PostgreSQL server has no secret in its files, log and dumps', async () => {
  const target = { url: await postgres.createDatabase(), dataDir: folder }
  const store = await open(target)
  const identity = await fill(store)
  await postgres.server.sql('CHECKPOINT')
  expect(await found(join(postgres.folder, 'data'), ['broker.example:9092'])).toHaveLength(1)
  expect(await found(join(postgres.folder, 'data'), [...hidden, ...keysOf(identity)])).toEqual([])
  const dump = dumpOf(target.url)
  expect(dump).toContain('broker.example:9092')
  expect([...hidden, ...keysOf(identity)].filter((text) => dump.includes(text))).toEqual([])
  await expectAll(await open(target), identity)
})

test('an encrypted value can be decrypted in its own row only', async () => {
  const store = await open({ file: join(folder, 'stack.db') })
  await fill(store)
  const other = { ...webhook, id: 'other' }
  await webhookRows.insert(store, other)
  await store.run(`UPDATE webhooks SET sealed = (SELECT sealed FROM webhooks WHERE id = ?) WHERE id = ?`, [
    webhook.id,
    other.id,
  ])
  await expect(webhookRows.get(store, other.id)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('another record') },
  })
  expect(await webhookRows.get(store, webhook.id)).toEqual(webhook)
})

describe('wrong key', () => {
  const contents = async () => {
    const client = createClient({ url: pathToFileURL(join(folder, 'stack.db')).href })
    const { rows } = await client.execute('SELECT name, value FROM settings')
    client.close()
    return { settings: rows.map((row) => ({ ...row })), files: readdirSync(folder).toSorted() }
  }
  const secret = 'a long enough secret'

  test.each([
    { made: {}, given: { secret }, named: 'with the stack.key of a DATA_DIR' },
    { made: { secret }, given: { secret: 'another long secret' }, named: 'another STACK_SECRET' },
    { made: { secret }, given: {}, named: 'there is none' },
  ])('$given instead of $made is rejected in one line, and changes nothing', async ({ made, given, named }) => {
    const file = join(folder, 'stack.db')
    await (await openStore({ file, ...made })).close()
    const before = await contents()
    await expect(openStore({ file, ...given })).rejects.toThrow(named)
    expect(await contents()).toEqual(before)
    await open({ file, ...made })
  })

  test('is not created in place of a lost or damaged one', async () => {
    const file = join(folder, 'stack.db')
    await (await openStore({ file })).close()
    await rm(join(folder, 'stack.key'))
    await expect(openStore({ file })).rejects.toThrow('there is none')
    expect(existsSync(join(folder, 'stack.key'))).toBe(false)
  })

  test('is not needed where machines share a secret', async () => {
    const url = await newDatabase()
    const at = (machine: string) => ({ url, dataDir: join(folder, machine), secret })
    const identity = await fill(await open(at('one')))
    await expectAll(await open(at('two')), identity)
    await expect(openStore({ ...at('three'), secret: undefined })).rejects.toThrow('a STACK_SECRET')
  })
})

/** A folder as the version before left it: everything in the clear, some of it changed and deleted. */
async function makeOldFolder(folder: string, identity: object): Promise<void> {
  const client = createClient({ url: pathToFileURL(join(folder, 'stack.db')).href })
  await client.execute('PRAGMA journal_mode = WAL')
  await client.execute('CREATE TABLE migrations (version INTEGER PRIMARY KEY)')
  for (const [at, sql] of fileSteps(migrations).slice(0, 3).entries()) {
    await client.executeMultiple(sql)
    await client.execute({ sql: 'INSERT INTO migrations VALUES (?)', args: [at + 1] })
  }
  const insertHook = (document: WebhookDocument) =>
    client.execute({
      sql: 'INSERT INTO webhooks (id, document) VALUES (?, ?)',
      args: [document.id, JSON.stringify(document)],
    })
  const insertPipe = (document: PipeDocument) =>
    client.execute({
      sql: 'INSERT INTO pipes (id, service_id, document) VALUES (?, ?, ?)',
      args: [document.id, document.serviceId, JSON.stringify(document)],
    })
  await insertHook({ ...webhook, id: 'deleted' })
  await insertHook(webhook)
  for (const pipe of pipes) await insertPipe(pipe)
  await client.execute("DELETE FROM webhooks WHERE id = 'deleted'")
  await client.execute({
    sql: "INSERT INTO alerts (id, document) VALUES ('alert', ?)",
    args: [JSON.stringify({ id: 'alert', channel: { type: 'webhook', webhookId: webhook.id } })],
  })
  await client.execute({ sql: "INSERT INTO settings VALUES ('identity', ?)", args: [JSON.stringify(identity)] })
  client.close()
}

describe('data directory of the previous version', () => {
  const identity: Identity = {
    teamId: 'team',
    organizationId: 'organization',
    serviceId: 'service',
    connectionId: 'connection',
    personalAccessKey: 'old-access-key',
    ingestionKey: 'old-ingestion-key',
    keyId: 'old-key-id',
    keySecret: 'old-key-secret',
    createdAt: '2026-01-01T00:00:00Z',
  }
  const all = [...hidden, ...keysOf(identity)]
  test('is encrypted by the next start, without data loss or plaintext on the disk', async () => {
    await makeOldFolder(folder, identity)
    expect(await found(folder, all)).toEqual(all)
    const store = await open({ file: join(folder, 'stack.db') })
    expect(await found(folder, all)).toEqual([])
    await expectAll(store, identity)
    expect(await store.rows('SELECT webhook_id FROM alerts')).toEqual([{ webhook_id: webhook.id }])
  })

  test('is encrypted by a later start if one was killed at any moment', { timeout: 120_000 }, async () => {
    let kills = 0
    for (let step = 1; ; step++) {
      const old = join(folder, String(step))
      await mkdir(old)
      await makeOldFolder(old, identity)
      const killed = openKilledAt(step, old)
      const store = await openStore({ file: join(old, 'stack.db') })
      await expectAll(store, identity)
      expect(await found(old, all), `killed at ${step}`).toEqual([])
      await store.close()
      if (!killed) break
      kills++
    }
    expect(kills).toBeGreaterThanOrEqual(10)
  })
})

const worker = program(join(import.meta.dirname, '../testing/secretsWorker.ts'))

/** Opens the folder in a process that is killed right before its nth request to the database. */
function openKilledAt(step: number, dataDir: string): boolean {
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [...worker.execArgv, worker.file, String(step), dataDir],
    { encoding: 'utf8' },
  )
  if (signal !== 'SIGKILL') expect(status, stderr).toBe(0)
  return signal === 'SIGKILL'
}
