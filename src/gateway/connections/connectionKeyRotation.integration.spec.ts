import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { UnusableState } from '#node/files/atomicFile.ts'
import { program } from '#node/testing/program.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { keyFile, openKey, seal } from '#node/secrets/vault.ts'
import { openDatabase, type Database } from '../database/database.ts'
import type { Order } from '../testing/keyRotationWorker.ts'
import { rotateKey } from './connectionKeyRotation.ts'
import { connectionRecord } from './connectionRecords.ts'
import { openKeys } from './consoleKeys.ts'
import { openConnections } from './openConnections.ts'

const secrets = { oss: 'personal-key-of-the-test-0001', managed: 'key-secret-of-the-test-0002' }
const [first, second] = ['the first console secret', 'the second console secret']
const dataKey = Buffer.alloc(32, 7)
const root = mkdtempSync(join(tmpdir(), 'rotations-'))
afterAll(() => rmSync(root, { recursive: true }))

/** URLs of the databases on the server, by folder. */
const urls = new Map<string, string>()

/** A folder as an earlier version has left it. */
function formerFolder(secret?: string, withDataKey = true): string {
  const dataDir = mkdtempSync(join(root, 'rotation-'))
  const key = openKey(dataDir, secret)
  const at = '2026-03-01T12:00:00.000Z'
  const common = { name: 'One', baseUrl: 'https://one.example', stage: 'staging', naming: 'neutral', revision: 'r1' }
  const times = { createdAt: at, updatedAt: at, allowPrivate: false, readOnly: false }
  const ids = { organizationId: 'o', serviceId: 's', keyId: 'id' }
  const connections = [
    {
      ...common,
      ...times,
      id: 'oss',
      variant: 'openSource',
      sealed: { accessKey: seal(key, ['oss', 'accessKey', common.baseUrl], secrets.oss) },
    },
    {
      ...common,
      ...times,
      ...ids,
      id: 'managed',
      variant: 'managed',
      sealed: { keySecret: seal(key, ['managed', 'keySecret', common.baseUrl], secrets.managed) },
    },
    { ...common, ...times, id: 'keyless', variant: 'openSource', sealed: {} },
  ]
  for (const connection of connections) connectionRecord.parse(connection)
  const sealed = withDataKey ? { dataKey: seal(key, ['data key'], dataKey.toString('base64url')) } : {}
  writeFileSync(join(dataDir, 'connections.json'), JSON.stringify({ connections, ...sealed }), { mode: 0o600 })
  return dataDir
}

/** A folder of this version. */
async function folder(secret?: string, kind: 'file' | 'server' = 'file'): Promise<string> {
  const dataDir = formerFolder(secret)
  if (kind === 'server') urls.set(dataDir, await newDatabase())
  await start(dataDir, secret)
  return dataDir
}

async function within<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(dataDir, urls.get(dataDir))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Opens as a start does. Throws if a stored secret does not open. */
const start = (dataDir: string, secret?: string) =>
  within(dataDir, async (database) => {
    const opened = await openConnections({ database, dataDir, secret })
    const { connections } = opened
    expect(connections.list().map(({ id }) => id)).toEqual(['oss', 'managed', 'keyless'])
    expect(JSON.stringify(connections.open('oss'))).toContain(secrets.oss)
    const basic = Buffer.from(`id:${secrets.managed}`).toString('base64')
    expect(JSON.stringify(connections.open('managed'))).toMatch(new RegExp(`${secrets.managed}|${basic}`))
    expect(Buffer.from(opened.dataKey)).toEqual(dataKey)
    return opened.key
  })

const rotate = (dataDir: string, secret?: string, newSecret?: string) =>
  within(dataDir, (database) => rotateKey({ database, dataDir, secret }, newSecret ?? secret))

const opens = (dataDir: string, secret?: string) =>
  start(dataDir, secret).then(
    () => true,
    () => false,
  )

