import type { ReactElement } from 'react'
import { Area, Bar, type BarShapeProps, Curve, type CurveProps, Line } from 'recharts'
import { type ChartType, isBar, isStacked } from './chartTypes.ts'
import { maxSeries } from '../series/legendSelection.ts'
import { defaultStyle, type SeriesStyle } from '../series/palette.ts'
import type { PlotModel, PlotRow } from './plotModel.ts'
import { isComparison } from '../series/series.ts'
import {
  curves,
  fillOpacity,
  isLone,
  linePaint,
  lineWidth,
  loneDot,
  openDash,
  openLine,
  stackEdge,
  stackGap,
} from './seriesPaint.ts'

/** Where recharts finds the values of each series. Functions that stay the same let it skip series that did not change. */
const accessors = Array.from({ length: maxSeries }, (_, at) => ({
  band: (row: PlotRow) => row.bands[at],
  top: (row: PlotRow) => row.bands[at]?.[1],
  length: (row: PlotRow) => row.bands[at] && row.bands[at][1] - row.bands[at][0],
}))

/** The series as elements of recharts, in drawing order. */
export function chartSeries(
  { frame, type, interpolation = 'linear', styles, xs }: PlotModel,
  colorOf: (style: SeriesStyle) => string,
  background: string,
) {
  const width = lineWidth(frame.rows.length * xs.length)
  return frame.rows.flatMap(({ series }, at): ReactElement[] => {
    const { id } = series
    const { band, top, length } = accessors[at]!
    const style = styles.get(id) ?? defaultStyle
    const color = colorOf(style)
    const shared = { isAnimationActive: false, activeDot: false, fill: color } as const
    if (isBar(type) && !isComparison(series)) {
      const stack = isStacked(type) ? { stackId: 'bars' } : {}
      return [
        <Bar
          key={id}
          {...shared}
          {...stack}
          dataKey={length}
          activeBar={false}
          shape={isStacked(type) ? stackedBar : looseBar}
        />,
      ]
    }
    const edge = type === 'stackedArea' && !isComparison(series)
    const paint = edge ? stackEdge : linePaint(series, style, width)
    const line = (
      <Line
        key={id}
        {...shared}
        dataKey={top}
        type={curves[interpolation]}
        dot={false}
        stroke={edge ? background : color}
        strokeWidth={paint.width}
        strokeOpacity={paint.opacity}
        strokeDasharray={paint.dash.join(' ')}
        strokeLinecap="round"
        shape={edge ? edgeShape(color) : series.overlay && isBar(type) ? outlinedLineShape(background) : lineShape}
      />
    )
    if (type === 'line' || isComparison(series)) return [line]
    return [
      <Area
        key={`${id} area`}
        {...shared}
        dataKey={band}
        type={curves[interpolation]}
        stroke="none"
        shape={areaShapes[type]}
      />,
      line,
    ]
  })
}

type CurvePoints = NonNullable<CurveProps['points']>

/** The points of complete buckets, and those that lead to or from one that is not complete; gaps elsewhere. */
function splitPoints(points: CurvePoints): { complete: CurvePoints; open: CurvePoints | null } {
  // recharts passes the row of each point, which its type omits.
  const open = (points as readonly { payload?: PlotRow }[]).map(({ payload }) => payload?.open ?? false)
  if (!open.includes(true)) return { complete: points, open: null }
  const isOpenEnd = (at: number) => open[at] || open[at - 1] || open[at + 1]
  return {
    complete: points.map((point, at) => (open[at] ? { ...point, y: null } : point)),
    open: points.map((point, at) => (isOpenEnd(at) ? point : { ...point, y: null })),
  }
}

/** Dots where a point has no neighbours. recharts gives lines no fill. */
function loneDots(points: CurvePoints, fill: string | undefined, fillOpacity: CurveProps['strokeOpacity'] = 1) {
  const values = points.map(({ y }) => y)
  return points
    .filter((_, at) => isLone(values, at))
    .map(({ x, y }) => <circle key={x} cx={x ?? 0} cy={y ?? 0} r={loneDot / 2} fill={fill} fillOpacity={fillOpacity} />)
}

const edgeShapes = new Map<string, (line: CurveProps) => ReactElement>()

/** The edge of a stacked area, with dots in its own colour; the same function for the same colour. */
function edgeShape(color: string) {
  const shape =
    edgeShapes.get(color) ??
    ((line: CurveProps) => (
      <>
        {lineShape(line)}
        {loneDots(line.points ?? [], color)}
      </>
    ))
  edgeShapes.set(color, shape)
  return shape
}

const lineShape = ({ points = [], ...line }: CurveProps) => {
  const parts = splitPoints(points)
  return (
    <>
      {loneDots(points, line.stroke, line.strokeOpacity)}
      <Curve {...line} id={undefined} points={parts.complete} />
      {parts.open && (
        <Curve
          {...line}
          id={undefined}
          points={parts.open}
          strokeDasharray={openDash.line.join(' ')}
          strokeOpacity={Number(line.strokeOpacity) * openLine}
        />
      )}
    </>
  )
}

/** With an outline in the background color, so that a line is visible on bars of the same color. */
const outlinedLineShape = (background: string) => (line: CurveProps) => (
  <>
    {lineShape({
      ...line,
      stroke: background,
      strokeWidth: Number(line.strokeWidth) * 2.2,
      strokeDasharray: undefined,
    })}
    {lineShape(line)}
  </>
)

const areaShape =
  ([complete, open]: readonly [number, number]) =>
  ({ points = [], ...area }: CurveProps) => {
    const parts = splitPoints(points)
    return (
      <>
        <Curve {...area} id={undefined} points={parts.complete} fillOpacity={complete} />
        {parts.open && <Curve {...area} id={undefined} points={parts.open} fillOpacity={open} />}
      </>
    )
  }

/** Made once: recharts skips series whose shape is the same. */
const areaShapes: Partial<Record<ChartType, ReturnType<typeof areaShape>>> = {
  area: areaShape(fillOpacity.area),
  stackedArea: areaShape(fillOpacity.stackedArea),
}

const stackedBar = (bar: BarShapeProps) => barShape(bar, stackGap)
const looseBar = (bar: BarShapeProps) => barShape(bar, 0)

const barShape = ({ x, y, width, height, fill, payload }: BarShapeProps, gap: number) => {
  const open = payload.open === true
  const size = Math.abs(height)
  // A bar of few pixels has them all.
  const cut = size > 3 * gap ? gap : 0
  return (
    <rect
      x={x}
      y={(height < 0 ? y + height : y) + cut}
      width={width}
      height={size - cut}
      fill={fill}
      fillOpacity={fillOpacity.bar[open ? 1 : 0]}
      {...(open && { stroke: fill, strokeDasharray: openDash.bar.join(' ') })}
    />
  )
}
