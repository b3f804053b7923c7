/** Who is signed in to the console's own server. */
import { queryOptions } from '@tanstack/react-query'
import { gatewayPaths, session, type Session, type signIn } from '#contract/connections.ts'
import type { z } from 'zod'
import { queryClient } from './queries.ts'
import { send } from './send.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session> => session.parse((await send(gatewayPaths.session, { signal })).body),
  staleTime: 60_000,
})

/** Exchanges the link's token, or the password, for a session. The token never stays in the page. */
export async function signInWith(proof: z.infer<typeof signIn>): Promise<Session> {
  const answer = await send(gatewayPaths.session, { method: 'POST', body: proof })
  const signedIn = session.parse(answer.body)
  queryClient.setQueryData(sessionQuery.queryKey, signedIn)
  return signedIn
}

/** Ends the session on the server and forgets everything that was read. */
export async function signOut(): Promise<void> {
  await send(gatewayPaths.session, { method: 'DELETE' })
  queryClient.clear()
}
