/** The history of a connection's records, as the console's own server keeps it. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { historyPaths } from '#contract/console/environmentPaths.ts'
import type {
  Change,
  ChangePage,
  ChangesQuery,
  ChangeStrip,
  DeletedRecord,
  GoneRecord,
  HistoryTotals,
  RecordVersion,
  VersionDocument,
} from '#contract/console/history.ts'
import { fillPath } from '#contract/wire/kernel.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

const keyOf = (connectionId: string) => ['history', connectionId] as const

export type ChangeFilter = Pick<
  ChangesQuery,
  'kind' | 'recordId' | 'cause' | 'outcome' | 'actor' | 'run' | 'from' | 'to'
>

/** One change; null if the history does not have it. */
export const changeQuery = (connectionId: string, id: number) =>
  queryOptions({
    queryKey: [...keyOf(connectionId), 'change', id],
    queryFn: async ({ signal }): Promise<Change | null> => {
      const query = new URLSearchParams({ before: String(id + 1), limit: '1' })
      const path = `${fillPath(historyPaths.changes, { connectionId })}?${query.toString()}`
      const { items } = await send<ChangePage>(path, { signal })
      return items.find((change) => change.id === id) ?? null
    },
  })

/** Changes, the newest first, page by page. */
export const changesQuery = (connectionId: string, filter: ChangeFilter) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(connectionId), 'changes', filter],
    queryFn: ({ signal, pageParam }) => {
      const set = Object.entries({ ...filter, before: pageParam }).filter(([, value]) => value !== undefined)
      const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)]))
      return send<ChangePage>(`${fillPath(historyPaths.changes, { connectionId })}?${query.toString()}`, { signal })
    },
    initialPageParam: undefined as number | undefined, // the first page begins at the newest change
    getNextPageParam: ({ items, hasMore }) => (hasMore ? items.at(-1)?.id : undefined),
  })

export const totalsQuery = (connectionId: string) =>
  queryOptions({
    queryKey: [...keyOf(connectionId), 'totals'],
    queryFn: ({ signal }) => send<HistoryTotals>(fillPath(historyPaths.historyTotals, { connectionId }), { signal }),
  })

/** @param from @param to whole hours, as ISO times */
export const stripQuery = (connectionId: string, from: string, to: string) =>
  queryOptions({
    queryKey: [...keyOf(connectionId), 'strip', from, to],
    queryFn: ({ signal }) =>
      send<ChangeStrip>(
        `${fillPath(historyPaths.changeStrip, { connectionId })}?${new URLSearchParams({ from, to }).toString()}`,
        { signal },
      ),
  })

export const deletedQuery = (connectionId: string) =>
  queryOptions({
    queryKey: [...keyOf(connectionId), 'deleted'],
    queryFn: ({ signal }) => send<DeletedRecord[]>(fillPath(historyPaths.deletedRecords, { connectionId }), { signal }),
  })

/** The fate of a record that is not found. An error if the history knows nothing of it. */
export const goneQuery = (connectionId: string, kind: string, recordId: string) =>
  queryOptions({
    queryKey: [...keyOf(connectionId), 'gone', kind, recordId],
    queryFn: ({ signal }) =>
      send<GoneRecord>(
        `/api/connections/${connectionId}/history/records/${kind}/${encodeURIComponent(recordId)}/gone`,
        { signal },
      ),
    retry: false,
  })

/** The versions of one record, the newest first. */
export const versionsQuery = (connectionId: string, kind: string, recordId: string) =>
  queryOptions({
    queryKey: [...keyOf(connectionId), 'versions', kind, recordId],
    queryFn: ({ signal }) =>
      send<RecordVersion[]>(
        // A part of a record has a slash in its kind, which an address has as a dot.
        `/api/connections/${connectionId}/history/records/${kind.replace('/', '.')}/${encodeURIComponent(recordId)}`,
        { signal },
      ),
  })

/** A version never changes. */
export const versionQuery = (connectionId: string, version: string) =>
  queryOptions({
    queryKey: [...keyOf(connectionId), 'version', version],
    queryFn: ({ signal }) =>
      send<VersionDocument>(fillPath(historyPaths.recordVersion, { connectionId, version }), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** @param snapshotMinutes 0 for none */
export async function saveSnapshotMinutes(connectionId: string, snapshotMinutes: number): Promise<void> {
  const path = fillPath(historyPaths.historySettings, { connectionId })
  await send(path, { method: 'PUT', body: { snapshotMinutes } })
  await renewHistory(connectionId)
}

/** Reads all records of the connection, so that changes outside of this console are noticed. */
export async function takeSnapshot(connectionId: string): Promise<void> {
  await send(fillPath(historyPaths.snapshot, { connectionId }), { method: 'POST', mutates: false })
  await renewHistory(connectionId)
}

function renewHistory(connectionId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keyOf(connectionId) })
}
