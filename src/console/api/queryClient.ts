/** The cache of all reads: what is read again when, and what a page that comes back shows meanwhile. */
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { sharedWithRevisions } from './revisions.ts'

/** Only the gateway retries, because it knows the rate limit of the key. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      retryOnMount: false,
      staleTime: 2000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
      structuralSharing: sharedWithRevisions,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** The key of a read: connection, resource, verb, input, and nothing else. */
export function queryKey(connectionId: string, endpoint: { resource: string; verb: string }, input: unknown): QueryKey {
  return [connectionId, endpoint.resource, endpoint.verb, input]
}