/** The stored state: the files, and the rows that depend on the key. */
const contents = (dataDir: string) =>
  within(dataDir, async (database) => [
    ...readdirSync(dataDir)
      .filter((name) => !/^console\.(db|marker)/.test(name) && !name.endsWith('.next'))
      .map((name) => [name, readFileSync(join(dataDir, name), 'utf8')]),
    ...(await database.rows('SELECT id, record FROM connections ORDER BY id')),
    ...(await database.rows('SELECT name, value FROM console_keys ORDER BY name')),
  ])

describe.each(['file', 'server'] as const)('key rotation in a %s', (kind) => {
  test.each([
    ['of the key file', undefined, undefined],
    ['of the salt of a secret', first, undefined],
    ['to another secret', first, second],
    ['from the key file to a secret', undefined, second],
  ])('%s re-encrypts all secrets, and the old key opens none', async (_, secret, newSecret) => {
    const dataDir = await folder(secret, kind)
    const before = await start(dataDir, secret)
    const stored = JSON.stringify(await contents(dataDir))
    expect(stored).toContain(before.id)
    expect(await rotate(dataDir, secret, newSecret)).toBe(2)
    const kept = newSecret ?? secret
    expect((await start(dataDir, kept)).id).not.toBe(before.id)
    const records = await within(dataDir, async (database) => [
      ...(await database.rows('SELECT record FROM connections')),
      ...(await database.rows('SELECT value FROM console_keys')),
    ])
    expect(JSON.stringify(records)).not.toContain(before.id)
    if (newSecret) expect(await opens(dataDir, secret)).toBe(false)
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.next'))).toEqual([])
    if (kept) expect(existsSync(keyFile(dataDir))).toBe(false)
  })
})

test('a rotation changes nothing if a stored secret cannot be decrypted, and names the connection', async () => {
  const dataDir = await folder()
  await within(dataDir, (database) =>
    database.write({
      sql: "UPDATE connections SET record = replace(record, 'https://one.example', 'https://two.example')",
    }),
  )
  const before = await contents(dataDir)
  await expect(rotate(dataDir)).rejects.toThrow(/“One” cannot be decrypted/)
  expect(await contents(dataDir)).toEqual(before)
  await within(dataDir, (database) => openKeys({ database, dataDir }))
  expect(readdirSync(dataDir).filter((name) => name.endsWith('.next'))).toEqual([])
})

describe('start with a key that decrypts nothing', () => {
  const opening = (dataDir: string, secret?: string, seeded: readonly string[] = []) =>
    within(dataDir, (database) => openKeys({ database, dataDir, secret }, seeded))

  test.each([
    ['another secret', first, second, 'another CONSOLE_SECRET'],
    ['no secret', first, undefined, 'with a CONSOLE_SECRET'],
    ['a secret instead of the key file', undefined, first, 'with console.key'],
  ])(
    'with %s is refused and changes nothing, as is a rotation',
    { timeout: 60_000 },
    async (_, sealedBy, given, named) => {
      for (const dataDir of [formerFolder(sealedBy), await folder(sealedBy), await folder(sealedBy, 'server')]) {
        const before = await contents(dataDir)
        const error: unknown = await opening(dataDir, given).catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(UnusableState)
        expect(String(error)).toContain(named)
        await expect(rotate(dataDir, given)).rejects.toThrow(UnusableState)
        expect(await contents(dataDir)).toEqual(before)
        await start(dataDir, sealedBy)
      }
    },
  )

  test('continues if every stored secret can be entered again, and there is no history that would be lost', async () => {
    await expect(opening(formerFolder(), first, ['oss', 'managed'])).rejects.toThrow(UnusableState)
    const dataDir = formerFolder(undefined, false)
    await expect(opening(dataDir, first, ['oss'])).rejects.toThrow(UnusableState)
    await opening(dataDir, first, ['oss', 'managed'])
    await opening(dataDir, first)
  })
})

