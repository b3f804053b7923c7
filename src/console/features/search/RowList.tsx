import Box from '@mui/material/Box'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useMemo, useRef } from 'react'
import { useElementSize } from '#console/ui/useElementSize.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { inZone, type Zone } from '#console/ui/time/zone.ts'
import type { ResultColumn, ResultRow } from './columns.ts'
import { formatDuration, severityTone } from './rowFormat.ts'
import { listStyle, rowHeights, timeFormatOf, trackVariables } from './rowListStyle.ts'
import type { SearchRows } from './useSearchRows.ts'

/** Narrower lists show cards, in pixels. */
const cardsBelow = 520

interface RowListProps {
  rows: SearchRows
  columns: readonly ResultColumn[]
  zone: Zone
  /** The row that the keyboard is at; -1 for none. */
  at: number
  onSelect: (at: number) => void
}

/** The rows in sight. Older ones are loaded when the end comes near. */
export function RowList({ rows: query, columns, zone, at, onSelect }: RowListProps) {
  const { rows, hasNextPage, isFetching, fetchNextPage } = query
  const scroller = useRef<HTMLDivElement | null>(null)
  const [measure, { width }] = useElementSize()
  const ref = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element
      return measure(element)
    },
    [measure],
  )
  const cards = width > 0 && width < cardsBelow
  const rowHeight = cards ? rowHeights.card : rowHeights.line
  // What it returns changes with every scroll; nothing here is memoised on it.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 1000, height: 640 },
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasNextPage && !isFetching && last >= rows.length - 50) void fetchNextPage()
  }, [hasNextPage, isFetching, last, rows.length, fetchNextPage])
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at)
  }, [at, virtualizer])
  const time = timeFormatOf(query.first?.span)
  const style = useMemo(() => listStyle(cards), [cards])
  const select = useRef(onSelect)
  useEffect(() => {
    select.current = onSelect
  })
  return (
    <Box
      ref={ref}
      role="grid"
      aria-label="Rows"
      aria-rowcount={rows.length + 1}
      aria-busy={isFetching}
      tabIndex={0}
      {...(at >= 0 && { 'aria-activedescendant': rowId(at) })}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
        if (event.key === 'Enter' && at >= 0) onSelect(at)
        else if (step !== undefined && rows[at + step]) onSelect(at + step)
        else return
        event.preventDefault()
      }}
      style={{ ...trackVariables(columns, time.width), opacity: query.isPlaceholderData ? 0.5 : 1 }}
      sx={style}
    >
      <div role="row" className="head" aria-rowindex={1}>
        <span role="columnheader">Time</span>
        {columns.map(({ expression }) => (
          <span key={expression} role="columnheader" title={expression}>
            {expression}
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {items.map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              <Row
                key={index}
                row={row}
                at={index}
                top={start}
                columns={columns}
                zone={zone}
                timeFormat={time.format}
                selected={index === at}
                onSelect={select}
              />
            )
          )
        })}
      </div>
    </Box>
  )
}

const rowId = (at: number) => `search-row-${at}`

interface RowProps {
  row: ResultRow
  at: number
  top: number
  columns: readonly ResultColumn[]
  zone: Zone
  timeFormat: string
  selected: boolean
  onSelect: { current: (at: number) => void }
}

const Row = memo(function Row({ row, at, top, columns, zone, timeFormat, selected, onSelect }: RowProps) {
  return (
    // The grid has the keys; `aria-activedescendant` names the row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="row"
      id={rowId(at)}
      aria-rowindex={at + 2}
      aria-selected={selected}
      className="row"
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect.current(at)}
    >
      <span role="gridcell" className="time">
        {Number.isNaN(row.at) ? row.time : inZone(row.at, zone).format(timeFormat)}
      </span>
      {columns.map((column, place) => (
        <span key={column.expression} role="gridcell" className={column.wide ? 'wide' : ''}>
          {cell(column, row.values[place] ?? '')}
        </span>
      ))}
    </div>
  )
})

function cell({ role }: ResultColumn, value: string) {
  if (role === 'severity') return value && <StatusChip tone={severityTone(value)}>{value}</StatusChip>
  if (role === 'duration') return formatDuration(value)
  return value
}
