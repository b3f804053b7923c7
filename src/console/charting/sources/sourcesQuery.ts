import { queryOptions } from '@tanstack/react-query'
import { connectionsQuery } from '#console/api/connections.ts'
import { isOffered } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import type { ResourceName } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { sources, type Source } from '#contract/stack/sources.ts'

/** The sources of a connection, for pages that query them. They change seldom. */
export function sourcesQuery(connectionId: string) {
  return queryOptions({ ...q(connectionId, sources.list, {}), staleTime: 60_000 })
}

/**
 * The sources of a connection before its page is drawn; null where the connection does not offer the endpoint that
 * queries them.
 */
export async function offeredSources(
  connectionId: string,
  resource: ResourceName,
  endpoint: Endpoint,
): Promise<readonly Source[] | null> {
  const connection = (await queryClient.ensureQueryData(connectionsQuery)).find(({ id }) => id === connectionId)
  if (!connection || !isOffered(connection, resource, endpoint.variants)) return null
  return await queryClient.fetchQuery(sourcesQuery(connectionId))
}
