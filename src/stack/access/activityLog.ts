/** The activity log, as it is written and stored: append-only, without old or new values. */
import { randomUUID } from 'node:crypto'
import type { Activity } from '#contract/cloud/organization/activities.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { collection, documentsOf } from '../store/collection.ts'
import type { Queries, Store } from '../store/store.ts'
import type { ActivityFields } from './activityTypes.ts'
import type { Caller } from './caller.ts'

const activityRows = collection<Activity>('activities', {
  columns: ({ createdAt }) => ({ created_at: Date.parse(createdAt) }),
})

/** The most entries that one response has: the newest. */
const maxEntries = 10_000

/** The content of an entry. Its ID and time are set here. */
type Entry = Pick<
  Activity,
  | 'type'
  | 'actorType'
  | 'actorId'
  | 'actorDetails'
  | 'actorIpAddress'
  | 'userAgent'
  | 'organizationId'
  | 'serviceId'
  | 'targetKeyId'
  | 'keyUpdateType'
>

export async function addActivity(queries: Queries, entry: Entry): Promise<void> {
  await activityRows.insert(queries, { id: randomUUID(), createdAt: currentIsoTime(), ...entry })
}

export const activity = (queries: Queries, id: string): Promise<Activity | undefined> => activityRows.get(queries, id)

/** The newest first, between two times in milliseconds, both included. */
export async function activitiesBetween(queries: Queries, from: number, to: number): Promise<Activity[]> {
  const rows = await queries.rows(
    'SELECT id, document FROM activities WHERE created_at >= ? AND created_at <= ? ORDER BY seq DESC LIMIT ?',
    [from, to, maxEntries],
  )
  return documentsOf<Activity>('activities', rows)
}

interface Audit {
  /** The store, whose first transaction also has the entries. */
  store: Store
  /** Entries that a handler supplies: entries instead of those that follow from it. */
  set(entries: readonly ActivityFields[]): void
  /** Writes the entries of a request that has written nothing else. */
  finish(): Promise<void>
}

/**
 * Writes the activity log in the transaction of what it tells of, so that there is never one without the other.
 * @param serviceId of the service that the request is about
 */
export function auditOf(store: Store, caller: Caller, proposed: readonly ActivityFields[], serviceId?: string): Audit {
  let entries = proposed
  let isWritten = false

  const append = async (queries: Queries) => {
    for (const entry of entries) {
      await addActivity(queries, {
        ...entry,
        actorType: 'api',
        actorId: caller.key.id,
        actorDetails: caller.key.name,
        actorIpAddress: caller.address,
        userAgent: caller.userAgent,
        organizationId: caller.organizationId,
        ...(serviceId !== undefined && { serviceId: serviceId.toLowerCase() }),
      })
    }
  }
  const write: Store['write'] = async (work) => {
    if (isWritten) return store.write(work)
    const result = await store.write(async (transaction) => {
      const result = await work(transaction)
      await append(transaction)
      return result
    })
    isWritten = true
    return result
  }
  return {
    store: { ...store, write, run: (sql, args) => write((transaction) => transaction.run(sql, args)) },
    set(next) {
      entries = next
    },
    async finish() {
      if (!isWritten) await write(async () => {})
    },
  }
}
