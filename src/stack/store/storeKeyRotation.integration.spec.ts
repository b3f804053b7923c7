import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createIdentity, readIdentity } from './identity.ts'
import { newWebhook, webhookRows } from '../documents/webhookRows.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { hasRecords, rotateStoreKey } from './storeKeyRotation.ts'
import { openStore, type StoreTarget } from './store.ts'

const webhook = newWebhook({ name: 'Hook', service: 'generic', url: 'https://hooks.example/token' })
const first = 'the first long secret'
const second = 'the second long secret'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rotation-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const inFile = async (): Promise<StoreTarget> => ({ file: join(folder, 'stack.db') })
const onServer = async (): Promise<StoreTarget> => ({ url: await newDatabase(), dataDir: folder })

async function fill(target: StoreTarget): Promise<object> {
  const store = await openStore(target)
  const identity = await store.write(async (transaction) => {
    await webhookRows.insert(transaction, webhook)
    return createIdentity(transaction)
  })
  await store.close()
  return identity
}

async function expectAll(target: StoreTarget, identity: object): Promise<void> {
  const store = await openStore(target)
  expect(await webhookRows.all(store)).toEqual([webhook])
  expect(await readIdentity(store)).toEqual(identity)
  await store.close()
}

const sealedTexts = async (target: StoreTarget) => {
  const store = await openStore(target)
  const rows = await store.rows('SELECT sealed FROM webhooks')
  await store.close()
  return rows.map(({ sealed }) => String(sealed))
}

describe.each([
  { where: 'in a file', fresh: inFile },
  { where: 'on a PostgreSQL server', fresh: onServer },
])('key rotation $where', ({ fresh }) => {
  test('re-encrypts all secrets with a new key file', async () => {
    const target = await fresh()
    const identity = await fill(target)
    const before = await readFile(join(folder, 'stack.key'), 'utf8')
    const [old] = await sealedTexts(target)
    expect(await rotateStoreKey(target)).toBe(2)
    expect(await readFile(join(folder, 'stack.key'), 'utf8')).not.toBe(before)
    expect(await sealedTexts(target)).not.toContain(old)
    await expectAll(target, identity)
  })

  test('to a secret, and to another, makes the previous key useless', async () => {
    const target = await fresh()
    const identity = await fill(target)
    await rotateStoreKey(target, first)
    expect(existsSync(join(folder, 'stack.key'))).toBe(false)
    await expect(openStore(target)).rejects.toThrow('a STACK_SECRET')
    await expectAll({ ...target, secret: first }, identity)
    await rotateStoreKey({ ...target, secret: first }, second)
    await expect(openStore({ ...target, secret: first })).rejects.toThrow('another STACK_SECRET')
    await expectAll({ ...target, secret: second }, identity)
  })
})

describe('interrupted key rotation', () => {
  test('keeps the old key in use before the records are re-encrypted', async () => {
    const identity = await fill(await inFile())
    const elsewhere = join(folder, 'elsewhere')
    await mkdir(elsewhere)
    await fill({ file: join(elsewhere, 'stack.db') })
    await rename(join(elsewhere, 'stack.key'), join(folder, 'stack.key.next'))
    await expectAll(await inFile(), identity)
    expect(existsSync(join(folder, 'stack.key.next'))).toBe(false)
  })

  test('is completed by the next start after that', async () => {
    const identity = await fill(await inFile())
    const old = await readFile(join(folder, 'stack.key'))
    await rotateStoreKey(await inFile())
    await rename(join(folder, 'stack.key'), join(folder, 'stack.key.next'))
    await writeFile(join(folder, 'stack.key'), old)
    await expectAll(await inFile(), identity)
    expect(existsSync(join(folder, 'stack.key.next'))).toBe(false)
  })
})

test('changes nothing without the current key', async () => {
  const identity = await fill(await inFile())
  await expect(rotateStoreKey({ ...(await inFile()), secret: first }, second)).rejects.toThrow('with the stack.key')
  await expectAll(await inFile(), identity)
})

test('has nothing to do in an unused data directory', async () => {
  expect(hasRecords(await inFile())).toBe(false)
})
