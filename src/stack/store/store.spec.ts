/** Behavior of both backends. Behavior of one is in `storeFile.spec.ts` and `storeServer.integration.spec.ts`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { collection } from './collection.ts'
import { readSetting, writeSetting } from './storeSettings.ts'
import { openStore, type Store, type StoreTarget } from './store.ts'

let folder: string
let store: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const places: { where: string; fresh(): Promise<StoreTarget> }[] = [
  { where: 'in a file', fresh: async () => ({ file: join(folder, 'a', 'stack.db') }) },
  {
    where: 'on a PostgreSQL server',
    fresh: async () => ({ url: await newDatabase(), dataDir: folder }),
  },
]

const records = collection<{ id: string; name: string }>('dashboards', {
  order: 'name DESC, seq',
  columns: ({ name }) => ({ name }),
})
const hooks = collection<{ id: string; url: string; name: string }>('webhooks')
const record = (id: string) => ({ id, name: 'name' })
const hook = (id: string) => ({ id, url: `https://one.example/${id}`, name: `name of ${id}` })

describe.each(places)('records $where', ({ fresh }) => {
  let target: StoreTarget
  const reopen = async () => {
    await store.close()
    store = await openStore(target)
  }
  beforeEach(async () => {
    target = await fresh()
    store = await openStore(target)
  })
  afterEach(() => store.close())

  describe('write', () => {
    test('is stored completely or not at all', async () => {
      await expect(
        store.write(async (transaction) => {
          await records.insert(transaction, record('a'))
          throw new Error('no')
        }),
      ).rejects.toThrow('no')
      expect(await records.count(store)).toBe(0)
      await store.write((transaction) => records.insert(transaction, record('b')))
      expect(await records.all(store)).toEqual([record('b')])
    })

    test('waits for earlier writes and sees their changes', async () => {
      const seen: number[] = []
      const write = (id: string) =>
        store.write(async (transaction) => {
          seen.push(await records.count(transaction))
          await delay(5)
          await records.insert(transaction, record(id))
        })
      await Promise.all(['a', 'b', 'c', 'd'].map(write))
      expect(seen).toEqual([0, 1, 2, 3])
    })

    test('does not stop later writes if it fails', async () => {
      const failing = store.write((transaction) => transaction.run('NOT SQL'))
      const next = store.write((transaction) => records.insert(transaction, record('a')))
      await expect(failing).rejects.toThrow()
      await next
      expect(await records.count(store)).toBe(1)
    })

    test('is not visible to readers before its end', async () => {
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      const write = store.write(async (transaction) => {
        await records.insert(transaction, record('a'))
        await held
      })
      await delay(20)
      expect(await records.count(store)).toBe(0)
      release()
      await write
      expect(await records.count(store)).toBe(1)
    })
  })

  describe('collection', () => {
    test('lists records in the order of creation, page by page', async () => {
      for (const id of ['c', 'a', 'b']) await hooks.insert(store, hook(id))
      await hooks.update(store, { ...hook('c'), name: 'later' })
      expect((await hooks.all(store)).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
      const page = await hooks.list(store, { limit: 1, offset: 1 })
      expect(JSON.parse(page.text)).toEqual([hook('a')])
      expect((await hooks.list(store, { limit: 5, offset: 9 })).text).toBe('[]')
      expect(await hooks.get(store, 'c')).toEqual({ ...hook('c'), name: 'later' })
    })

    test('sorts text by bytes', async () => {
      const names = ['b', 'B', 'a', 'Ä', 'ä', 'z', '_', 'a b', 'ab']
      for (const name of names) await records.insert(store, { id: name, name })
      const sorted = (await records.all(store)).map(({ name }) => name)
      expect(sorted).toEqual(['ä', 'Ä', 'z', 'b', 'ab', 'a b', 'a', '_', 'B'])
    })

    test('reports missing records', async () => {
      expect(await records.get(store, 'a')).toBeUndefined()
      expect(await records.delete(store, 'a')).toBe(false)
      await records.insert(store, record('a'))
      expect(await records.delete(store, 'a')).toBe(true)
    })

    test('never executes a value as a statement', async () => {
      const id = `'); DROP TABLE webhooks; -- ? $1`
      await records.insert(store, record(id))
      expect(await records.get(store, id)).toEqual(record(id))
    })

    test('stores any text', async () => {
      const name = `\0 \u0001 \uD800 ✓ 😀 \\ " ' ${'long '.repeat(1000)}`
      await records.insert(store, { id: 'a', name })
      expect(await records.get(store, 'a')).toEqual({ id: 'a', name })
      expect(await records.get(store, 'a\0')).toBeUndefined()
    })
  })

  test('returns numbers and sums as numbers, large ones too', async () => {
    const large = 2 ** 52 + 1
    await store.run(
      'INSERT INTO pipe_totals (pipe_id, target_database, target_table, rows, bytes) VALUES (?, ?, ?, ?, ?)',
      ['p', 'd', 't', large, 1],
    )
    const [row] = await store.rows('SELECT sum(rows) AS rows, count(*) AS total, max(bytes) AS bytes FROM pipe_totals')
    expect(row).toEqual({ rows: large, total: 1, bytes: 1 })
  })

  test('keeps everything over a reopen', async () => {
    await writeSetting(store, 'x', { a: [1] })
    await writeSetting(store, 'x', { a: [2] })
    await hooks.insert(store, hook('a'))
    await reopen()
    expect(await readSetting(store, 'x', z.object({ a: z.array(z.number()) }))).toEqual({ a: [2] })
    expect(await readSetting(store, 'y', z.unknown())).toBeUndefined()
    expect(await hooks.get(store, 'a')).toEqual(hook('a'))
  })

  test('does not open the data of a newer version', async () => {
    await store.run('INSERT INTO migrations VALUES (999)')
    await expect(openStore(target)).rejects.toThrow('newer version')
  })
})

test('both have the same tables and columns', async () => {
  const [file, postgres] = await Promise.all(places.map(async ({ fresh }) => openStore(await fresh())))
  const inFile = await file?.rows(
    "SELECT m.name AS t, c.name AS c FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'",
  )
  const onServer = await postgres?.rows(
    "SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = 'public'",
  )
  const named = (rows: typeof inFile) => rows?.map(({ t, c }) => `${String(t)}.${String(c)}`).toSorted()
  expect(named(onServer)).toEqual(named(inFile))
  await Promise.all([file?.close(), postgres?.close()])
})
