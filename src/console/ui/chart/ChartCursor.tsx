import { DefaultZIndexes, usePlotArea, useYAxisScale, ZIndexLayer } from 'recharts'
import { isBar } from './chartTypes.ts'
import { defaultStyle } from '../series/palette.ts'
import type { PlotModel } from './plotModel.ts'
import { tooltipRows } from '../series/tooltipRows.ts'
import { type HeldCursor, usePointed } from './usePointed.ts'

interface ChartCursorProps {
  model: PlotModel
  held: HeldCursor | null
}

/**
 * The line through the bucket that is pointed at, with a dot on each series of the tooltip. The cursor of recharts' own
 * tooltip measures the axis again for each move.
 */
export function ChartCursor({ model, held }: ChartCursorProps) {
  const pointed = usePointed(model, held)
  const scale = useYAxisScale()
  const plot = usePlotArea()
  if (!pointed || !plot || !scale) return null
  const { frame, bands, type, styles } = model
  const listed = new Set(tooltipRows(frame, pointed.index, pointed.nearest).rows.map(({ series }) => series.id))
  return (
    <ZIndexLayer zIndex={DefaultZIndexes.cursorLine}>
      <path
        d={`M${Math.round(pointed.x) + 0.5},${plot.y}v${plot.height}`}
        pointerEvents="none"
        stroke="var(--sc-palette-text-secondary)"
        strokeDasharray={held?.pinned ? undefined : '3 3'}
      />
      {!isBar(type) &&
        frame.rows.map(({ series }, row) => {
          const high = bands[row]?.high[pointed.index]
          if (high == null || !listed.has(series.id)) return null
          const { variable } = styles.get(series.id) ?? defaultStyle
          return (
            <circle
              key={series.id}
              cx={pointed.x}
              cy={scale(high)}
              r={series.id === pointed.nearest ? 4 : 2.5}
              fill={`var(${variable})`}
              stroke="var(--sc-palette-background-paper)"
            />
          )
        })}
    </ZIndexLayer>
  )
}
