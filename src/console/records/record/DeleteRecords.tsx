import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { ApiFailure } from '#console/api/failure.ts'
import { invalidate } from '#console/api/queries.ts'
import { counted } from '#domain/text/words.ts'
import { CheckboxField } from '#console/ui/form/fields/CheckboxField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { BulkDialog } from '../bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { deleteRecord, evictRecords } from './recordCalls.ts'
import { deletionText, recreateRecords } from './recreateRecords.ts'
import type { CrudResource, RecordBase, RecordContext, Uses } from './resource.ts'
import * as css from '../records.module.css'

interface DeleteRecordsProps<T extends RecordBase> extends Pick<RecordContext<T>, 'usesOf'> {
  resource: CrudResource<T>
  nameOf: (record: T) => string
  chosen: readonly T[]
  onClose: () => void
}

const schema = z.object({ usedToo: z.boolean() })

/** Deletes many one after the other, with the result of each. Those in use stay, or are deleted only when it is confirmed. */
export function DeleteRecords<T extends RecordBase>(props: DeleteRecordsProps<T>) {
  const { resource, nameOf, chosen, onClose, usesOf = () => unused } = props
  const connection = useConnection()
  const { noun, deletion, uses } = resource
  const { control } = useSchemaForm(schema, { usedToo: false })
  const usedToo = useWatch({ control, name: 'usedToo' })
  const isUsed = ({ id }: { id: string }) => usesOf(id).summary !== ''
  const isKept = ({ id }: { id: string }) => usesOf(id).blocking || (uses?.confirmUsed && !usedToo && isUsed({ id }))
  const used = chosen.filter(isUsed)
  const deleted = chosen.filter((record) => !isKept(record))
  const kept = counted(chosen.length - deleted.length, noun)

  const remove = async ({ record }: { record: T }) => {
    if (isKept(record)) throw stillUsed(`Not deleted: used by ${usesOf(record.id).summary}.`)
    await deleteRecord(resource, connection.id, record)
  }
  const ended = (done: string[]) => {
    if (uses?.decidedBy) void invalidate(connection.id, uses.decidedBy)
    const gone = chosen.filter(({ id }) => done.includes(id))
    if (gone.length === 0) return
    // Before the message: who is told that a record is deleted must not see it in the list.
    void evictRecords(
      resource,
      connection.id,
      gone.map(({ id }) => [id]),
    )
    const back = gone.filter((record) => deletion.body && deletion.irreversible?.(record) === undefined)
    const recreate = () =>
      void recreateRecords({ resource, connection, deleted: back, nameOf, used: back.some(isUsed) })
    toast({
      tone: 'ok',
      text: `${counted(gone.length, noun)} deleted`,
      ...(back.length > 0 && { action: { label: 'Undo', run: recreate } }),
    })
  }
  return (
    <BulkDialog
      title={`Delete ${counted(chosen.length, noun)}?`}
      rows={chosen.map((record) => ({
        id: record.id,
        name: nameOf(record),
        record,
        blocker: isUsed(record) && usesOf(record.id).links(true),
      }))}
      task={remove}
      action={`Delete ${counted(deleted.length, noun)}`}
      danger
      destroys={deleted.length}
      irreversible={deleted.some((record) => deletion.irreversible?.(record) !== undefined)}
      disabled={
        uses?.confirmUsed && !props.usesOf
          ? 'What uses them is not known yet.'
          : deleted.length === 0
            ? 'All of them are in use.'
            : undefined
      }
      onEnd={ended}
      onClose={onClose}
    >
      {used.length > 0 && (
        <>
          <Notice tone={deleted.some(isUsed) ? 'warning' : 'info'}>
            {deleted.length < chosen.length && `In use and not deleted: ${kept}. ${uses?.blocked ?? ''} `}
            {deleted.some(isUsed) && uses?.left}
          </Notice>
          <UsesList records={used} nameOf={nameOf} usesOf={usesOf} />
        </>
      )}
      {uses?.confirmUsed && used.length > 0 && (
        <CheckboxField control={control} name="usedToo" label={`Also delete those in use. ${uses.left}`} />
      )}
      {deleted.length > 0 && <div>{deletionText(resource, deleted)}</div>}
    </BulkDialog>
  )
}

const unused: Uses = { count: 0, summary: '', blocking: false, links: () => null }

const stillUsed = (message: string) => new ApiFailure({ code: 'conflict', status: 409, message })

interface UsesListProps<T> {
  records: readonly T[]
  nameOf: (record: T) => string
  usesOf: (id: string) => Uses
}

/** Records in use, each with links to what uses it. */
function UsesList<T extends RecordBase>({ records, nameOf, usesOf }: UsesListProps<T>) {
  return (
    <ScrollRegion label="In use" className={css.usesList}>
      {records.map((record) => (
        <div key={record.id} className={css.deletionRecord}>
          <strong>{nameOf(record)}</strong>
          {usesOf(record.id).links(true)}
        </div>
      ))}
    </ScrollRegion>
  )
}
