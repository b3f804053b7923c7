/** Deleting one record: what uses it is shown first, and Undo recreates it. */
import { useCallback, useState, type ReactNode } from 'react'
import { asFailure } from '#console/api/failure.ts'
import { invalidate } from '#console/api/queries.ts'
import { capitalized } from '#domain/text/words.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useConnection, WithConnection } from '../connection.tsx'
import { confirm } from '../messages/confirm.ts'
import { toastFailure } from '../messages/toastFailure.ts'
import { toast } from '../messages/toasts.tsx'
import { deletionText } from './deletionText.ts'
import { deleteRecord, evictRecords } from './recordCalls.ts'
import { recreateRecords } from './recreateRecords.ts'
import { asCrud, type CrudResource, type RecordBase, type RecordKey, type Resource, type Uses } from './resource.ts'
import css from './useDeleteRecord.module.css'

const InUseDialog = lazyComponent(async () => (await import('./InUseDialog.tsx')).InUseDialog)

interface Removal {
  /** Default: the record's ID. */
  key?: RecordKey
  /** Goes to the list: the record's own page must not read what is gone. */
  leave?: () => Promise<void>
}

type Remove<T> = (record: T, removal?: Removal) => Promise<void>

/** `dialog` belongs on the page; `remove` is undefined if records cannot be deleted. */
export function useDeleteRecord<T extends RecordBase>(
  resource: Resource<T>,
  nameOf = resource.nameOf,
): { remove: Remove<T> | undefined; dialog: ReactNode } {
  const crud = asCrud(resource)
  const connection = useConnection()
  const [inUse, setInUse] = useState<{ name: string; uses: Uses } | null>(null)

  const remove = useCallback<Remove<T>>(
    async (record, { key = [record.id], leave } = {}) => {
      if (!crud) return
      const { noun, longNoun, deletion, uses: usesOf } = crud
      const name = nameOf(record)
      const readUses = (fresh: boolean) => usesOf?.read(connection.id, record.id, fresh)
      const uses = await readUses(false)
      if (uses?.blocking) return setInUse({ name, uses })
      const used = usesOf !== undefined && uses?.summary !== ''
      const irreversible = deletion.body !== undefined && deletion.irreversible?.(record) !== undefined
      const asks = connection.stage === 'production' || !deletion.asksOnProductionOnly
      const body = (
        <WithConnection connection={connection}>
          <DeleteQuestion resource={crud} record={record} uses={uses} />
        </WithConnection>
      )
      const question = { title: `Delete ${name}?`, body, action: `Delete ${noun}`, danger: true, irreversible }
      const typed = !deletion.body || (used && usesOf?.confirmUsed) ? { typed: name } : {}
      if (asks && !(await confirm({ ...question, ...typed }))) return
      try {
        await deleteRecord(crud, connection.id, record, key)
      } catch (error) {
        await invalidate(connection.id, crud.name)
        const { code, current } = asFailure(error)
        const refused = code === 'conflict' && !current && usesOf?.blocked !== undefined
        const now = refused ? await readUses(true) : undefined
        return now ? setInUse({ name, uses: now }) : toastFailure(error)
      }
      await leave?.()
      // Before the message: who is told that the record is deleted must not see it in the list.
      const evicted = evictRecords(crud, connection.id, [key])
      const undo = () => void recreateRecords({ resource: crud, connection, deleted: [record], nameOf, used })
      toast({
        tone: 'ok',
        text: `${capitalized(longNoun)} ${name} deleted.`,
        ...(irreversible || !deletion.body ? {} : { action: { label: 'Undo', run: undo } }),
      })
      await evicted
    },
    [crud, connection, nameOf],
  )

  const blocked = resource.uses?.blocked ?? ''
  const dialog = inUse && <InUseDialog {...inUse} blocked={blocked} onClose={() => setInUse(null)} />
  return { remove: crud && remove, dialog }
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
          <div className={css.uses}>{uses.links(true)}</div>
        </>
      )}
      <div>{deletionText(resource, [record])}</div>
    </div>
  )
}
