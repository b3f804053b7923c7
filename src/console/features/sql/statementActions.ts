/** Deleting saved statements, and bringing them back. */
import { deleteStatement, saveStatement } from '#console/api/gateway/savedStatements.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import type { SavedStatement } from '#contract/console/savedStatements.ts'
import { counted } from '#domain/text/words.ts'

interface Followed {
  onDeleted?: () => void
  /** The statement has another ID than before. */
  onRestored?: (restored: SavedStatement) => void
}

/** Deletes a statement as it was read. The message offers to save it again. */
export async function deleteWithUndo(
  connectionId: string,
  read: SavedStatement,
  { onDeleted, onRestored }: Followed = {},
): Promise<void> {
  try {
    await deleteStatement(connectionId, read)
  } catch (error) {
    toastFailure(error)
    return
  }
  onDeleted?.()
  toast({
    tone: 'ok',
    text: `Statement ${read.name} deleted`,
    action: { label: 'Undo', run: () => void restoreStatements(connectionId, [read], onRestored) },
  })
}

/** Saves deleted statements again, one after the other, up to the first that cannot be. */
export async function restoreStatements(
  connectionId: string,
  deleted: readonly SavedStatement[],
  onRestored?: Followed['onRestored'],
): Promise<void> {
  try {
    for (const { name, text } of deleted) {
      const restored = await saveStatement(connectionId, { name, text })
      onRestored?.(restored)
    }
    const [only] = deleted
    const which = only && deleted.length === 1 ? `Statement ${only.name}` : counted(deleted.length, 'statement')
    toast({ tone: 'ok', text: `${which} saved again` })
  } catch (error) {
    toastFailure(error)
  }
}
