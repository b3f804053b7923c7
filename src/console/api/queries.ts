/** The one way to read: a query is an endpoint and its input. */
import { queryOptions } from '@tanstack/react-query'
import type { ResourceName } from '#contract/index.ts'
import type { Endpoint, Input } from '#contract/kernel.ts'
import { call, type CallOptions } from './call.ts'
import { queryClient, queryKey } from './queryClient.ts'

/** Query options of an endpoint: a page starts the read on its way in, and reads with them. */
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

/** Starts a read ahead of the page that wants it. Nobody waits; the page shows what went wrong, if anything did. */
export function readAhead<E extends Endpoint>(connectionId: string, endpoint: E, input: Input<E>): void {
  // prefetchQuery never rejects.
  void queryClient.prefetchQuery(q(connectionId, endpoint, input))
}

/** Has every read of a resource asked anew where it is on screen, and later where it is not. */
export function invalidate(connectionId: string, resource: ResourceName): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [connectionId, resource] })
}
