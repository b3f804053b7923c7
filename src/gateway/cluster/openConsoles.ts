/** A console among those that use the same database: its presence, locks, and what it follows of the others. */
import type { Budgets } from '#node/upstream/budgets.ts'
import type { Database } from '../database/database.ts'
import { CountedWrites } from './countedWrites.ts'
import { Presence, type PresenceDependencies } from './presence.ts'
import { SharedBudgets } from './sharedBudgets.ts'
import { SharedLocks } from './sharedLocks.ts'
import { SharedRevisions } from './sharedRevisions.ts'

interface ConsolesDependencies extends Omit<PresenceDependencies, 'onError'> {
  /** Makes what reports errors, with a message of its own. */
  logged: (what: string) => (error: unknown) => void
}

export interface Consoles {
  presence: Presence
  /** Locks of records, across consoles. */
  locks: SharedLocks
  /** Changes of others are followed before each request, and every second. */
  others: SharedRevisions
  /** Counts of the writes of all consoles. Undefined for a file, which has one console. */
  writeCounts: CountedWrites | undefined
  /** From now on, the rate limits of keys are divided between the consoles. @param digestKey of names in the place of keys */
  shareBudgets: (budgets: Budgets, digestKey: Uint8Array) => void
}

/** Nothing is read or written yet: `Presence.open` joins the others. */
export function openConsoles({ logged, ...parts }: ConsolesDependencies): Consoles {
  const { database } = parts
  const onError = logged('Other consoles cannot be seen.')
  const presence = new Presence({ ...parts, onError })
  const released = logged('The lock of a record could not be released yet.')
  const locks = new SharedLocks({ database, owner: presence.id, onError: released })
  presence.everyBeat(() => locks.releaseRest())
  const others = new SharedRevisions(database)
  presence.everyBeat(() => others.refresh().catch(onError))
  const writeCounts = database.isShared ? new CountedWrites({ database, revisions: others, onError }) : undefined
  const shareBudgets = (budgets: Budgets, digestKey: Uint8Array) => {
    if (!database.isShared) return
    const shared = new SharedBudgets({ database, presence, others, onError, digestKey })
    budgets.divide((name, budget) => shared.dividerFor(name, budget))
  }
  return { presence, locks, others, writeCounts, shareBudgets }
}

/** Does something as one of the consoles of a database, and leaves it if that fails: the start has failed then. */
export async function joined<T>(presence: Presence, database: Database, work: () => Promise<T>): Promise<T> {
  try {
    await presence.open()
    return await work()
  } catch (error) {
    await presence.close()
    await database.close()
    throw error
  }
}
