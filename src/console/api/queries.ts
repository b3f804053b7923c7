/** Queries for reads: an endpoint and its input. */
import { queryOptions } from '@tanstack/react-query'
import type { ResourceName } from '#contract/index.ts'
import type { Endpoint, Input } from '#contract/wire/kernel.ts'
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

/** The first reads of a page, where the parameters of its URL are the input. */
export interface PageReads {
  /** Prefetches all of it. Errors are shown by the page. */
  (params: Readonly<Record<string, string>>): void
  /** For the build, which lists it, so that the gateway sends the responses inside the document (`gateway/http/pageReads.ts`). */
  endpoints: readonly Endpoint[]
}

/** Declares what a page reads first. */
export function pageReads(...endpoints: readonly Endpoint[]): PageReads {
  const prefetch = ({ connectionId = '', ...params }: Readonly<Record<string, string>>) => {
    for (const endpoint of endpoints) {
      const names = Array.from(endpoint.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
      const own = Object.fromEntries(names.map((name) => [name, params[name] ?? '']))
      // The input has the parameters of the path, and these reads need no more.
      const input = (names.length > 0 ? { params: own } : {}) as Input<Endpoint>
      // prefetchQuery never rejects.
      void queryClient.prefetchQuery(q(connectionId, endpoint, input))
    }
  }
  return Object.assign(prefetch, { endpoints })
}

/** Invalidates every read of a resource: those on screen are refetched now, the others when they are shown. */
export function invalidate(connectionId: string, resource: ResourceName): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [connectionId, resource] })
}
