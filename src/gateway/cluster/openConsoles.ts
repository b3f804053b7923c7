/** A console among those that use the same database: its presence, locks, and what it follows of the others. */
import type { Budgets } from '#node/upstream/budgets.ts'
import type { WriteCounts } from '#node/upstream/deployments.ts'
import type { Database } from '../database/database.ts'
import { Presence, type PresenceDependencies } from './presence.ts'
import { SharedBudgets } from './sharedBudgets.ts'
import { SharedLocks } from './sharedLocks.ts'
import { SharedRevisions } from './sharedRevisions.ts'
import { countRevision } from '../database/sharedList.ts'

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

/** Joins the consoles of the database and runs the start. If the start fails, leaves them and closes the database. */
export async function startAsMember<T>(presence: Presence, database: Database, work: () => Promise<T>): Promise<T> {
  try {
    await presence.open()
    return await work()
  } catch (error) {
    await presence.close()
    await database.close()
    throw error
  }
}

/** Begins the names of the counts among the revisions. */
const prefix = 'writes '

/**
 * Writes through each connection, as counted by all consoles of a database: what was read before a write of another console
 * is not used after it.
 */
class CountedWrites implements WriteCounts {
  #counts = new Map<string, number>()

  readonly #parts: { database: Database; revisions: SharedRevisions; onError: (error: unknown) => void }

  constructor(parts: { database: Database; revisions: SharedRevisions; onError: (error: unknown) => void }) {
    this.#parts = parts
    parts.revisions.follow((revisions) => {
      for (const [name, count] of revisions) if (name.startsWith(prefix)) this.#note(name.slice(prefix.length), count)
    })
  }

  of(connectionId: string): number {
    return this.#counts.get(connectionId) ?? 0
  }

  /** The write is done, so a failure is only reported. */
  async count(connectionId: string): Promise<void> {
    const { database, onError } = this.#parts
    try {
      const count = await database.transactConcurrently((transaction) =>
        countRevision(transaction, prefix + connectionId),
      )
      this.#note(connectionId, count)
    } catch (error) {
      onError(error)
    }
  }

  /** A reading may be older than a count of this console. */
  #note(connectionId: string, count: number): void {
    this.#counts.set(connectionId, Math.max(count, this.of(connectionId)))
  }
}
