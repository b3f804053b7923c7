/** Change requests: changes that wait for approval by a second person. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { changeRequestPaths } from '#contract/console/changeRequestPaths.ts'
import type { ChangeRequestDetail, ChangeRequestPage, ChangeRequestQuery } from '#contract/console/changeRequests.ts'
import { fillPath } from '#contract/wire/kernel.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

/** Milliseconds between two reads of a request that is being carried out, and of one that waits: others may change it. */
const underWayInterval = 700
const waitingInterval = 20_000

export type ChangeRequestFilter = Pick<ChangeRequestQuery, 'state' | 'connectionId' | 'who'>

/** The newest first, page by page. */
export const changeRequestsQuery = (filter: ChangeRequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['changeRequests', filter],
    queryFn: ({ signal, pageParam }) => {
      const values = Object.entries({ ...filter, before: pageParam }).filter(([, value]) => value !== undefined)
      const query = new URLSearchParams(values.map(([name, value]) => [name, String(value)]))
      return send<ChangeRequestPage>(`${changeRequestPaths.changeRequests}?${query}`, { signal })
    },
    initialPageParam: undefined as number | undefined, // the first page begins at the newest request
    getNextPageParam: ({ items, hasMore }) => (hasMore ? items.at(-1)?.number : undefined),
    refetchInterval: waitingInterval,
  })

const detailKey = (requestId: string) => ['changeRequests', 'one', requestId]

export const changeRequestQuery = (requestId: string) =>
  queryOptions({
    queryKey: detailKey(requestId),
    queryFn: ({ signal }) =>
      send<ChangeRequestDetail>(fillPath(changeRequestPaths.changeRequest, { requestId }), { signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === 'carryingOut') return underWayInterval
      return data?.state === 'waiting' ? waitingInterval : false
    },
  })

/** The approval holds for the plan with this digest, and for no other. */
export const approveRequest = (id: string, digest: string) => act(changeRequestPaths.approve, id, { digest })
export const declineRequest = (id: string, reason: string) => act(changeRequestPaths.decline, id, { reason })
export const withdrawRequest = (id: string) => act(changeRequestPaths.withdraw, id, {})
export const commentOnRequest = (id: string, text: string) => act(changeRequestPaths.comments, id, { text })

/** The request once nothing more of it is being carried out, whatever page is open by then. */
export async function requestCarriedOut(approved: ChangeRequestDetail): Promise<ChangeRequestDetail> {
  let request = approved
  while (request.state === 'carryingOut') {
    await new Promise((wake) => setTimeout(wake, underWayInterval))
    request = await queryClient.fetchQuery({ ...changeRequestQuery(request.id), staleTime: 0, retry: 3 })
  }
  return request
}

async function act(path: string, requestId: string, body: object): Promise<ChangeRequestDetail> {
  try {
    const detail = await send<ChangeRequestDetail>(fillPath(path, { requestId }), { method: 'POST', body })
    queryClient.setQueryData(detailKey(requestId), detail)
    return detail
  } finally {
    // However it ended, the request may be another one by now.
    void queryClient.invalidateQueries({ queryKey: ['changeRequests'] })
    void queryClient.invalidateQueries({ queryKey: ['audit'] })
  }
}
