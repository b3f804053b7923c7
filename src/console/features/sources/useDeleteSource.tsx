/** Deleting one source, after saying who reads from it. */
import Box from '@mui/material/Box'
import { useCallback } from 'react'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { sourceUsers, type SourceUsers } from '#console/references/usage.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { useConnection, WithConnection } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { alerts } from '#contract/alerts.ts'
import { dashboards } from '#contract/dashboards.ts'
import { sources, type Source } from '#contract/sources.ts'
import { deleteSource, evictSources, restoreSources } from './deleting.ts'
import { UserLinks } from './UserLinks.tsx'
import { isUsed, formatSourceUsers } from './sourceLabels.ts'

export function useDeleteSource(): (source: Source, leave?: () => Promise<void>) => Promise<void> {
  const connection = useConnection()
  return useCallback(
    async (source, leave) => {
      const connectionId = connection.id
      const users = await readUsers(connectionId, source.id)
      const used = users === undefined || isUsed(users)
      const sure = await confirm({
        title: `Delete ${source.name}?`,
        body: (
          <WithConnection connection={connection}>
            <Question users={users} />
          </WithConnection>
        ),
        action: 'Delete source',
        danger: true,
        ...(used ? { typed: source.name } : {}),
      })
      if (!sure) return
      try {
        await deleteSource(connectionId, source)
      } catch (error) {
        toastFailure(error)
        return invalidate(connectionId, 'sources')
      }
      toast({
        tone: 'ok',
        text: `Source ${source.name} deleted.`,
        action: { label: 'Undo', run: () => void restoreSources(connection, [source], () => used) },
      })
      // Its own page goes first, or it would ask for what is gone.
      await leave?.()
      await evictSources(connectionId, [source.id])
    },
    [connection],
  )
}

/** Undefined where dashboards or alerts cannot be read. */
async function readUsers(connectionId: string, id: string): Promise<SourceUsers | undefined> {
  try {
    const [boards, told, all] = await Promise.all([
      queryClient.fetchQuery(q(connectionId, dashboards.list, {})),
      queryClient.fetchQuery(q(connectionId, alerts.list, {})),
      queryClient.fetchQuery(q(connectionId, sources.list, {})),
    ])
    return sourceUsers(id, { dashboards: boards, alerts: told, sources: all })
  } catch {
    return undefined
  }
}

function Question({ users }: { users: SourceUsers | undefined }) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      {!users && <div>Who uses it could not be read. Whatever does is left with an id that leads nowhere.</div>}
      {users && isUsed(users) && (
        <>
          <div>
            Used by {formatSourceUsers(users)}. The API deletes it all the same: they keep an id that leads nowhere, and
            show nothing.
          </div>
          <Box sx={{ maxHeight: 240, overflow: 'auto' }}>
            <UserLinks users={users} newTab />
          </Box>
        </>
      )}
      <div>
        Undo makes it again with a new id{users && isUsed(users) ? ', which none of these name' : ''}. Its data stays.
      </div>
    </Box>
  )
}
