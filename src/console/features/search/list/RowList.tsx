import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactElement } from 'react'
import { useElementSize } from '#console/ui/useElementSize.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Zone } from '#domain/time/zone.ts'
import { formatClock, formatMoment } from '#console/ui/time/formatTime.ts'
import { withoutAlias, type ResultColumn, type ResultRow } from '#console/charting/rows/columns.ts'
import { severityTone } from '#console/charting/rows/rowFormat.ts'
import { formatNanoseconds } from '#domain/charts/units.ts'
import { ColumnHead } from './ColumnHead.tsx'
import { directionOf, layoutOf, orderBy, withMoved, withWidth } from '../row/columnLayout.ts'
import { patternFor, splitMatches, type MatchedTerms } from '../row/matchedTerms.ts'
import { rowHeights, timeFormatOf, trackVariables } from './trackLayout.ts'
import type { SearchState } from '../query/state.ts'
import type { SearchRows } from '../query/useSearchRows.ts'
import * as css from '../search.module.css'
import { VirtualRows } from './VirtualRows.tsx'

/** Narrower lists show cards, in pixels. */
const cardsBelow = 520

interface RowListProps {
  rows: SearchRows
  columns: readonly ResultColumn[]
  /** Chosen widths by expression. */
  widths: ReadonlyMap<string, number>
  /** ORDER BY; empty for newest first. */
  order: string
  timestamp: string
  terms: MatchedTerms
  /** Changes columns, widths or order. */
  onLayout: (patch: Partial<SearchState>) => void
  zone: Zone
  /** The row that the keyboard is at; -1 for none. */
  at: number
  onSelect: (at: number) => void
  /** Called when the list is scrolled away from its top, and back. */
  onAway: (away: boolean) => void
}

/** The rows in sight. Older ones are loaded when the end comes near. */
export function RowList(props: RowListProps) {
  const { rows: query, columns, widths, terms, zone, at, onSelect, onAway } = props
  const { rows, hasNextPage, isFetching, fetchNextPage } = query
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [measure, { width }] = useElementSize()
  const ref = useCallback(
    (element: HTMLDivElement | null) => {
      setScroller(element)
      return measure(element)
    },
    [measure],
  )
  const cards = width > 0 && width < cardsBelow
  const rowHeight = cards ? rowHeights.card : rowHeights.line
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  const time = timeFormatOf(query.first?.span)
  const patterns = useMemo(
    () => columns.map(({ expression, wide }) => patternFor(terms, expression, wide)),
    [columns, terms],
  )
  useKeptPlace(scroller, rows, rowHeight)
  const select = useRef(onSelect)
  useEffect(() => {
    select.current = onSelect
  })
  return (
    <div
      ref={ref}
      role="grid"
      aria-label="Rows"
      aria-rowcount={rows.length + 1}
      aria-busy={isFetching}
      tabIndex={0}
      {...(at >= 0 && { 'aria-activedescendant': rowId(at) })}
      onScroll={({ currentTarget }) => onAway(currentTarget.scrollTop > rowHeight)}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
        if (event.key === 'Enter' && at >= 0) onSelect(at)
        else if (step !== undefined && rows[at + step]) onSelect(at + step)
        else return
        event.preventDefault()
      }}
      style={{ ...trackVariables(columns, time.width, widths), opacity: query.isPlaceholderData ? 0.5 : 1 }}
      className={css.rowList}
      data-cards={cards || undefined}
    >
      <Heads {...props} hidden={cards} />
      <VirtualRows scroller={scroller} count={rows.length} rowHeight={rowHeight} at={at} onNearEnd={loadMore}>
        {(index, top) =>
          rows[index] && (
            <Row
              row={rows[index]}
              at={index}
              top={top}
              columns={columns}
              patterns={patterns}
              zone={zone}
              withDay={time.withDay}
              selected={index === at}
              onSelect={select}
            />
          )
        }
      </VirtualRows>
    </div>
  )
}

