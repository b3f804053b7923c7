/** Undoing a deletion. No API has an undelete: the records are created again, with new IDs. */
import { invalidate } from '#console/api/queries.ts'
import { capitalized, counted } from '#domain/text/words.ts'
import type { Connection } from '#contract/connections.ts'
import { restoreAll } from '../bulk/restoreAll.ts'
import { sentences } from './deletionText.ts'
import { createRecord } from './recordCalls.ts'
import type { CrudResource, RecordBase } from './resource.ts'

interface Recreation<T> {
  resource: CrudResource<T & RecordBase>
  connection: Connection
  deleted: readonly (T & RecordBase)[]
  nameOf: (record: T & RecordBase) => string
  /** Something still refers to one of the old IDs. */
  used: boolean
}

/** Creates deleted records again, as far as they could be read. */
export async function recreateRecords<T>({
  resource,
  connection,
  deleted,
  nameOf,
  used,
}: Recreation<T>): Promise<void> {
  const { noun, deletion } = resource
  const notRestored = deletion.notRestored?.(deleted)
  const many = deleted.length > 1
  const stale = used && `What used ${many ? 'them' : 'it'} still refers to the old ${many ? 'IDs' : 'ID'}.`
  await restoreAll(deleted, {
    connection,
    title: `Recreate ${counted(deleted.length, noun)}`,
    nameOf,
    make: (record) => createRecord(resource, connection.id, deletion.body?.(record)),
    one: (record) =>
      sentences(`${capitalized(noun)} ${nameOf(record)} was recreated with a new ID.`, notRestored, stale),
    many: (count) => sentences(`${counted(count, noun)} were recreated with new IDs.`, notRestored, stale),
  })
  await invalidate(connection.id, resource.name)
}
