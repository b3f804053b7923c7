import { useSyncExternalStore } from 'react'
import { defaultStyle, themeColor } from '../series/palette.ts'
import type { ChartEvents, ChartExplain } from '../series/chartEvents.ts'
import { nearestIndex } from '../series/series.ts'
import type { ChartCursor } from './chartCursor.ts'
import { ChartTooltip } from './ChartTooltip.tsx'
import { isBar } from './chartTypes.ts'
import type { PlotModel } from './plotModel.ts'
import { plotScale, type PlotScale } from './plotScale.ts'
import { type HeldCursor, type Pointed, pointedAt } from './pointed.ts'
import * as css from './chart.module.css'

interface ChartPointerProps {
  model: PlotModel
  /** ID of the chart. */
  chart: string
  cursor: ChartCursor
  held: HeldCursor | null
  onClose: () => void
  events?: ChartEvents | undefined
  explain?: ChartExplain | undefined
}

/**
 * Cursor and values at the pointer. Both are layers above the chart: a move neither renders nor paints what is below.
 * While another chart is pointed at, the cursor follows it, and the values stay hidden.
 */
export function ChartPointer({ model, chart, cursor, held, onClose, events, explain }: ChartPointerProps) {
  const place = useSyncExternalStore(cursor.subscribe, cursor.place, cursor.place)
  const at = held ?? place
  if (!at || model.xs.length === 0) return null
  const index = held ? nearestIndex(model.frame.times, held.time) : nearestIndex(model.xs, at.time)
  const isOwn = held !== null || place?.chart === chart
  const scale = plotScale(model)
  const pointed = pointedAt(model, index, isOwn ? at.y : null, scale)
  const pinned = held?.pinned ?? false
  return (
    <>
      <Cursor {...{ model, pointed, scale, pinned }} />
      {isOwn && <ChartTooltip {...{ model, pointed, pinned, onClose, events, explain }} />}
    </>
  )
}

interface CursorProps {
  model: PlotModel
  pointed: Pointed
  scale: PlotScale
  pinned: boolean
}

/** Pixels from the edge of the cursor's layer to its line. */
const middle = 6

/** The line through the bucket that is pointed at, with a dot on each series of the tooltip. */
function Cursor({ model, pointed, scale, pinned }: CursorProps) {
  const { frame, bands, styles } = model
  const listed = new Set(pointed.values.rows.map(({ series }) => series.id))
  const dots = frame.rows.map(({ series: { id } }, row) => {
    const high = bands[row]?.high[pointed.index]
    if (high == null || !listed.has(id)) return null
    const fill = themeColor(styles.get(id) ?? defaultStyle)
    return <circle key={id} cy={scale.y(high)} r={id === pointed.nearest ? 4 : 2.5} fill={fill} />
  })
  const line = Math.round(pointed.x)
  const style = { transform: `translateX(${line - middle}px)` }
  return (
    <svg className={css.cursor} width={2 * middle} height={model.height} style={style} aria-hidden>
      <path d={`M${middle + 0.5},${scale.top}V${scale.bottom}`} strokeDasharray={pinned ? undefined : '3 3'} />
      {!isBar(model.type) && <g transform={`translate(${middle + pointed.x - line})`}>{dots}</g>}
    </svg>
  )
}
