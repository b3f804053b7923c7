/** What the gateway wrote into the page, so that a person who is signed in does not wait for two answers more. */
import type { FirstState } from '#contract/connections.ts'
import { connectionsQuery } from './connections.ts'
import { queryClient } from './queryClient.ts'
import { sessionQuery } from './session.ts'

/** Takes it as if it had just been read. Nothing is there where nobody is signed in, or in development. */
export function loadInitialState(): void {
  const text = document.querySelector<HTMLMetaElement>('meta[name="first-state"]')?.content
  if (!text?.startsWith('{')) return
  // It comes from the same build as this page.
  const { session, connections } = JSON.parse(text) as FirstState
  queryClient.setQueryData(sessionQuery.queryKey, session)
  queryClient.setQueryData(connectionsQuery.queryKey, connections)
}
