/** The last changes of a connection, for pages that show those of several connections. */
import { queryOptions } from '@tanstack/react-query'
import { historyPaths } from '#contract/environmentPaths.ts'
import type { ChangePage } from '#contract/history.ts'
import { fillPath } from '#contract/kernel.ts'
import { send } from '../send.ts'

/** Changes that are read: more than are shown of one connection. */
const lastFew = 12

/** Those that were made, or may have been, the newest first. */
export const recentChangesQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['history', connectionId, 'recent'],
    queryFn: async ({ signal }) => {
      const path = fillPath(historyPaths.changes, { connectionId })
      const { items } = await send<ChangePage>(`${path}?made=1&limit=${lastFew}`, { signal })
      return items
    },
    retry: false,
  })
