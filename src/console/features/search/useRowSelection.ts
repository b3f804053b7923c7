import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { paths } from '#console/paths/paths.ts'
import { usePageActions } from '#console/shell/pageActions.ts'
import type { SearchState } from './query/state.ts'
import type { SearchRows } from './query/useSearchRows.ts'

interface SelectionOptions {
  connectionId: string
  state: SearchState
  rows: SearchRows
  editor: RefObject<HTMLInputElement | null>
  change: (patch: Partial<SearchState>) => void
  toggleLive: () => void
}

export interface RowSelection {
  /** Index of the row with the cursor; -1 without one. */
  at: number
  /** Index of the row whose details are shown; -1 without one. */
  open: number
  /** Moves the cursor. The details follow if they are open. */
  select: (next: number, opens?: boolean) => void
  clear: () => void
}

/** The row with the cursor and the open one, which is part of the URL, and the keys of the page. */
export function useRowSelection(options: SelectionOptions): RowSelection {
  const { connectionId, state, rows, editor, change, toggleLive } = options
  const [cursor, setCursor] = useState('')
  const open = rows.rows.findIndex(({ key }) => key === state.row)
  const at = open >= 0 ? open : cursor === '' ? -1 : rows.rows.findIndex(({ key }) => key === cursor)
  const select = (next: number, opens = open >= 0) => {
    const row = rows.rows[next]
    if (!row || state.view === 'patterns') return
    setCursor(row.key)
    if (opens) change({ row: row.key })
  }
  const navigate = useNavigate()
  const openTrace = () => {
    const row = rows.rows[at]
    if (!row?.traceId) return
    void navigate({
      to: paths.trace(connectionId, row.traceId),
      search: { at: String(row.at), span: row.spanId },
    })
  }
  const keys = useRef({ at, select, toggleLive, openTrace })
  useEffect(() => {
    keys.current = { at, select, toggleLive, openTrace }
  })
  const actions = useMemo(
    () => [
      { label: 'Next row', key: 'j', run: () => keys.current.select(keys.current.at + 1) },
      { label: 'Previous row', key: 'k', run: () => keys.current.select(Math.max(0, keys.current.at - 1)) },
      { label: 'Open row', key: 'o', run: () => keys.current.select(Math.max(0, keys.current.at), true) },
      { label: 'Open trace', key: 't', run: () => keys.current.openTrace() },
      { label: 'Switch live tail on or off', key: 'p', run: () => keys.current.toggleLive() },
      { label: 'Edit condition', key: '/', run: () => editor.current?.focus() },
    ],
    [editor],
  )
  usePageActions(actions)
  return { at, open, select, clear: () => setCursor('') }
}
