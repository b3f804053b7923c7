/** Moves the keyboard focus to a neighbor when the focused element is removed. */
import { useEffect, useRef, type FocusEvent, type RefObject } from 'react'
import { controlsOf, firstRowIndex } from './tableParts.ts'

interface FocusedControl {
  element: HTMLElement
  /** Where in the table: undefined above it. */
  row?: { id: string; place: number; control: number }
}

/**
 * Hands the focus on when its row was deleted or filtered away: to the same control of the row that took the place, to
 * the search when a button above the rows went, and to what says that there are no rows any more. A row that was only
 * scrolled out of sight is not missed.
 */
export function useFocusRecovery<Row extends { id: string }>(
  root: RefObject<HTMLElement | null>,
  rows: readonly Row[],
): (event: FocusEvent<HTMLElement>) => void {
  const held = useRef<FocusedControl | null>(null)
  useEffect(() => {
    const lost = held.current
    if (!lost || lost.element.isConnected || document.activeElement !== document.body) return
    const { row } = lost
    if (row && rows.some(({ id }) => id === row.id)) return
    held.current = null
    const next = row && rowAt(root.current, Math.min(row.place, rows.length - 1))
    const search = root.current?.querySelector<HTMLElement>('input[type=search]')
    const target = (next ? controlsOf(next)[row.control] : search) ?? root.current
    target?.focus()
  }, [root, rows])
  return ({ target }) => {
    const tr = target.closest('tbody tr')
    const place = Number(tr?.getAttribute('aria-rowindex')) - firstRowIndex
    const id = rows[place]?.id
    const row = tr && id !== undefined ? { row: { id, place, control: controlsOf(tr).indexOf(target) } } : {}
    held.current = { element: target, ...row }
  }
}

const rowAt = (root: HTMLElement | null, place: number) =>
  root?.querySelector(`tbody tr[aria-rowindex="${place + firstRowIndex}"]`)
