/** Deleting saved statements, and bringing them back. */
import { deleteStatement, saveStatement } from '#console/api/gateway/savedStatements.ts'
import { formatError } from '#console/api/errors.ts'
import { asFailure } from '#console/api/failure.ts'
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

/**
 * Saves deleted statements again, one after the other. The message says how many could be, and offers to try again with the
 * others. Those that may be saved although the response was lost are not tried again.
 */
export async function restoreStatements(
  connectionId: string,
  deleted: readonly SavedStatement[],
  onRestored?: Followed['onRestored'],
): Promise<void> {
  const failed: { statement: SavedStatement; error: unknown }[] = []
  for (const statement of deleted) {
    const { name, text } = statement
    try {
      const restored = await saveStatement(connectionId, { name, text })
      onRestored?.(restored)
    } catch (error) {
      failed.push({ statement, error })
    }
  }
  const [first] = failed
  if (!first) {
    toast({ tone: 'ok', text: `${namesOf(deleted)} saved again` })
    return
  }
  const left = failed.filter(({ error }) => !isUnknown(error)).map(({ statement }) => statement)
  toast({
    tone: left.length === 0 ? 'unknown' : 'bad',
    text: `${deleted.length - failed.length} of ${counted(deleted.length, 'statement')} saved again. ${reasonsOf(failed)}`,
    ...(left.length > 0 && {
      action: { label: 'Try again', run: () => void restoreStatements(connectionId, left, onRestored) },
    }),
  })
}

const isUnknown = (error: unknown): boolean => asFailure(error).code === 'outcomeUnknown'

function namesOf(statements: readonly SavedStatement[]): string {
  const [only] = statements
  return only && statements.length === 1 ? `Statement ${only.name}` : counted(statements.length, 'statement')
}

/** The reason of the first failure, and what may be saved although nobody knows. */
function reasonsOf(failed: readonly { statement: SavedStatement; error: unknown }[]): string {
  const known = failed.find(({ error }) => !isUnknown(error))
  const unknown = failed.filter(({ error }) => isUnknown(error)).map(({ statement }) => statement)
  return [
    known && `${known.statement.name}: ${formatError(known.error).sentence}`,
    unknown.length > 0 && `${namesOf(unknown)} may be saved: no response arrived. Look at the list first.`,
  ]
    .filter(Boolean)
    .join(' ')
}
