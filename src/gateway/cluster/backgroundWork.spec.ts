import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '../database/database.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { Duties, Periodic } from './backgroundWork.ts'
import { OwnWrites } from './ownWrites.ts'

const minute = 60_000
let folder: string
let database: Database
let clock: number
let done: string[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'duties-'))
  database = await openTestDatabase(folder)
  clock = Date.UTC(2026, 0, 1)
  done = []
  for (const id of ['one', 'other']) {
    await database.write({ sql: 'INSERT INTO consoles (id, beat) VALUES (?, 0)', args: [id] })
  }
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

function dutiesOf(owner: string) {
  const onError = (error: unknown) => done.push(String(error))
  return new Duties({ ownWrites: new OwnWrites(database, owner), onError, now: () => clock })
}

const perform = (duties: Duties, by: string) => duties.perform('duty', minute, async () => void done.push(by))

test('is done by one console for all, once in an interval, also after a restart', async () => {
  const [one, other] = [dutiesOf('one'), dutiesOf('other')]
  expect(await perform(one, 'one'), 'the interval begins').toBe(false)
  clock += minute
  const all = await Promise.all([perform(one, 'a'), perform(other, 'b'), perform(one, 'c'), perform(other, 'd')])
  expect(all.filter(Boolean)).toHaveLength(1)
  expect(done).toHaveLength(1)
  clock += minute - 1
  expect(await perform(dutiesOf('one'), 'early')).toBe(false)
  clock += 1
  expect(await perform(dutiesOf('one'), 'next')).toBe(true)
  // The clock was set back by a day: at most, one more interval passes.
  clock -= 24 * 60 * minute
  expect(await perform(other, 'set back')).toBe(true)
})

test('is not begun again while a console does it, and taken over from one that has ended', async () => {
  const [one, other] = [dutiesOf('one'), dutiesOf('other')]
  await perform(one, 'one')
  clock += minute
  let end = () => {}
  const work = () => new Promise<void>((ended) => (end = ended))
  const performing = one.perform('duty', minute, work)
  await expect.poll(() => database.rows('SELECT owner FROM duties')).toEqual([{ owner: 'one' }])
  clock += 10 * minute
  expect(await perform(other, 'other')).toBe(false)
  await database.write({ sql: "DELETE FROM consoles WHERE id = 'one'" })
  expect(await perform(other, 'other')).toBe(true)
  end()
  await performing
  expect(await database.rows('SELECT owner, begun_at FROM duties')).toEqual([{ owner: null, begun_at: clock }])
})

test('is done again after it failed', async () => {
  const one = dutiesOf('one')
  await perform(one, 'one')
  clock += minute
  await expect(one.perform('duty', minute, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  clock += minute
  expect(await perform(one, 'again')).toBe(true)
})

const hour = 3_600_000

test('periodic work is never under way twice, begins again for whoever asked meanwhile, and ends with the console', async () => {
  const begun: (() => void)[] = []
  const presence = { isSure: true }
  const errors: unknown[] = []
  const work = () => new Promise<void>((done) => begun.push(done))
  const periodic = new Periodic({ presence, every: hour, work, onError: (error) => errors.push(error) })
  periodic.now()
  await vi.waitFor(() => expect(begun).toHaveLength(1), { timeout: 30_000 })
  periodic.now()
  periodic.now()
  expect(begun).toHaveLength(1)
  begun[0]?.()
  await vi.waitFor(() => expect(begun).toHaveLength(2), { timeout: 30_000 })
  // Another console may have taken the place of this one.
  presence.isSure = false
  periodic.now()
  begun[1]?.()
  await periodic.close()
  expect(begun).toHaveLength(2)
  presence.isSure = true
  periodic.now()
  await periodic.close()
  expect(begun).toHaveLength(2)
  expect(errors).toEqual([])
})

test('periodic work goes on after an error', async () => {
  const errors: unknown[] = []
  const work = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('once')).mockResolvedValue()
  const parts = { presence: { isSure: true }, every: 1, work, onError: (error: unknown) => errors.push(error) }
  const periodic = new Periodic(parts)
  await vi.waitFor(() => expect(work.mock.calls.length).toBeGreaterThan(1), { timeout: 30_000 })
  await periodic.close()
  expect(errors).toEqual([new Error('once')])
})
