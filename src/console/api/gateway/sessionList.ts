/** Everybody who is signed in to the console's own server, and ending that. */
import { pagePaths } from '#contract/pagePaths.ts'
import { queryOptions } from '@tanstack/react-query'
import type { SessionEntry } from '#contract/connections.ts'
import { fillPath } from '#contract/kernel.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

/** The last used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => send<SessionEntry[]>(pagePaths.sessions, { signal }),
})

/** Signs one of them out, wherever it is. */
export async function endSession(sessionId: string): Promise<void> {
  await send(fillPath(pagePaths.oneSession, { sessionId }), { method: 'DELETE' })
  await queryClient.invalidateQueries(sessionsQuery)
}

/** Signs everybody out but this browser. */
export async function endOtherSessions(): Promise<void> {
  await send(pagePaths.sessions, { method: 'DELETE' })
  await queryClient.invalidateQueries(sessionsQuery)
}