describe('connections.json of an earlier version', () => {
  const names = (dataDir: string) => readdirSync(dataDir).filter((name) => !/^console\.(db|marker)/.test(name))

  test.each([
    ['key file', undefined, ['connections.json.migrated', 'console.key']],
    ['secret', first, ['connections.json.migrated', 'console.salt.migrated']],
  ])('is taken over with its %s and kept aside', async (_, secret, files) => {
    const dataDir = formerFolder(secret)
    const key = openKey(dataDir, secret)
    const content = readFileSync(join(dataDir, 'connections.json'), 'utf8')
    expect(await start(dataDir, secret)).toEqual(key)
    expect(names(dataDir)).toEqual(files)
    const aside = join(dataDir, 'connections.json.migrated')
    expect(readFileSync(aside, 'utf8')).toBe(content)
    expect(statSync(aside).mode & 0o777).toBe(0o600)
    await start(dataDir, secret)
  })

  test('whose rotation was killed after the secrets were encrypted is taken over with the new salt', async () => {
    const dataDir = formerFolder(second)
    const salt = readFileSync(keyFile(dataDir, second), 'utf8')
    writeFileSync(`${keyFile(dataDir, second)}.next`, salt)
    writeFileSync(keyFile(dataDir, second), '00'.repeat(32))
    await start(dataDir, second)
    expect(readFileSync(join(dataDir, 'console.salt.migrated'), 'utf8')).toBe(salt)
  })

  test('is refused where the database has other connections, and where it is damaged', async () => {
    const dataDir = await folder()
    const before = await contents(dataDir)
    const path = join(dataDir, 'connections.json')
    writeFileSync(path, JSON.stringify({ connections: [] }))
    await expect(start(dataDir)).rejects.toThrow(/has connections already\. Move the file away to use those\.$/)
    writeFileSync(path, '{"connections": [')
    await expect(start(dataDir)).rejects.toThrow(/^\S+connections\.json is damaged\. [^\n]*$/)
    expect((await contents(dataDir)).filter((each) => !JSON.stringify(each).includes('connections.json"'))).toEqual(
      before,
    )
  })
})

/** Copied, because deriving the key from a secret takes longer than the rest of a folder. */
function copyOf(dataDir: string): string {
  const copy = mkdtempSync(join(root, 'rotation-'))
  cpSync(dataDir, copy, { recursive: true })
  return copy
}

const worker = program(join(import.meta.dirname, '../testing/keyRotationWorker.ts'))

/** @returns whether the process was killed before it was done */
function killed(order: Order): boolean {
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [...worker.execArgv, worker.file, JSON.stringify(order)],
    {
      encoding: 'utf8',
    },
  )
  if (signal !== 'SIGKILL') expect(status, stderr).toBe(0)
  return signal === 'SIGKILL'
}

test.each([
  ['of the key file', undefined, undefined],
  ['to another secret', first, second],
])(
  'rotation %s, killed at any moment, loses no secret and can be repeated',
  { timeout: 300_000 },
  async (_, secret, newSecret) => {
    let kills = 0
    const before = await folder(secret)
    for (let killAt = 1; ; killAt++) {
      const dataDir = copyOf(before)
      if (!killed({ work: 'rotate', killAt, dataDir, secret, newSecret })) break
      kills += 1
      // The next start has one of the two secrets: exactly one opens.
      const isFormer = await opens(dataDir, secret)
      if (newSecret) expect(await opens(dataDir, newSecret), `killed at ${killAt}`).toBe(!isFormer)
      const right = isFormer ? secret : newSecret
      await rotate(dataDir, right, newSecret)
      await start(dataDir, newSecret)
      expect(readdirSync(dataDir).filter((name) => name.endsWith('.next'))).toEqual([])
    }
    expect(kills).toBeGreaterThanOrEqual(7)
  },
)

test.each([
  ['the key file', undefined],
  ['a secret', first],
])('taking over with %s, killed at any moment, loses nothing', { timeout: 300_000 }, async (_, secret) => {
  let kills = 0
  const before = formerFolder(secret)
  for (let killAt = 1; ; killAt++) {
    const dataDir = copyOf(before)
    if (!killed({ work: 'open', killAt, dataDir, secret })) break
    kills += 1
    await start(dataDir, secret)
    expect(readdirSync(dataDir)).toContain('connections.json.migrated')
    expect(readdirSync(dataDir)).not.toContain('connections.json')
    await start(dataDir, secret)
  }
  expect(kills).toBeGreaterThanOrEqual(4)
})
