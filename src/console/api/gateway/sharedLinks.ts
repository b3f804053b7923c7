/** Links that show a dashboard or a chart to people without an account. */
import { queryOptions } from '@tanstack/react-query'
import { fillPath } from '#contract/wire/kernel.ts'
import {
  sharedLinkPaths,
  type CreatedLink,
  type SharedLink,
  type SharedLinkInput,
  type SharedView,
} from '#contract/console/sharedLinks.ts'
import { asFailure } from '../failure.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

export const sharedLinksQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['sharedLinks', connectionId],
    queryFn: ({ signal }) => send<SharedLink[]>(fillPath(sharedLinkPaths.links, { connectionId }), { signal }),
  })

/** The address that is returned is shown once. */
export const createSharedLink = (connectionId: string, input: SharedLinkInput) =>
  thenRead(
    connectionId,
    send<CreatedLink>(fillPath(sharedLinkPaths.links, { connectionId }), { method: 'POST', body: input }),
  )

export const revokeSharedLink = (connectionId: string, linkId: string) =>
  thenRead(connectionId, send(fillPath(sharedLinkPaths.link, { connectionId, linkId }), { method: 'DELETE' }))

/** Reads the list again, however the change ended. */
async function thenRead<T>(connectionId: string, change: Promise<T>): Promise<T> {
  try {
    return await change
  } finally {
    await queryClient.invalidateQueries(sharedLinksQuery(connectionId))
  }
}

/** Tokens whose page was counted as opened. */
const opened = new Set<string>()

/** The view of a link, read again when there is something newer. One that has ended is not asked for again. */
export const sharedViewQuery = (token: string) =>
  queryOptions({
    queryKey: ['sharedView', token],
    queryFn: async ({ signal }) => {
      const body = { token, opened: !opened.has(token) }
      // The token is in the body: addresses are logged on the way.
      const view = await send<SharedView>(sharedLinkPaths.view, { method: 'POST', mutates: false, body, signal })
      opened.add(token)
      return view
    },
    retry: (count, error) => !hasEnded(error) && count < 2,
    refetchInterval: ({ state: { data, error } }) => {
      if (error && hasEnded(error)) return false
      // Not all viewers at the same moment.
      return ((data?.refreshAfter ?? 60) + 1 + Math.random() * 5) * 1000
    },
  })

/** Whether a link shows nothing any more, rather than not at the moment. */
export const hasEnded = (error: unknown): boolean => [404, 410, 422].includes(asFailure(error).status)
