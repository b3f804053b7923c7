/** Who is signed in to the console's own server. Its replies come from the same build: their types are trusted. */
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Session } from '#contract/console/connections.ts'
import type { signIn } from '#contract/console/signIn.ts'
import type { invitationAcceptance } from '#contract/console/people.ts'
import { gatewayPaths } from '#contract/wire/gatewayWire.ts'
import { queryClient } from './queryClient.ts'
import { ignoreEarlierRequests, send } from './send.ts'

/** Milliseconds for which the session that was read last is considered current. */
const maxAge = 60_000

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => send<Session>(gatewayPaths.session, { signal }),
  staleTime: maxAge,
})

/** Who is signed in now. A signed-in state that was read earlier is read again, because it may have ended. */
export function currentSession(): Promise<Session> {
  return queryClient.fetchQuery({
    ...sessionQuery,
    staleTime: ({ state }) => (state.data?.signedIn ? 0 : maxAge),
  })
}

/** Exchanges the link's token, or the password, for a session. The token never stays in the page. */
export function signInWith(proof: z.infer<typeof signIn>): Promise<Session> {
  return startSession(proof)
}

/** Chooses the password of an account, and signs in. */
export function acceptInvitation(proof: z.input<typeof invitationAcceptance>): Promise<Session> {
  return startSession(proof)
}

/** Exchanges any proof for a session. */
export async function startSession(proof: object): Promise<Session> {
  const signedIn = await send<Session>(gatewayPaths.session, { method: 'POST', body: proof })
  await forgetEarlierReads()
  queryClient.setQueryData(sessionQuery.queryKey, signedIn)
  return signedIn
}

/** Ends the session on the server and forgets everything that was read. @returns where the provider ends its own session */
export async function signOut(): Promise<string | undefined> {
  const { signOutUrl } = await send<Session>(gatewayPaths.session, { method: 'DELETE' })
  await forgetEarlierReads()
  return signOutUrl
}

/**
 * Cancels and forgets all reads, because they belong to an earlier session: a response that arrives later would otherwise
 * replace what the new session knows, such as that somebody is signed in.
 */
async function forgetEarlierReads(): Promise<void> {
  ignoreEarlierRequests()
  await queryClient.cancelQueries()
  queryClient.clear()
}
