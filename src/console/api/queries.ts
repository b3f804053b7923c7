/** The one way to read: a query's key is its connection, its endpoint and its input, and nothing else. */
import { queryOptions, QueryClient, type QueryKey } from '@tanstack/react-query'
import type { ResourceName } from '#contract/index.ts'
import type { Endpoint, Input } from '#contract/kernel.ts'
import { call, type CallOptions } from './call.ts'

/** Retries live in the gateway alone, which knows the key's budget; the page asks once. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      retryOnMount: false,
      staleTime: 2000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

export function queryKey(
  connectionId: string,
  endpoint: Pick<Endpoint, 'resource' | 'verb'>,
  input: unknown,
): QueryKey {
  return [connectionId, endpoint.resource, endpoint.verb, input]
}

/** Query options of an endpoint: the loader starts the read with them, the page reads with them. */
export function q<E extends Endpoint>(
  connectionId: string,
  endpoint: E,
  input: Input<E>,
  options: Pick<CallOptions, 'priority'> = {},
) {
  return queryOptions({
    queryKey: queryKey(connectionId, endpoint, input),
    queryFn: ({ signal }) => call(connectionId, endpoint, input, { ...options, signal }),
  })
}

/** Has every read of a resource asked anew where it is on screen, and later where it is not. */
export function invalidate(connectionId: string, resource: ResourceName): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [connectionId, resource] })
}
