/** Deletes one record: what uses it is shown first, and Undo recreates it. */
import { asFailure } from '#console/api/failure.ts'
import { invalidate } from '#console/api/queries.ts'
import { capitalized } from '#domain/text/words.ts'
import type { Connection } from '#contract/console/connections.ts'
import { WithConnection } from '#console/shell/connection.tsx'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { deleteRecord, evictRecords } from './recordCalls.ts'
import { deletionText, recreateRecords } from './recreateRecords.ts'
import type { CrudResource, RecordBase, RecordKey, Uses } from './resource.ts'
import * as css from '../records.module.css'

export interface Removal {
  /** Default: the record's ID. */
  key?: RecordKey
  /** Goes to the list: the record's own page must not read what is gone. */
  leave?: () => Promise<void>
}

/** A record that is not deleted because of what uses it. */
export interface InUse {
  name: string
  uses: Uses
}

interface Deletion<T extends RecordBase> {
  resource: CrudResource<T>
  connection: Connection
  record: T
  nameOf: (record: T) => string
}

/** Asks, where the resource wants it, and deletes the record. @returns what uses it, if that is why it was not deleted */
export async function deleteWithQuestion<T extends RecordBase>(
  { resource, connection, record, nameOf }: Deletion<T>,
  { key = [record.id], leave }: Removal,
): Promise<InUse | undefined> {
  const { noun, longNoun, deletion, uses: usesOf } = resource
  const name = nameOf(record)
  const readUses = (fresh: boolean) => usesOf?.read(connection.id, record.id, fresh)
  const uses = await readUses(false)
  if (uses?.blocking) return { name, uses }
  const used = usesOf !== undefined && uses?.summary !== ''
  const irreversible = deletion.body !== undefined && deletion.irreversible?.(record) !== undefined
  const asks = connection.stage === 'production' || !deletion.asksOnProductionOnly
  const body = (
    <WithConnection connection={connection}>
      <DeleteQuestion resource={resource} record={record} uses={uses} />
    </WithConnection>
  )
  const question = { title: `Delete ${noun} ${name}?`, body, action: `Delete ${noun}`, danger: true, irreversible }
  const typed = !deletion.body || (used && usesOf?.confirmUsed) ? { typed: name } : {}
  if (asks && !(await confirm({ ...question, ...typed }))) return undefined
  try {
    await deleteRecord(resource, connection.id, record, key)
  } catch (error) {
    await invalidate(connection.id, resource.name)
    const { code, current } = asFailure(error)
    const refused = code === 'conflict' && !current && usesOf?.blocked !== undefined
    const now = refused ? await readUses(true) : undefined
    if (now) return { name, uses: now }
    toastFailure(error)
    return undefined
  }
  await leave?.()
  // Before the message: who is told that the record is deleted must not see it in the list.
  const evicted = evictRecords(resource, connection.id, [key])
  const undo = () => void recreateRecords({ resource, connection, deleted: [record], nameOf, used })
  toast({
    tone: 'ok',
    text: `${capitalized(longNoun)} ${name} deleted`,
    ...(irreversible || !deletion.body ? {} : { action: { label: 'Undo', run: undo } }),
  })
  await evicted
  return undefined
}

interface DeleteQuestionProps<T extends RecordBase> {
  resource: CrudResource<T>
  record: T
  /** Undefined if they could not be read. */
  uses: Uses | undefined
}

/** The effect of deleting a record. */
function DeleteQuestion<T extends RecordBase>({ resource, record, uses }: DeleteQuestionProps<T>) {
  return (
    <div className={css.deleteQuestion}>
      {resource.uses && !uses && <div>What uses it could not be read. {resource.uses.left}</div>}
      {resource.uses && uses?.summary && (
        <>
          <div>
            Used by {uses.summary}. {resource.uses.left}
          </div>
          <div className={css.deletionUses}>{uses.links(true)}</div>
        </>
      )}
      <div>{deletionText(resource, [record])}</div>
    </div>
  )
}
