/** The number of change requests that wait. Apart from the requests, because the frame of the console loads no schemas. */
import { queryOptions } from '@tanstack/react-query'
import { changeRequestPaths } from '#contract/console/changeRequestPaths.ts'
import type { ChangeRequestCounts } from '#contract/console/changeRequests.ts'
import { send } from '../send.ts'

/** Milliseconds between two reads. Only the console's own server is requested. */
const interval = 30_000

export const changeRequestCountsQuery = queryOptions({
  queryKey: ['changeRequests', 'counts'],
  queryFn: ({ signal }) => send<ChangeRequestCounts>(changeRequestPaths.changeRequestCounts, { signal }),
  refetchInterval: interval,
})
