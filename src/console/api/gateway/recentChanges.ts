/** The last changes of all connections, for pages that show several of them. */
import { queryOptions } from '@tanstack/react-query'
import { historyPaths } from '#contract/console/environmentPaths.ts'
import type { RecentChanges } from '#contract/console/environments.ts'
import type { Change } from '#contract/console/history.ts'
import { send } from '../send.ts'

/** The last changes of each connection that were made, or may have been made, newest first. */
export const recentChangesQuery = queryOptions({
  queryKey: ['history', 'recent'],
  queryFn: async ({ signal }): Promise<Readonly<Record<string, readonly Change[]>>> => {
    const read = await send<RecentChanges[]>(historyPaths.recentChanges, { signal })
    return Object.fromEntries(read.flatMap(({ connectionIds, changes }) => connectionIds.map((id) => [id, changes])))
  },
  retry: false,
})
