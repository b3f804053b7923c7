/** Several stacks on one PostgreSQL database: who is there, and which one does a task. */
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { takeLease } from '../alerting/lease.ts'
import { openStore, type Store } from '../store/store.ts'
import { joinStacks, type Presence } from './presence.ts'
import { sharedTasks, TaskLost, type Tasks } from './tasks.ts'

const logger = pino({ level: 'silent' })
/** Milliseconds between two beats: others notice after some twelve of them. */
const interval = 100
const noticed = { timeout: 30_000, interval: 50 }

interface TestStack {
  store: Store
  presence: Presence
  tasks: Tasks
}

let url: string
let open: TestStack[] = []
beforeEach(async () => {
  url = await newDatabase()
})
afterEach(async () => {
  for (const { presence, store } of open.splice(0)) {
    await presence.leave()
    await store.close()
  }
})

async function join(dataDir: string, engine = 'one'): Promise<TestStack> {
  const store = await openStore({ url, dataDir: '/nowhere', secret: 'the secret of all stacks' })
  try {
    const presence = await joinStacks({ store, dataDir, engine, logger, interval })
    const stack = { store, presence, tasks: sharedTasks(store, presence) }
    open.push(stack)
    return stack
  } catch (error) {
    await store.close()
    throw error
  }
}

/** As kill -9: it says nothing more. */
async function kill(stack: TestStack): Promise<void> {
  open = open.filter((testStack) => testStack !== stack)
  await stack.store.close()
}

const holders = (on: TestStack) => on.store.rows('SELECT task, stack_id FROM task_leases ORDER BY task')

test('one of two has a task at a time, and the other one gets it after a release', async () => {
  const [one, other] = [await join('a'), await join('b')]
  const tries = await Promise.all([one, other, one, other].map(({ tasks }) => tasks.take('pipe 1')))
  const [lease, ...rest] = tries.filter((each) => each !== null)
  expect(rest).toEqual([])
  expect(await other.tasks.taken()).toEqual(new Set(['pipe 1']))
  await lease?.release()
  expect(await other.tasks.take('pipe 1')).not.toBeNull()
  expect(await one.tasks.take('pipe 1')).toBeNull()
})

test('what a killed stack did is taken over, also the evaluation of alerts', async () => {
  const [one, other] = [await join('a'), await join('b')]
  await one.tasks.take('pipe 1')
  expect(await takeLease(one.store, one.presence.id, 1000)).toBe(true)
  expect(await takeLease(other.store, other.presence.id, 1000)).toBe(false)
  await kill(one)
  await expect.poll(() => other.tasks.take('pipe 1'), noticed).not.toBeNull()
  expect(await takeLease(other.store, other.presence.id, 1000)).toBe(true)
})

test('a stack that starts again in the same folder does not wait for its former self', async () => {
  const [one, other] = [await join('a'), await join('b')]
  await one.tasks.take('pipe 1')
  await kill(one)
  const again = await join('a')
  expect(await again.tasks.take('pipe 1')).not.toBeNull()
  expect(await other.tasks.take('pipe 1')).toBeNull()
})

test('a stack that was taken for ended stores nothing more of its task, and may have others', async () => {
  const [one, other] = [await join('a'), await join('b')]
  const lease = await one.tasks.take('pipe 1')
  const stored = (on: Store) => on.run("INSERT INTO settings (name, value) VALUES ('x', '1')")
  // As another stack does after twelve of its beats.
  await other.store.run('DELETE FROM stacks WHERE id = ?', [one.presence.id])
  expect(await other.tasks.take('pipe 1')).not.toBeNull()
  await expect(stored(lease!.store)).rejects.toBeInstanceOf(TaskLost)
  await expect.poll(() => one.presence.losses, noticed).toBe(1)
  expect(lease?.isHeld()).toBe(false)
  expect(() => lease?.refuseIfLost()).toThrow(TaskLost)
  await lease?.release()
  expect(await holders(one)).toEqual([{ task: 'pipe 1', stack_id: other.presence.id }])
  const next = await one.tasks.take('pipe 2')
  await stored(next!.store)
})

test('a task that is not released in time is taken', async () => {
  const [one, other] = [await join('a'), await join('b')]
  const lease = await one.tasks.take('pipe 1')
  await other.tasks.takeOver('pipe 1', 200)
  await expect(lease?.store.run("INSERT INTO settings (name, value) VALUES ('x', '1')")).rejects.toBeInstanceOf(
    TaskLost,
  )
})

test('a stack with another engine is refused while the first is there, and not after that', async () => {
  const one = await join('a')
  await expect(join('b', 'two')).rejects.toThrow(
    'Another stack uses the records of DATABASE_URL with another telemetry',
  )
  await kill(one)
  const other = await join('b', 'two')
  expect(await other.store.rows('SELECT engine FROM stacks')).toEqual([{ engine: 'two' }])
})
