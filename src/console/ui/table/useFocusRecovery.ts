/** Moves the keyboard focus to a neighbor when the focused element is removed. */
import { useEffect, useRef, type FocusEvent, type RefObject } from 'react'
import { controlAt, controlsOf, positionOf, type ControlPosition } from './tableParts.ts'

interface FocusedControl {
  element: HTMLElement
  /** Where in the table: undefined above it. */
  row?: { id: string; rowIndex: number; control: ControlPosition }
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
    const next = row && rowInPlaceOf(root.current, row.rowIndex)
    const search = root.current?.querySelector<HTMLElement>('input[type=search]')
    const target = (next ? controlAt(next, row.control) : search) ?? root.current
    target?.focus()
  }, [root, rows])
  return ({ target }) => {
    const tr = target.closest<HTMLElement>('tbody tr')
    const id = tr?.dataset.row
    const row =
      id === undefined || !tr ? {} : { row: { id, rowIndex: rowIndexOf(tr), control: positionOf(tr, target) } }
    held.current = { element: target, ...row }
  }
}

/** The next row, or the last one; titles of groups have no controls. */
function rowInPlaceOf(root: HTMLElement | null, rowIndex: number): Element | undefined {
  const drawn = [...(root?.querySelectorAll('tbody tr[data-row]') ?? [])].filter((tr) => controlsOf(tr).length > 0)
  return drawn.find((tr) => rowIndexOf(tr) >= rowIndex) ?? drawn.at(-1)
}

const rowIndexOf = (tr: Element) => Number(tr.getAttribute('aria-rowindex'))
