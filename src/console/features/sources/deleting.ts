/** Deleting sources, which the API does even while dashboards and alerts read from them, and making them again. */
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { restoreAll } from '#console/shell/bulk/restoreAll.ts'
import { counted } from '#console/ui/format.ts'
import type { Connection } from '#contract/connections.ts'
import { sourceInput, sources, type Source } from '#contract/sources.ts'
import { sameWritable, writable } from './sourceForm.ts'
import { ignoreNotFound } from '#console/api/ignoreNotFound.ts'

/** Throws ApiFailure, `conflict` where somebody changed it after it was read, but not where it is gone already. */
export function deleteSource(connectionId: string, source: Source): Promise<void> {
  const deleting = guardedWrite({
    base: source,
    record: sources.get.result,
    unchanged: (now) => sameWritable(now, source),
    write: (base) => call(connectionId, sources.delete, { params: { sourceId: source.id } }, { base }),
  })
  return ignoreNotFound(deleting)
}

/** After a delete: nothing of them is shown any more. */
export async function evictSources(connectionId: string, ids: readonly string[]): Promise<void> {
  for (const sourceId of ids) queryClient.removeQueries(q(connectionId, sources.get, { params: { sourceId } }))
  await invalidate(connectionId, 'sources')
}

/** Creates them again: same content, new ids. `isUsed` tells of which what used it goes on naming the former id. */
export async function restoreSources(
  connection: Connection,
  deleted: readonly Source[],
  isUsed: (sourceId: string) => boolean,
): Promise<void> {
  await restoreAll(deleted, {
    connection,
    title: `Bring back ${counted(deleted.length, 'source')}`,
    nameOf: ({ name }) => name,
    make: (source) => call(connection.id, sources.create, { body: sourceInput.parse(writable(source)) }),
    one: (source, again) =>
      `Source ${again.name} is back with the new id ${again.id}.${isUsed(source.id) ? ` What used it still names ${source.id}.` : ''}`,
    many: (count) =>
      `${count} sources are back with new ids.${deleted.some(({ id }) => isUsed(id)) ? ' What used them still names the former ones.' : ''}`,
  })
  await invalidate(connection.id, 'sources')
}
