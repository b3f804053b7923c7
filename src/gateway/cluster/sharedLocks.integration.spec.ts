/** Locks of records between consoles on one PostgreSQL database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseRevisionHeader } from '#contract/wire/gatewayWire.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { openDatabase, type Database } from '../database/database.ts'
import { newAlert, startTestGateway } from '../testing/testGateway.ts'
import { startMemoryUpstream } from '../testing/memoryUpstream.ts'
import { SharedLocks } from './sharedLocks.ts'

const names = ['one', 'other', 'third']
let database: Database
beforeAll(async () => {
  database = await openDatabase('/nowhere', await newDatabase())
  for (const id of names) await database.write({ sql: 'INSERT INTO consoles (id, beat) VALUES (?, 0)', args: [id] })
}, 60_000)
afterAll(() => database.close())

const locksOf = (owner: string, maxWait?: number) =>
  new SharedLocks({ database, owner, onError: () => {}, ...(maxWait !== undefined && { maxWait }) })

test('one of all consoles holds a lock at a time, and everybody gets it', async () => {
  const consoles = names.map((name) => locksOf(name))
  let holders = 0
  const most: number[] = []
  const tasks = Array.from({ length: 30 }, (_, at) =>
    consoles[at % 3]!.hold('record', async () => {
      most.push(++holders)
      await sleep(Math.random() * 10)
      holders -= 1
    }),
  ) // there are three
  await Promise.all(tasks)
  expect(most).toEqual(Array.from({ length: 30 }, () => 1))
  expect(await database.rows('SELECT name FROM record_locks')).toEqual([])
})

test('the lock of a console that works is waited for, and the one of a console that ended is taken', async () => {
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  const holding = locksOf('one').hold('left', () => held)
  await expect.poll(() => database.rows('SELECT owner FROM record_locks')).toEqual([{ owner: 'one' }])
  await expect(locksOf('other', 100).hold('left', async () => 'held')).rejects.toThrow('still writing this record')
  await database.write({ sql: "DELETE FROM consoles WHERE id = 'one'" })
  expect(await locksOf('other').hold('left', async () => 'held')).toBe('held')
  release()
  await holding
})

test(
  'of two saves on two consoles that start from the same revision, one is refused',
  { timeout: 60_000 },
  async () => {
    const upstream = await startMemoryUpstream('d')
    const shared = { databaseUrl: await newDatabase(), secret: 'the-same-secret-for-both-consoles-31' }
    const [one, other] = await Promise.all([startTestGateway(upstream, shared), startTestGateway(upstream, shared)])
    await upstream.records.create('alerts', newAlert)
    const [id = ''] = upstream.records.records.alerts.keys()
    const path = `/api/c/oss/stack/alerts/${id}`
    for (let round = 0; round < 10; round++) {
      const base = String((await one.call('GET', path)).json['revision'])
      const save = (on: typeof one, threshold: number) =>
        on.call('PUT', path, { ...newAlert, threshold }, { [baseRevisionHeader]: base })
      const saves = await Promise.all([save(one, 2 * round + 1), save(other, 2 * round + 2)])
      expect(saves.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    }
    await Promise.all([one.close(), other.close()])
    await upstream.close()
  },
)
