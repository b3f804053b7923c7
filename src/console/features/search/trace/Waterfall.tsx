import { ChevronDown, ChevronRight, CircleAlert } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import type { OutlineRow } from '#domain/traces/outline.ts'
import type { Segment, Trace } from '#domain/traces/trace.ts'
import { formatNanoseconds, formatValue } from '#domain/charts/units.ts'
import type { ReadSpan } from './useTrace.ts'
import { VirtualRows } from '../list/VirtualRows.tsx'
import * as search from '../search.module.css'
import * as css from './trace.module.css'
import { colorVariable, hueCount, semanticIndex } from '#console/ui/series/palette.ts'

/** As in `trace.module.css`. */
const rowHeight = 27
const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]

interface WaterfallProps {
  trace: Trace<ReadSpan>
  /** The spans in sight. */
  rows: readonly OutlineRow<ReadSpan>[]
  colors: ReadonlyMap<string, string>
  /** The row of the span that is open; -1 for none. */
  at: number
  onSelect: (id: string) => void
  /** Collapses or expands a span. */
  onToggle: (id: string) => void
}

/** The spans of a trace over its time. The line under a bar is its part of the critical path. */
export function Waterfall({ trace, rows, colors, at, onSelect, onToggle }: WaterfallProps) {
  const { duration, criticalPath } = trace
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const critical = useMemo(() => {
    const bySpan = new Map<string, Segment[]>()
    for (const segment of criticalPath) {
      const known = bySpan.get(segment.spanId)
      if (known) known.push(segment)
      else bySpan.set(segment.spanId, [segment])
    }
    return bySpan
  }, [criticalPath])
  return (
    <div
      ref={setScroller}
      role="treegrid"
      aria-label="Spans"
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      {...(at >= 0 && { 'aria-activedescendant': rowId(at) })}
      onKeyDown={(event) => {
        const row = rows[at]
        const id = row?.node.span.id ?? ''
        const opens = event.key === 'ArrowRight' && row?.collapsed === true
        const closes = event.key === 'ArrowLeft' && row !== undefined && row.below > 0 && !row.collapsed
        const next = rows[nextRow(event.key, at, row)]
        if (opens || closes) onToggle(id)
        else if (next) onSelect(next.node.span.id)
        else return
        event.preventDefault()
      }}
      className={css.waterfall}
    >
      <div role="row" className={`${search.virtualRowsHead} ${css.waterfallHead}`} aria-rowindex={1}>
        <span role="columnheader">Operation, service</span>
        <span role="columnheader" className={css.axis}>
          {ticks.map((tick) => (
            <i key={tick} style={{ left: `${tick * 100}%` }}>
              {tick > 0 && tick < 1 ? formatNanoseconds(String(duration * tick)) : ''}
            </i>
          ))}
        </span>
        <span role="columnheader" className={css.length}>
          Duration
        </span>
      </div>
      <VirtualRows scroller={scroller} count={rows.length} rowHeight={rowHeight} at={at}>
        {(index, top) => {
          const row = rows[index]
          const node = row?.node
          return (
            row &&
            node && (
              <SpanRow
                row={row}
                at={index}
                top={top}
                total={duration || 1}
                color={node.failedFirst ? errorColor : (colors.get(node.span.service) ?? 'currentColor')}
                critical={critical.get(node.span.id)}
                selected={index === at}
                onSelect={onSelect}
                onToggle={onToggle}
              />
            )
          )
        }}
      </VirtualRows>
    </div>
  )
}

/** Where an arrow key leads; -1 for other keys. Right leads to the first child, left to the parent. */
function nextRow(key: string, at: number, row: OutlineRow<ReadSpan> | undefined): number {
  if (key === 'ArrowDown') return at + 1
  if (key === 'ArrowUp') return at - 1
  if (key === 'ArrowRight' && row && row.below > 0) return at + 1
  return key === 'ArrowLeft' && row ? row.parent : -1
}

const rowId = (at: number) => `span-row-${at}`

interface SpanRowProps {
  row: OutlineRow<ReadSpan>
  at: number
  top: number
  /** The duration of the trace, in nanoseconds. */
  total: number
  color: string
  critical: readonly Segment[] | undefined
  selected: boolean
  onSelect: (id: string) => void
  onToggle: (id: string) => void
}

const SpanRow = memo(function SpanRow({
  row,
  at,
  top,
  total,
  color,
  critical = [],
  selected,
  onSelect,
  onToggle,
}: SpanRowProps) {
  const { node, below, collapsed } = row
  const { span, depth } = node
  const Chevron = collapsed ? ChevronRight : ChevronDown
  const percent = (time: number) => `${(time / total) * 100}%`
  return (
    // The grid has the keys; `aria-activedescendant` names the row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="row"
      id={rowId(at)}
      aria-rowindex={at + 2}
      aria-level={depth + 1}
      {...(below > 0 && { 'aria-expanded': !collapsed })}
      aria-selected={selected}
      className={`${search.virtualRow} ${css.waterfallRow}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect(span.id)}
    >
      <span role="gridcell" className={css.waterfallName} style={{ paddingLeft: Math.min(depth, 14) * 12 }}>
        {below > 0 ? (
          // The arrow keys do the same.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
          <span
            className={css.waterfallToggle}
            title={collapsed ? `Expand ${below} spans` : `Collapse ${below} spans`}
            onClick={(event) => {
              event.stopPropagation()
              onToggle(span.id)
            }}
          >
            <Chevron size={13} aria-hidden />
          </span>
        ) : (
          <span className={css.waterfallToggle} />
        )}
        <i className={css.service} style={{ background: color }} />
        {span.name} <small>{span.service}</small>
        {collapsed && <small> · {formatValue(below)} below</small>}
        {span.failed && <CircleAlert size={13} role="img" aria-label="Error" className={css.failed} />}
      </span>
      <span role="gridcell" className={css.axis}>
        <i
          className={css.waterfallBar}
          style={{ left: percent(span.start), width: `max(2px, ${percent(span.duration)})`, background: color }}
        />
        {critical.map(({ start, end }) => (
          <i key={start} className={css.critical} style={{ left: percent(start), width: percent(end - start) }} />
        ))}
        {span.logs.slice(0, 20).map(({ at: time }, index) => (
          // Logs have no identity besides their place.
          // oxlint-disable-next-line react/no-array-index-key
          <i key={index} className={css.log} style={{ left: percent(time) }} />
        ))}
      </span>
      <span role="gridcell" className={css.length}>
        {formatNanoseconds(String(span.duration))}
      </span>
    </div>
  )
})

/** One color for each service, in the order in which they appear; the eleventh and further ones are neutral. */
export function serviceColors(services: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(services)]
  const colorAt = (at: number) => colorVariable(at < hueCount ? at : semanticIndex('neutral'))
  return new Map(distinct.map((service, at) => [service, `var(${colorAt(at)})`]))
}

const errorColor = `var(${colorVariable(semanticIndex('error'))})`
