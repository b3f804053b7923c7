/** Deleting saved statements, and bringing them back. */
import { deleteStatement, saveStatement } from '#console/api/gateway/savedStatements.ts'
import { restoreAll } from '#console/records/bulk/restoreAll.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { SavedStatement } from '#contract/console/savedStatements.ts'
import { counted } from '#domain/text/words.ts'

interface Followed {
  onDeleted?: () => void
  /** The statement has another ID than before. */
  onRestored?: (restored: SavedStatement) => void
}

/** Deletes a statement as it was read. The message offers to save it again. */
export async function deleteWithUndo(
  connection: Connection,
  read: SavedStatement,
  { onDeleted, onRestored }: Followed = {},
): Promise<void> {
  try {
    await deleteStatement(connection.id, read)
  } catch (error) {
    toastFailure(error)
    return
  }
  onDeleted?.()
  toast({
    tone: 'ok',
    text: `Statement ${read.name} deleted`,
    action: { label: 'Undo', run: () => void restoreStatements(connection, [read], onRestored) },
  })
}

/** Saves deleted statements again as a job of the frame, which shows those that failed and tries them again. */
export function restoreStatements(
  connection: Connection,
  deleted: readonly SavedStatement[],
  onRestored?: Followed['onRestored'],
): Promise<void> {
  return restoreAll(deleted, {
    connection,
    title: `Save ${counted(deleted.length, 'statement')} again`,
    nameOf: ({ name }) => name,
    make: async ({ name, text }) => {
      const restored = await saveStatement(connection.id, { name, text })
      onRestored?.(restored)
      return restored
    },
    one: ({ name }) => `Statement ${name} saved again`,
    many: (count) => `${counted(count, 'statement')} saved again`,
  })
}
