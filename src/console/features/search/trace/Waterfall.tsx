import Box from '@mui/material/Box'
import { CircleAlert } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import type { Segment, Trace, TraceNode } from '#domain/traces/trace.ts'
import { formatDuration } from '../row/rowFormat.ts'
import { errorColor } from './serviceColors.ts'
import type { ReadSpan } from './useTrace.ts'
import { VirtualRows } from '../row/VirtualRows.tsx'
import { waterfallStyle } from './waterfallStyle.ts'

const rowHeight = 27
const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]

interface WaterfallProps {
  trace: Trace<ReadSpan>
  colors: ReadonlyMap<string, string>
  /** The span that is open; -1 for none. */
  at: number
  onSelect: (id: string) => void
}

/** The spans of a trace over its time. The line under a bar is its part of the critical path. */
export function Waterfall({ trace, colors, at, onSelect }: WaterfallProps) {
  const { nodes, duration, criticalPath } = trace
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const critical = useMemo(() => {
    const bySpan = new Map<string, Segment[]>()
    for (const segment of criticalPath) bySpan.set(segment.spanId, [...(bySpan.get(segment.spanId) ?? []), segment])
    return bySpan
  }, [criticalPath])
  const style = useMemo(() => waterfallStyle(rowHeight), [])
  return (
    <Box
      ref={setScroller}
      role="grid"
      aria-label="Spans"
      aria-rowcount={nodes.length + 1}
      tabIndex={0}
      {...(at >= 0 && { 'aria-activedescendant': rowId(at) })}
      onKeyDown={(event) => {
        const next = nodes[at + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? NaN)]
        if (!next) return
        event.preventDefault()
        onSelect(next.span.id)
      }}
      sx={style}
    >
      <div role="row" className="head" aria-rowindex={1}>
        <span role="columnheader">Operation, service</span>
        <span role="columnheader" className="axis">
          {ticks.map((tick) => (
            <i key={tick} style={{ left: `${tick * 100}%` }}>
              {tick > 0 && tick < 1 ? formatDuration(String(duration * tick)) : ''}
            </i>
          ))}
        </span>
        <span role="columnheader" className="length">
          Duration
        </span>
      </div>
      <VirtualRows scroller={scroller} count={nodes.length} rowHeight={rowHeight} at={at}>
        {(index, top) => {
          const node = nodes[index]
          return (
            node && (
              <SpanRow
                node={node}
                at={index}
                top={top}
                total={duration || 1}
                color={node.failedFirst ? errorColor : (colors.get(node.span.service) ?? 'currentColor')}
                critical={critical.get(node.span.id)}
                selected={index === at}
                onSelect={onSelect}
              />
            )
          )
        }}
      </VirtualRows>
    </Box>
  )
}

const rowId = (at: number) => `span-row-${at}`

interface SpanRowProps {
  node: TraceNode<ReadSpan>
  at: number
  top: number
  /** Of the trace, nanoseconds. */
  total: number
  color: string
  critical: readonly Segment[] | undefined
  selected: boolean
  onSelect: (id: string) => void
}

const SpanRow = memo(function SpanRow({
  node,
  at,
  top,
  total,
  color,
  critical = [],
  selected,
  onSelect,
}: SpanRowProps) {
  const { span, depth } = node
  const percent = (time: number) => `${(time / total) * 100}%`
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
      onClick={() => onSelect(span.id)}
    >
      <span role="gridcell" className="name" style={{ paddingLeft: Math.min(depth, 14) * 12 }}>
        <i className="service" style={{ background: color }} />
        {span.name} <small>{span.service}</small>
        {span.failed && <CircleAlert size={13} role="img" aria-label="Error" className="failed" />}
      </span>
      <span role="gridcell" className="axis">
        <i
          className="bar"
          style={{ left: percent(span.start), width: `max(2px, ${percent(span.duration)})`, background: color }}
        />
        {critical.map(({ start, end }) => (
          <i key={start} className="critical" style={{ left: percent(start), width: percent(end - start) }} />
        ))}
        {span.logs.slice(0, 20).map(({ at: time }, index) => (
          // Logs have no identity besides their place.
          // oxlint-disable-next-line react/no-array-index-key
          <i key={index} className="log" style={{ left: percent(time) }} />
        ))}
      </span>
      <span role="gridcell" className="length">
        {formatDuration(String(span.duration))}
      </span>
    </div>
  )
})
