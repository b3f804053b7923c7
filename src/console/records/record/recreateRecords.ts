/** Undoing a deletion, and what a deletion says of it. No API has an undelete: the records are created again, with new IDs. */
import { invalidate } from '#console/api/queries.ts'
import { counted, titled } from '#domain/text/words.ts'
import type { Connection } from '#contract/console/connections.ts'
import { restoreAll } from '../bulk/restoreAll.ts'
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
    one: (record) => sentences(`${titled(noun, nameOf(record))} was recreated with a new ID.`, notRestored, stale),
    many: (count) => sentences(`${counted(count, noun)} were recreated with new IDs.`, notRestored, stale),
  })
  await invalidate(connection.id, resource.name)
}

/** The effect of deleting these records, and of Undo. */
export function deletionText<T extends RecordBase>({ noun, deletion }: CrudResource<T>, records: readonly T[]): string {
  const { effect, notRestored, irreversible, body } = deletion
  if (!body) return sentences(effect)
  const lost = records.filter((record) => irreversible?.(record) !== undefined)
  const restored = records.filter((record) => !lost.includes(record))
  const many = records.length > 1
  const [first] = lost
  return sentences(
    effect,
    restored.length > 0 && `Undo recreates ${many ? 'them with new IDs' : 'it with a new ID'}.`,
    restored.length > 0 && notRestored?.(restored),
    first && `${many ? counted(lost.length, noun) : 'It'} cannot be restored: ${irreversible?.(first)}.`,
  )
}

/** The parts that are not empty, in one line. */
function sentences(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
