import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { collection } from './collection.ts'
import { readSetting, writeSetting } from './settings.ts'
import { openStore, type Store } from './store.ts'

let folder: string
let file: string
let store: Store

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store test-'))
  file = join(folder, 'a', 'stack.db')
  store = await openStore({ file })
})
afterEach(async () => {
  store.close()
  await rm(folder, { recursive: true, force: true })
})

const things = collection<{ id: string; name: string }>('webhooks')
const thing = (id: string) => ({ id, name: `name of ${id}` })

describe('a write', () => {
  test('is kept as a whole, or not at all', async () => {
    await expect(
      store.write(async (transaction) => {
        await things.insert(transaction, thing('a'))
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await things.count(store)).toBe(0)
    await store.write((transaction) => things.insert(transaction, thing('b')))
    expect(await things.all(store)).toEqual([thing('b')])
  })

  test('waits for the writes before it, and sees what they did', async () => {
    const seen: number[] = []
    const write = (id: string) =>
      store.write(async (transaction) => {
        seen.push(await things.count(transaction))
        await delay(5)
        await things.insert(transaction, thing(id))
      })
    await Promise.all(['a', 'b', 'c', 'd'].map(write))
    expect(seen).toEqual([0, 1, 2, 3])
  })

  test('that fails does not stop the ones after it', async () => {
    const failing = store.write((transaction) => transaction.run('NOT SQL'))
    const next = store.write((transaction) => things.insert(transaction, thing('a')))
    await expect(failing).rejects.toThrow()
    await next
    expect(await things.count(store)).toBe(1)
  })

  test('under way is not seen by a reader', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const write = store.write(async (transaction) => {
      await things.insert(transaction, thing('a'))
      await held
    })
    await delay(20)
    expect(await things.count(store)).toBe(0)
    release()
    await write
    expect(await things.count(store)).toBe(1)
  })
})

describe('a collection', () => {
  test('is in the order of creation, page by page', async () => {
    for (const id of ['c', 'a', 'b']) await things.insert(store, thing(id))
    await things.update(store, { id: 'c', name: 'later' })
    expect((await things.all(store)).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
    expect((await things.list(store, { limit: 1, offset: 1 })).text).toBe(JSON.stringify([thing('a')]))
    expect((await things.list(store, { limit: 5, offset: 9 })).text).toBe('[]')
    expect(await things.get(store, 'c')).toEqual({ id: 'c', name: 'later' })
  })

  test('knows what is not there', async () => {
    expect(await things.get(store, 'a')).toBeUndefined()
    expect(await things.delete(store, 'a')).toBe(false)
    await things.insert(store, thing('a'))
    expect(await things.delete(store, 'a')).toBe(true)
  })

  test('never takes a value for a statement', async () => {
    const id = `'); DROP TABLE webhooks; --`
    await things.insert(store, thing(id))
    expect(await things.get(store, id)).toEqual(thing(id))
  })
})

test('everything is there after opening again, for this user alone', async () => {
  await writeSetting(store, 'x', { a: [1] })
  await writeSetting(store, 'x', { a: [2] })
  store.close()
  store = await openStore({ file })
  expect(await readSetting(store, 'x', z.object({ a: z.array(z.number()) }))).toEqual({ a: [2] })
  expect(await readSetting(store, 'y', z.unknown())).toBeUndefined()
  expect((await stat(file)).mode & 0o077).toBe(0)
})

test('a file of a newer version is left alone', async () => {
  await store.run('INSERT INTO migrations VALUES (999)')
  store.close()
  await expect(openStore({ file })).rejects.toThrow('newer version')
})
