/** Reads the query cache without a query of its own. */
import { hashKey, notifyManager, type QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { queryClient } from '../queryClient.ts'

/**
 * The result that others read last under a key. It never sends a request, and it is not an observer: an observer without a query
 * function is reported in the console, and it overwrites the options of the query.
 * `select` returns a primitive or a part of the data, since the result is compared by identity.
 */
export function useCached<T>(key: QueryKey, select: (data: unknown) => T): T | undefined {
  const data = () => stateOf(key)?.data
  const snapshot = () => (data() === undefined ? undefined : select(data()))
  return useSyncExternalStore(subscribe, snapshot, snapshot)
}

const stateOf = (key: QueryKey) => queryClient.getQueryCache().get(hashKey(key))?.state

// Batched with the query client's own notifications. A render in between may still draw one of the two alone.
const subscribe = (changed: () => void) => {
  const notify = notifyManager.batchCalls(changed)
  return queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'added' || type === 'updated' || type === 'removed') notify()
  })
}
