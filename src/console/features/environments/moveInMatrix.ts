import type { KeyboardEvent } from 'react'

/** Arrow keys go to the neighbouring cell, past the titles of groups; Enter and Space open a cell. Focus scrolls it into sight. */
export function moveInMatrix(event: KeyboardEvent<HTMLElement>): void {
  const { key, target } = event
  if (!(target instanceof HTMLTableCellElement) || event.altKey || event.ctrlKey || event.metaKey) return
  if (key === 'Enter' || key === ' ') {
    event.preventDefault()
    target.click()
    return
  }
  const next = neighbourOf(target, key)
  if (!next) return
  event.preventDefault()
  next.focus()
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function neighbourOf(cell: HTMLTableCellElement, key: string): HTMLElement | null {
  if (key === 'ArrowLeft') return asCell(cell.previousElementSibling)
  if (key === 'ArrowRight') return asCell(cell.nextElementSibling)
  const step = key === 'ArrowDown' ? 'nextElementSibling' : key === 'ArrowUp' ? 'previousElementSibling' : undefined
  if (!step) return null
  let row = cell.parentElement?.[step]
  while (row && row.querySelector('td') === null) row = row[step]
  return asCell(row?.children[cell.cellIndex] ?? null)
}

/** Beside the columns that are drawn is one cell for all others, which nobody can focus. */
const asCell = (element: Element | null) =>
  element instanceof HTMLElement && element.tagName === 'TD' && element.hasAttribute('tabindex') ? element : null
