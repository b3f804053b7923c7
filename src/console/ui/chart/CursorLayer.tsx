import type { Span } from '../time/range.ts'
import { ChartTooltip } from './ChartTooltip.tsx'
import { type CursorStore, useCursor } from './cursor.ts'
import { type Drawing, isBar } from './drawing.ts'
import { plainStyle, type SeriesStyle } from './palette.ts'
import { nearestIndex } from './series.ts'
import { tooltipRows } from './tooltipRows.ts'
import type { Unit } from './units.ts'

interface CursorLayerProps {
  id: string
  store: CursorStore
  drawing: Drawing
  styles: ReadonlyMap<string, SeriesStyle>
  unit: Unit
  width: number
  selection: Span | null
  bucketTitle: (time: number) => string
}

/** What follows the pointer: the only part that renders while it moves. */
export function CursorLayer(props: CursorLayerProps) {
  const { id, store, drawing, styles, unit, width, selection, bucketTitle } = props
  const { time, owner, pinned, nearest } = useCursor(store)
  const { frame, bands, plot, scale, bucketMs, type, isComplete } = drawing
  const index = time === null ? -1 : nearestIndex(frame.times, time)
  const bucket = frame.times[index]
  const shown = bucket !== undefined && time !== null && Math.abs(bucket - time) <= bucketMs ? bucket : null
  const x = shown === null ? 0 : scale.x(shown) + (isBar(type) ? (scale.x(bucketMs) - scale.x(0)) / 2 : 0)
  const rows = shown === null ? null : tooltipRows(frame, index, nearest)
  const selected = selection && edgesWithin(drawing, selection)
  const listed = new Set(rows?.rows.map(({ series }) => series.id))
  return (
    <>
      <svg
        width={width}
        height="100%"
        aria-hidden
        style={{ position: 'absolute', inset: 0, pointerEvents: 'none', willChange: 'transform' }}
      >
        {selected && (
          <rect
            x={selected.left}
            y={plot.top}
            width={Math.max(1, selected.right - selected.left)}
            height={plot.height}
            fill="var(--sc-palette-primary-main)"
            fillOpacity={0.14}
            stroke="var(--sc-palette-primary-main)"
          />
        )}
        {shown !== null && (
          <path
            d={`M${Math.round(x) + 0.5},${plot.top}v${plot.height}`}
            stroke="var(--sc-palette-text-secondary)"
            strokeDasharray={pinned ? undefined : '3 3'}
          />
        )}
        {shown !== null &&
          !isBar(type) &&
          frame.rows.map(({ series }, row) => {
            const high = bands[row]?.high[index]
            if (high == null || !listed.has(series.id)) return null
            const { variable } = styles.get(series.id) ?? plainStyle
            return (
              <circle
                key={series.id}
                cx={x}
                cy={scale.y(high)}
                r={series.id === nearest ? 4 : 2.5}
                fill={`var(${variable})`}
                stroke="var(--sc-palette-background-paper)"
              />
            )
          })}
      </svg>
      {shown !== null && rows && owner === id && (
        <ChartTooltip
          title={bucketTitle(shown)}
          rows={rows}
          styles={styles}
          unit={unit}
          open={!isComplete(shown)}
          stacked={type === 'stackedArea' || type === 'stackedBar'}
          nearest={nearest}
          pinned={pinned}
          onClose={() => store.clear()}
          x={x}
          width={width}
        />
      )}
    </>
  )
}

/** Pixels of a selection. Its last bucket may end after the plot does. */
function edgesWithin({ plot, scale }: Drawing, { from, to }: Span): { left: number; right: number } {
  return { left: Math.max(scale.x(from), plot.left), right: Math.min(scale.x(to), plot.left + plot.width) }
}
