import { type TooltipContentProps, usePlotArea, useYAxisScale } from 'recharts'
import { defaultStyle } from '../series/palette.ts'
import type { ChartEvents, ChartExplain } from '../series/chartEvents.ts'
import { ChartTooltip } from './ChartTooltip.tsx'
import { isBar } from './chartTypes.ts'
import type { PlotModel } from './plotModel.ts'
import { type HeldCursor, type Pointed, pointedAt, type ValueScale } from './pointed.ts'
import css from './ChartPointer.module.css'

interface ChartPointerProps extends Partial<Pick<TooltipContentProps, 'active' | 'label' | 'coordinate'>> {
  model: PlotModel
  held: HeldCursor | null
  /** Another chart is pointed at: the cursor follows it, and the values stay hidden. */
  cursorOnly: boolean
  onClose: () => void
  events?: ChartEvents | undefined
  explain?: ChartExplain | undefined
}

/**
 * Cursor and values at the pointer, as the content of recharts' tooltip, which passes bucket and coordinate. Both are
 * layers above the chart: a move neither renders nor paints what is below.
 */
export function ChartPointer({
  model,
  held,
  cursorOnly,
  onClose,
  events,
  explain,
  active,
  label,
  coordinate,
}: ChartPointerProps) {
  const scale = useYAxisScale()
  const plot = usePlotArea()
  if (!active || !coordinate || !scale || !plot || label === undefined) return null
  const pointed = pointedAt(model, Number(label), { x: coordinate.x, y: held ? held.y : coordinate.y }, scale)
  const pinned = held?.pinned ?? false
  return (
    <>
      <Cursor {...{ model, pointed, plot, scale, pinned }} />
      {!cursorOnly && <ChartTooltip {...{ model, pointed, pinned, onClose, events, explain }} />}
    </>
  )
}

interface CursorProps {
  model: PlotModel
  pointed: Pointed
  plot: { y: number; height: number }
  scale: ValueScale
  pinned: boolean
}

/** Pixels from the edge of the cursor's layer to its line. */
const middle = 6

/** The line through the bucket that is pointed at, with a dot on each series of the tooltip. */
function Cursor({ model, pointed, plot, scale, pinned }: CursorProps) {
  const { frame, bands, styles } = model
  const listed = new Set(pointed.values.rows.map(({ series }) => series.id))
  const dots = frame.rows.map(({ series: { id } }, row) => {
    const high = bands[row]?.high[pointed.index]
    if (high == null || !listed.has(id)) return null
    const fill = `var(${(styles.get(id) ?? defaultStyle).variable})`
    return <circle key={id} cy={scale(high)} r={id === pointed.nearest ? 4 : 2.5} fill={fill} />
  })
  const line = Math.round(pointed.x)
  const style = { transform: `translateX(${line - middle}px)` }
  return (
    <svg className={css.cursor} width={2 * middle} height={model.height} style={style} aria-hidden>
      <path d={`M${middle + 0.5},${plot.y}v${plot.height}`} strokeDasharray={pinned ? undefined : '3 3'} />
      {!isBar(model.type) && <g transform={`translate(${middle + pointed.x - line})`}>{dots}</g>}
    </svg>
  )
}
