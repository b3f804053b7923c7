/** Writes the activity log in the transaction of what it tells of, so that there is never one without the other. */
import type { Queries, Store } from '../store/store.ts'
import { addActivity } from './activityRows.ts'
import type { ActivityFields } from './activityTypes.ts'
import type { Caller } from './caller.ts'

export interface Audit {
  /** The store, whose first transaction also has the entries. */
  store: Store
  /** Entries that a handler supplies: entries instead of those that follow from it. */
  set(entries: readonly ActivityFields[]): void
  /** Writes the entries of a request that has written nothing else. */
  finish(): Promise<void>
}

/** @param serviceId of the service that the request is about */
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
