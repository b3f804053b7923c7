import { deleteStatement } from '#console/api/gateway/savedStatements.ts'
import { BulkDialog } from '#console/records/bulk/BulkDialog.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { SavedStatement } from '#contract/console/savedStatements.ts'
import { counted } from '#domain/text/words.ts'
import { restoreStatements } from './statementActions.ts'

interface DeleteStatementsProps {
  connection: Connection
  chosen: readonly SavedStatement[]
  onClose: () => void
}

/** Deletes many statements as they were read, one after the other, with the result of each. */
export function DeleteStatements({ connection, chosen, onClose }: DeleteStatementsProps) {
  const what = counted(chosen.length, 'statement')
  const ended = (done: string[]) => {
    const gone = chosen.filter(({ id }) => done.includes(id))
    if (gone.length === 0) return
    toast({
      tone: 'ok',
      text: `${counted(gone.length, 'statement')} deleted`,
      action: { label: 'Undo', run: () => void restoreStatements(connection, gone) },
    })
  }
  return (
    <BulkDialog
      title={`Delete ${what}?`}
      rows={chosen}
      task={async (statement) => {
        await deleteStatement(connection.id, statement)
      }}
      action={`Delete ${what}`}
      danger
      onEnd={ended}
      onClose={onClose}
    >
      <div>They are deleted for everybody who may run SQL here. Undo saves them again, with new IDs.</div>
    </BulkDialog>
  )
}
