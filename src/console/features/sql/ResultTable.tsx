import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, useId, useMemo, useState } from 'react'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import type { SqlResult } from '#contract/stack/sql.ts'
import { textOf } from '#console/charting/sqlResult/resultFiles.ts'
import { kindOf } from '#console/charting/sqlResult/resultSeries.ts'
import * as css from './sql.module.css'

const rowHeight = 28
const maxHeight = 520
/** Rows whose texts decide how wide a column is. */
const measured = 200

/** The rows in sight. The arrow keys go from value to value, and the one that is chosen is shown whole below. */
export function ResultTable({ data: { columns, rows } }: { data: SqlResult }) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [at, setAt] = useState<{ row: number; column: number } | null>(null)
  const id = useId()
  // Its result changes with every scroll; nothing here is memoised on it.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: { width: 1000, height: maxHeight },
  })
  const widths = useMemo(() => columns.map((_, column) => widthOf(columns, rows, column)), [columns, rows])
  const template = { gridTemplateColumns: widths.map((width) => `${width}ch`).join(' '), minWidth: 'max-content' }

  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step || rows.length === 0) return
    event.preventDefault()
    const row = within((at?.row ?? -step[0]) + step[0], rows.length)
    const column = within((at?.column ?? -step[1]) + step[1], columns.length)
    setAt({ row, column })
    virtualizer.scrollToIndex(row)
    scroller?.querySelectorAll('[role=columnheader]')[column]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  if (rows.length === 0) return <p className={css.noRows}>The statement has no rows.</p>
  return (
    <>
      <div
        ref={setScroller}
        role="grid"
        aria-label="Rows"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={at ? `${id}-${at.row}-${at.column}` : undefined}
        tabIndex={0}
        onKeyDown={move}
        className={css.grid}
        style={{ maxHeight }}
      >
        <Head columns={columns} template={template} />
        <div role="rowgroup" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className={css.gridRow}
              style={{ ...template, transform: `translateY(${start}px)` }}
            >
              {columns.map(({ type }, column) => (
                // The grid has the keys.
                // oxlint-disable-next-line react/no-array-index-key, jsx-a11y/click-events-have-key-events
                <div
                  key={column}
                  id={`${id}-${index}-${column}`}
                  role="gridcell"
                  tabIndex={-1}
                  data-kind={kindOf(type)}
                  aria-selected={at?.row === index && at.column === column}
                  onClick={() => setAt({ row: index, column })}
                >
                  <Value value={rows[index]?.[column]} />
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
      {at && <ChosenValue column={columns[at.column]?.name} row={at.row} value={rows[at.row]?.[at.column]} />}
    </>
  )
}

interface HeadProps {
  columns: SqlResult['columns']
  /** The widths of the columns. */
  template: CSSProperties
}

function Head({ columns, template }: HeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={css.gridHead} style={template}>
      {columns.map(({ name, type }, column) => (
        // Columns may share a name.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={column} role="columnheader" data-kind={kindOf(type)}>
          <span>{name}</span>
          <small>{type}</small>
        </div>
      ))}
    </div>
  )
}

interface ChosenValueProps {
  /** The name of its column. */
  column: string | undefined
  /** The place of its row, from 0. */
  row: number
  value: unknown
}

/** A value as a whole. */
function ChosenValue({ column, row, value }: ChosenValueProps) {
  return (
    <div className={css.chosen} aria-live="polite">
      <div className={css.chosenHead}>
        <strong>{column}</strong> of row {row + 1}
        <CopyButton compact label="Copy value" text={textOf(value)} />
      </div>
      <pre>
        <Value value={value} whole />
      </pre>
    </div>
  )
}

function Value({ value, whole = false }: { value: unknown; whole?: boolean }) {
  if (value === null || value === undefined) return <span className={css.none}>NULL</span>
  if (value === '') return <span className={css.none}>empty</span>
  return whole && typeof value === 'object' ? JSON.stringify(value, null, 2) : textOf(value)
}

const steps: Record<string, readonly [row: number, column: number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [15, 0],
  PageUp: [-15, 0],
}

const within = (at: number, count: number): number => Math.min(Math.max(at, 0), count - 1)

/** Characters. */
function widthOf(columns: SqlResult['columns'], rows: SqlResult['rows'], at: number): number {
  const { name = '', type = '' } = columns[at] ?? {}
  const longest = rows.slice(0, measured).reduce((most, row) => Math.max(most, textOf(row[at]).length), 5)
  return Math.min(Math.max(longest, name.length, Math.min(type.length, 18)) + 3, 60)
}
