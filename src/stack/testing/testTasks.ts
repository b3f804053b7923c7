/** The tasks of a stack in a test. It has joined the stacks of its database. */
import pino from 'pino'
import { joinStacks, type Presence } from '../cluster/presence.ts'
import { sharedTasks, type Tasks } from '../cluster/tasks.ts'
import type { Store } from '../store/store.ts'

export interface TestTasks {
  tasks: Tasks
  presence: Presence
}

/**
 * @param dataDir the name of the stack: one with the same name takes its place
 * @param interval milliseconds between two beats
 */
export async function testTasks(store: Store, dataDir = 'test', interval = 1000): Promise<TestTasks> {
  const logger = pino({ level: 'silent' })
  const presence = await joinStacks({ store, dataDir, engine: 'test', logger, interval })
  return { presence, tasks: sharedTasks(store, presence) }
}
