import { useCallback, useMemo, useRef } from 'react'
import { useElementSize } from '../useElementSize.ts'
import { columnWidths, fittingColumns, nameLines, phoneWidth, textWidths } from './columns.ts'
import { actionsWidth, headHeight, selectWidth, tableLines, type ScrollerProps } from './tableParts.ts'
import { TableBody } from './TableBody.tsx'
import { TableHead } from './TableHead.tsx'
import { useLinesInSight } from './useLinesInSight.ts'
import * as css from './table.module.css'

const rowHeights = { dense: 26, roomy: 32 }
/** Pixels of each further line of a name. */
const lineHeight = 18
const skeletonRows = 8

/** The table itself: a real one, with a head that stays and the rows in sight. */
export function TableScroller<Row extends { id: string }>(props: ScrollerProps<Row>) {
  const { label, rows, groupOf, loading, state, rowActions, onSelection } = props
  const scroller = useRef<HTMLDivElement | null>(null)
  const [measure, { width: room, height }] = useElementSize()
  const ref = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element
      return measure(element)
    },
    [measure],
  )
  const frame = (onSelection ? selectWidth : 0) + (rowActions ? actionsWidth : 0)
  const isChosen = state.columns !== null
  // The same ones while the table scrolls: rows are drawn again with others.
  const columns = useMemo(
    () => fittingColumns(props.columns, room - frame, isChosen),
    [props.columns, room, frame, isChosen],
  )
  const texts = useMemo(() => textWidths(columns, rows), [columns, rows])
  const widths = useMemo(() => columnWidths(columns, room - frame, texts), [columns, room, frame, texts])
  const maxLines = room === 0 ? 1 : room < phoneWidth ? 6 : state.dense ? 1 : 2
  const linesOfName = useMemo(
    () => nameLines(columns, rows, widths[0] ?? 0, maxLines),
    [columns, rows, widths, maxLines],
  )
  const rowHeight = (state.dense ? rowHeights.dense : rowHeights.roomy) + (linesOfName - 1) * lineHeight
  const lines = useMemo(() => tableLines(rows, groupOf), [rows, groupOf])
  const count = loading ? skeletonRows : lines.length
  const { places, before, after } = useLinesInSight(scroller, height, count, rowHeight)
  return (
    <div ref={ref} className={css.tableScroller} style={{ scrollPaddingTop: headHeight }}>
      <table
        aria-label={label}
        aria-rowcount={lines.length + 1}
        aria-busy={loading}
        className={css.scrollerTable}
        style={{ width: frame + widths.reduce((sum, width) => sum + width, 0) }}
      >
        <colgroup>
          {onSelection && <col style={{ width: selectWidth }} />}
          {columns.map((column, at) => (
            <col key={column.id} style={{ width: widths[at] }} />
          ))}
          {rowActions && <col style={{ width: actionsWidth }} />}
        </colgroup>
        <TableHead {...props} columns={columns} />
        <TableBody
          {...props}
          columns={columns}
          lines={lines}
          rowHeight={rowHeight}
          linesOfName={linesOfName}
          places={places}
          before={before}
          after={after}
        />
      </table>
    </div>
  )
}
