/** Session and connections that the gateway embeds in the page, which saves two requests on load. */
import type { FirstState } from '#contract/console/connections.ts'
import { connectionsQuery } from './connections.ts'
import { queryClient } from './queryClient.ts'
import { sessionQuery } from './session.ts'

/** IDs of connections that had sample data when the page was loaded. */
export const loadedSamples = new Set<string>()

/** Seeds the query cache. Does nothing without a signed-in user, or in development. */
export function loadInitialState(): void {
  const text = document.querySelector<HTMLMetaElement>('meta[name="first-state"]')?.content
  if (!text?.startsWith('{')) return
  // It comes from the same build as this page.
  const { session, connections, samples } = JSON.parse(text) as FirstState
  queryClient.setQueryData(sessionQuery.queryKey, session)
  queryClient.setQueryData(connectionsQuery.queryKey, connections)
  for (const id of samples) loadedSamples.add(id)
}
