import { useMemo } from 'react'
import { sideBySide, type SideLine, type SideRow } from './sideBySide.ts'
import * as css from './history.module.css'

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
