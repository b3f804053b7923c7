import Box from '@mui/material/Box'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useRef } from 'react'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { mono } from '#console/ui/theme/tokens.ts'
import { inZone, type Zone } from '#console/ui/time/zone.ts'
import type { ResultColumn, ResultRow } from './columns.ts'
import { formatDuration, severityTone } from './rowFormat.ts'
import type { SearchRows } from './useSearchRows.ts'

const rowHeight = 26

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
  // What it returns changes with every scroll; nothing here is memoised on it.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 1000, height: 640 },
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasNextPage && !isFetching && last >= rows.length - 50) void fetchNextPage()
  }, [hasNextPage, isFetching, last, rows.length, fetchNextPage])
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at)
  }, [at, virtualizer])
  const select = useRef(onSelect)
  useEffect(() => {
    select.current = onSelect
  })
  return (
    <Box
      ref={scroller}
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
      sx={{
        ...listSx,
        '--columns': `190px ${columns.map(trackOf).join(' ')}`,
        opacity: query.isPlaceholderData ? 0.5 : 1,
      }}
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

function trackOf({ wide, role }: ResultColumn): string {
  if (wide) return 'minmax(220px, 1fr)'
  return role === undefined ? 'minmax(90px, 150px)' : '90px'
}

interface RowProps {
  row: ResultRow
  at: number
  top: number
  columns: readonly ResultColumn[]
  zone: Zone
  selected: boolean
  onSelect: { current: (at: number) => void }
}

const Row = memo(function Row({ row, at, top, columns, zone, selected, onSelect }: RowProps) {
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
        {formatTime(row, zone)}
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

function formatTime({ at, time }: ResultRow, zone: Zone): string {
  return Number.isNaN(at) ? time : inZone(at, zone).format('D MMM HH:mm:ss.SSS')
}

/** For all rows together: a rule for each would cost more than the rows. */
const listSx = {
  height: { xs: 'calc(100dvh - 300px)', md: 'calc(100dvh - 470px)' },
  minHeight: 280,
  overflow: 'auto',
  border: 1,
  borderColor: 'divider',
  borderRadius: '10px',
  bgcolor: 'background.paper',
  '& .head, & .row': {
    display: 'grid',
    gridTemplateColumns: 'var(--columns)',
    columnGap: '12px',
    alignItems: 'center',
    height: rowHeight,
    px: '12px',
    minWidth: '100%',
    width: 'max-content',
    maxWidth: { md: '100%' },
  },
  '& .head': {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    bgcolor: 'background.paper',
    borderBottom: 1,
    borderColor: 'divider',
    color: 'text.secondary',
    fontWeight: 550,
    height: 30,
  },
  '& .row': { position: 'absolute', top: 0, left: 0, right: 0, cursor: 'pointer', fontSize: 12.5 },
  '& .row:hover': { bgcolor: 'action.hover' },
  '& .row[aria-selected=true]': { bgcolor: 'action.selected', boxShadow: 'inset 3px 0 var(--sc-palette-primary-main)' },
  '& span[role]': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  '& .time, & .wide': { fontFamily: mono, fontSize: 12 },
  '& .time': { color: 'text.secondary' },
} as const
