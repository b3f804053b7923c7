import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rememberReads } from './rememberedReads.ts'
import { openStore, type Store } from './store.ts'

let folder: string
let store: Store
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remembered-'))
  store = await openStore({ file: join(folder, 'stack.db') })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const valueOf = async (from: Store) => (await from.rows("SELECT value FROM settings WHERE name = 'x'"))[0]?.['value']
const write = (to: Store, value: number) =>
  to.run("INSERT INTO settings (name, value) VALUES ('x', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", [
    String(value),
  ])

test('while nothing is written, the database is asked once', async () => {
  const asked = vi.spyOn(store, 'rows')
  const watched = rememberReads(store)
  await write(store, 1)
  for (let times = 0; times < 5; times++) expect(await valueOf(watched)).toBe('1')
  expect(asked).toHaveBeenCalledTimes(1)
})

test('after each write, through either, the next read has it', async () => {
  const watched = rememberReads(store)
  for (let value = 0; value < 6; value++) {
    await write(value % 2 === 0 ? store : watched, value)
    expect(await valueOf(watched)).toBe(String(value))
  }
  await store.write(async (transaction) => {
    await transaction.run("DELETE FROM settings WHERE name = 'x'")
    expect(await transaction.rows("SELECT 1 FROM settings WHERE name = 'x'")).toEqual([])
  })
  expect(await valueOf(watched)).toBeUndefined()
})

test('reads that began before a write are not kept', async () => {
  const watched = rememberReads(store)
  for (let value = 0; value < 20; value++) {
    const [, early] = await Promise.all([write(store, value), valueOf(watched)])
    expect([undefined, String(value - 1), String(value)]).toContain(early)
    expect(await valueOf(watched)).toBe(String(value))
  }
})

test('a read that fails is tried again', async () => {
  const watched = rememberReads(store)
  await expect(watched.rows('SELECT 1 FROM later')).rejects.toThrow()
  await store.run('CREATE TABLE later (id INTEGER)')
  expect(await watched.rows('SELECT 1 FROM later')).toEqual([])
})
