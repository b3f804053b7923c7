/** Runs of several consoles on one database: each belongs to one of them, and one at a time writes to a deployment. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { OwnWrites } from '../../cluster/ownWrites.ts'
import { openDatabase, type Database } from '../../database/database.ts'
import { SealedJson } from '../../database/sealedJson.ts'
import { RunStore } from './runStore.ts'

const sealed = new SealedJson(randomBytes(32))
const place = { deployment: 'openSource http://loopback:1/', origin: 'http://loopback:1/' }
const managed = { deployment: 'managed http://loopback:1/ o s', origin: 'http://loopback:1/' }
const elsewhere = { deployment: 'openSource http://loopback:2/', origin: 'http://loopback:2/' }
const details = { actor: 'Jana', personId: null, continueOnFailure: false }

let database: Database
let stores: Record<'one' | 'other' | 'third', RunStore>
beforeAll(async () => {
  database = await openDatabase('/nowhere', await newDatabase())
  const storeOf = (id: string) => new RunStore(new OwnWrites(database, id), sealed)
  stores = { one: storeOf('one'), other: storeOf('other'), third: storeOf('third') }
  for (const id of Object.keys(stores)) await enter(id)
}, 60_000)
afterAll(() => database.close())

const enter = (id: string) => database.write({ sql: 'INSERT INTO consoles (id, beat) VALUES (?, 0)', args: [id] })
const remove = (id: string) => database.write({ sql: 'DELETE FROM consoles WHERE id = ?', args: [id] })
const newRun = (id: string, at = place) => ({
  id,
  kind: 'promotion' as const,
  state: 'running' as const,
  connectionId: 'stack',
  startedAt: currentIsoTime(),
  details,
  place: at,
  steps: [],
})

test('only one of several consoles that start at once writes to a deployment, by whichever variant', async () => {
  const { one, other, third } = stores
  const starts = await Promise.allSettled([
    one.create([newRun('a')]),
    other.create([newRun('b')]),
    third.create([newRun('c', managed)]),
  ])
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(other.create([newRun('d', elsewhere)])).resolves.toBeUndefined()
  await database.write({ sql: "UPDATE runs SET state = 'done'" })
})

test('the run of a console that ended can be resumed once, and that console goes on with nothing', async () => {
  const { one, other, third } = stores
  await one.create([newRun('left')])
  await other.settleInterrupted()
  expect((await other.get('left'))?.state).toBe('running')
  await expect(other.resume('left', place, details)).rejects.toThrow('This run is under way or done by now.')
  await remove('one')
  await Promise.all([other.settleInterrupted(), third.settleInterrupted()])
  expect((await other.get('left'))?.state).toBe('interrupted')
  const resumed = await Promise.allSettled([other.resume('left', place, details), third.resume('left', place, details)])
  expect(resumed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const writes = await Promise.allSettled([
    one.begin('left', 0),
    one.setState('left', 'done', null),
    one.create([newRun('new', elsewhere)]),
  ])
  const replaced = expect.objectContaining({ message: expect.stringContaining('has taken the place of this one') })
  expect(writes).toEqual(writes.map(() => ({ status: 'rejected', reason: replaced })))
  expect((await other.get('left'))?.state).toBe('running')
})

test('a run that is stopped on another console is one that its own console stops', async () => {
  const { other, third } = stores
  await other.create([newRun('stopped', elsewhere)])
  await third.noteStopping('stopped')
  expect(await third.stopping()).toEqual([])
  expect(await other.stopping()).toEqual(['stopped'])
})
