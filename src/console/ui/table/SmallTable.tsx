import type { CSSProperties, ReactNode } from 'react'
import * as base from '#console/ui/base/base.module.css'
import { ScrollRegion } from '../layout/ScrollRegion.tsx'

interface Head {
  title: string
  /** To the right. Its cells have `table.number`. */
  number?: true
  /** Only for screen readers, such as the head of buttons. */
  hidden?: true
}

interface SmallTableProps {
  label: string
  heads: readonly (string | Head)[]
  /** The class of the region that scrolls. */
  className?: string | undefined
  /** Rows, with a cell for each head. */
  children: ReactNode
}

/** A table of a few rows. On a phone, each row is a card with the heads beside its values. */
export function SmallTable({ label, heads, className, children }: SmallTableProps) {
  const all = heads.map((head): Head => (typeof head === 'string' ? { title: head } : head))
  // `base.module.css` shows them before the cells.
  const titles = all.flatMap(({ title, hidden }, at) => (hidden ? [] : [[`--head-${at + 1}`, JSON.stringify(title)]]))
  return (
    <ScrollRegion label={label} className={className}>
      {/* Custom properties are not among React's styles. */}
      <table
        className={base.table}
        aria-label={label}
        data-cards=""
        style={Object.fromEntries(titles) as CSSProperties}
      >
        <thead>
          <tr>
            {all.map(({ title, number, hidden }) => (
              <th key={title} {...(number && { className: base.tableNumber })} {...(hidden && { 'aria-label': title })}>
                {!hidden && title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollRegion>
  )
}
