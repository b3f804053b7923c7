import { useMemo } from 'react'
import * as css from './history.module.css'
import { diffLines } from 'diff'

/** Two versions of a record as text, line by line. */
export function SideBySide({ before, after }: { before: string; after: string }) {
  const rows = useMemo(() => sideBySide(before, after), [before, after])
  return (
    // It scrolls, so the keyboard has to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.sideBySides} role="group" aria-label="Versions side by side" tabIndex={0}>
      {rows.map((row, index) => (
        // Lines have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Row key={index} row={row} />
      ))}
    </div>
  )
}

function Row({ row }: { row: SideRow }) {
  if (row.state === 'gap') return <div className={css.gap}>{row.count} more lines are the same</div>
  const changed = row.state === 'changed'
  return (
    <>
      <Line line={row.left} className={changed ? css.removed : undefined} />
      <Line line={row.right} className={changed ? css.added : undefined} />
    </>
  )
}

function Line({ line, className = '' }: { line: SideLine | null; className?: string | undefined }) {
  return (
    <div className={`${css.sideBySideLine} ${line ? className : ''}`}>
      <i>{line?.number}</i>
      {line?.text}
    </div>
  )
}

interface SideLine {
  number: number
  text: string
}

type SideRow =
  | { state: 'same'; left: SideLine; right: SideLine }
  | { state: 'changed'; left: SideLine | null; right: SideLine | null }
  /** Lines that are the same, left out. */
  | { state: 'gap'; count: number }

/** Lines around a change that are shown. */
const context = 3

export function sideBySide(before: string, after: string): SideRow[] {
  const rows: SideRow[] = []
  let [left, right] = [0, 0]
  const parts = diffLines(before, after)
  for (const [index, part] of parts.entries()) {
    const lines = part.value.replace(/\n$/, '').split('\n')
    if (!part.added && !part.removed) {
      for (const text of lines)
        rows.push({ state: 'same', left: { number: ++left, text }, right: { number: ++right, text } })
      continue
    }
    // An addition that follows a removal takes its place.
    if (part.added && parts[index - 1]?.removed) continue
    const next = parts[index + 1]
    const added = part.added ? lines : part.removed && next?.added ? next.value.replace(/\n$/, '').split('\n') : []
    const removed = part.removed ? lines : []
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const [removedLine, addedLine] = [removed[at], added[at]]
      rows.push({
        state: 'changed',
        left: removedLine === undefined ? null : { number: ++left, text: removedLine },
        right: addedLine === undefined ? null : { number: ++right, text: addedLine },
      })
    }
  }
  return withoutFar(rows)
}

/** Lines far from any change are left out. */
function withoutFar(rows: readonly SideRow[]): SideRow[] {
  const changed = rows.flatMap(({ state }, index) => (state === 'changed' ? [index] : []))
  const near = new Set(
    changed.flatMap((at) => Array.from({ length: 2 * context + 1 }, (_, step) => at - context + step)),
  )
  const shown: SideRow[] = []
  let hidden = 0
  for (const [index, row] of rows.entries()) {
    if (!near.has(index)) {
      hidden += 1
      continue
    }
    if (hidden > 0) shown.push({ state: 'gap', count: hidden })
    hidden = 0
    shown.push(row)
  }
  if (hidden > 0) shown.push({ state: 'gap', count: hidden })
  return shown
}
