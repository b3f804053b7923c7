/** Everybody who is signed in to the console's own server, and ending that. */
import { pagePaths } from '#contract/console/pagePaths.ts'
import { peoplePaths } from '#contract/console/peoplePaths.ts'
import { queryOptions } from '@tanstack/react-query'
import type { SessionEntry } from '#contract/console/connections.ts'
import { fillPath } from '#contract/wire/kernel.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

/** The last used first: the caller's, or for administrators those of everybody. */
export const sessionsQueryOf = (whose: 'mine' | 'all') =>
  queryOptions({
    queryKey: ['sessions', whose],
    queryFn: ({ signal }) =>
      send<SessionEntry[]>(whose === 'all' ? peoplePaths.allSessions : pagePaths.sessions, { signal }),
  })

const readAgain = () => queryClient.invalidateQueries({ queryKey: ['sessions'] })

/** Signs somebody out, for administrators. */
export async function endAnySession(sessionId: string): Promise<void> {
  await send(fillPath(peoplePaths.anySession, { sessionId }), { method: 'DELETE' })
  await readAgain()
}

/** Signs one of them out, wherever it is. */
export async function endSession(sessionId: string): Promise<void> {
  await send(fillPath(pagePaths.oneSession, { sessionId }), { method: 'DELETE' })
  await readAgain()
}

/** Signs everybody out but this browser. */
export async function endOtherSessions(): Promise<void> {
  await send(pagePaths.sessions, { method: 'DELETE' })
  await readAgain()
}
