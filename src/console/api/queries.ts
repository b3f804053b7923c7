/** Queries for reads: an endpoint and its input. */
import { queryOptions } from '@tanstack/react-query'
import type { ResourceName } from '#contract/index.ts'
import type { Endpoint, Input } from '#contract/kernel.ts'
import { call, type CallOptions } from './call.ts'
import { queryClient, queryKey } from './queryClient.ts'

/** Query options of an endpoint, for route loaders and pages. */
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

/** Prefetches a read for a page. Errors are shown by the page. */
export function readAhead<E extends Endpoint>(connectionId: string, endpoint: E, input: Input<E>): void {
  // prefetchQuery never rejects.
  void queryClient.prefetchQuery(q(connectionId, endpoint, input))
}

/** Invalidates every read of a resource: those on screen are refetched now, the others when they are shown. */
export function invalidate(connectionId: string, resource: ResourceName): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [connectionId, resource] })
}