/** Rows that are added at the top do not move those in view. */
function useKeptPlace(scroller: HTMLElement | null, rows: readonly ResultRow[], rowHeight: number): void {
  const first = rows[0]?.key
  const top = useRef(first)
  useLayoutEffect(() => {
    const known = top.current
    top.current = first
    if (!scroller || scroller.scrollTop === 0 || known === undefined || known === first) return
    const added = rows.findIndex(({ key }) => key === known)
    if (added > 0) scroller.scrollBy(0, added * rowHeight)
  }, [first, rows, rowHeight, scroller])
}

interface HeadsProps extends Pick<RowListProps, 'columns' | 'widths' | 'order' | 'timestamp' | 'onLayout'> {
  hidden: boolean
}

/** The heads of the columns, which sort, move, remove and widen them. */
function Heads({ columns, widths, order, timestamp, onLayout, hidden }: HeadsProps) {
  const move = (from: number, to: number) => onLayout(withMoved(columns, widths, from, to) ?? {})
  return (
    <div role="row" className={`${css.virtualRowsHead} ${css.rowListHead}`} aria-rowindex={1}>
      <ColumnHead
        title="Time"
        place={-1}
        hidden={hidden}
        direction={directionOf(order, timestamp, true)}
        onSort={(direction) => onLayout({ order: orderBy(timestamp, direction, true) })}
      />
      {columns.map(({ expression }, place) => {
        const others = columns.map((column) => column.expression).filter((other) => other !== expression)
        return (
          <ColumnHead
            key={expression}
            title={expression}
            place={place}
            hidden={hidden}
            direction={directionOf(order, withoutAlias(expression), false)}
            onSort={(direction) => onLayout({ order: orderBy(withoutAlias(expression), direction, false) })}
            onMove={(by) => move(place, place + by)}
            onDropOn={(from) => move(from, place)}
            onRemove={others.length > 0 ? () => onLayout(layoutOf(others, widths)) : undefined}
            onWidth={(width) => onLayout(withWidth(columns, widths, expression, width))}
          />
        )
      })}
    </div>
  )
}

const rowId = (at: number) => `search-row-${at}`

interface RowProps {
  row: ResultRow
  at: number
  top: number
  columns: readonly ResultColumn[]
  /** The marked texts in each column. */
  patterns: readonly (RegExp | null)[]
  zone: Zone
  /** Whether times are shown with their day. */
  withDay: boolean
  selected: boolean
  onSelect: { current: (at: number) => void }
}

const Row = memo(function Row({ row, at, top, columns, patterns, zone, withDay, selected, onSelect }: RowProps) {
  const formatRowTime = withDay ? formatMoment : formatClock
  return (
    // The grid has the keys; `aria-activedescendant` names the row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="row"
      id={rowId(at)}
      aria-rowindex={at + 2}
      aria-selected={selected}
      className={`${css.virtualRow} ${css.rowListRow}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect.current(at)}
    >
      <span role="gridcell" className={css.rowListTime}>
        {Number.isNaN(row.at) ? row.time : formatRowTime(row.at, zone, 'millisecond')}
      </span>
      {columns.map((column, place) => (
        <span key={column.expression} role="gridcell" className={column.wide ? css.rowListWide : undefined}>
          {cell(column, row.values[place] ?? '', patterns[place] ?? null)}
        </span>
      ))}
    </div>
  )
})

const chips = new Map<string, ReactElement>()

/** The element of a severity, one for all rows: React does not render it again for the next row. */
function severityChip(severity: string): ReactElement {
  const known = chips.get(severity)
  if (known) return known
  const chip = <StatusChip tone={severityTone(severity)}>{severity}</StatusChip>
  if (chips.size < 50) chips.set(severity, chip)
  return chip
}

function cell({ role }: ResultColumn, value: string, pattern: RegExp | null) {
  if (role === 'severity') return value && severityChip(value)
  if (role === 'duration') return formatNanoseconds(value)
  if (!pattern) return value
  const parts = splitMatches(value, pattern)
  // Parts have no identity besides their place.
  // oxlint-disable-next-line react/no-array-index-key
  return parts.length === 1 ? value : parts.map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))
}
