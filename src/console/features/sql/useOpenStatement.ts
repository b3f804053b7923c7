/** The text in the editor of the SQL page, and the saved statement that it belongs to. */
import { useEffect, useRef, useState } from 'react'
import { noteUse } from '#console/api/gateway/savedStatements.ts'
import { keepDraft, readDraft } from '#console/charting/sqlDraft.ts'
import { useUrlState } from '#console/shell/urlState.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { SavedStatement } from '#contract/console/savedStatements.ts'
import type { SqlQuery } from '#contract/stack/sql.ts'
import { sqlState } from './sqlState.ts'
import { deleteWithUndo } from './statementActions.ts'

export interface OpenStatement {
  text: string
  /** The saved statement; undefined if none is open, and for one that is gone. */
  open: SavedStatement | undefined
  /** Whether the address names a statement that is gone. */
  isGone: boolean
  edit(text: string): void
  /** Opens a saved statement; with the ID `''` a text that is not saved. */
  openStatement(statement: { id: string; text: string }): void
  /** Deletes a saved statement. Its text stays in the editor. */
  remove(read: SavedStatement): Promise<void>
  /** Notes that the open statement is run, if the query runs it as it is saved. */
  noteRun(query: Pick<SqlQuery, 'statement' | 'explain'>): void
}

/**
 * @param statements undefined if they could not be read
 * @param first the text where none was written before
 */
export function useOpenStatement(
  connection: Connection,
  statements: readonly SavedStatement[] | undefined,
  first: () => string,
): OpenStatement {
  const { id: connectionId } = connection
  const [{ saved }, change] = useUrlState(sqlState)
  const open = statements?.find(({ id }) => id === saved)
  const [text, setText] = useState(() => open?.text ?? readDraft(connectionId) ?? first())
  const [opened, setOpened] = useState(saved)
  // The address now names another statement, as after a link or a choice in the command palette.
  if (saved !== opened) {
    setOpened(saved)
    if (open) setText(open.text)
  }
  // For a deletion, which ends later, and its Undo, which other pages offer too. Null once this page was left.
  const shown = useRef<{ saved: string; text: string } | null>(null)
  useEffect(() => {
    shown.current = { saved, text }
    return () => {
      shown.current = null
    }
  })

  const edit = (next: string) => {
    setText(next)
    keepDraft(connectionId, next)
  }
  const onDeleted = ({ id }: SavedStatement) => {
    if (shown.current?.saved !== id) return
    keepDraft(connectionId, shown.current.text)
    change({ saved: '' })
  }
  const onRestored = ({ id, text: restored }: SavedStatement) => {
    if (shown.current?.saved === '' && shown.current.text === restored) change({ saved: id })
  }
  return {
    text,
    open,
    isGone: saved !== '' && statements !== undefined && !open,
    edit,
    openStatement({ id, text: next }) {
      change({ saved: id })
      edit(next)
    },
    remove: (read) => deleteWithUndo(connection, read, { onDeleted: () => onDeleted(read), onRestored }),
    noteRun({ statement, explain }) {
      if (explain || !open || statement !== open.text) return
      // Nobody waits for it, and the statement runs all the same.
      noteUse(connectionId, open).catch(() => undefined)
    },
  }
}
