import { formatValue, type Unit } from '#domain/charts/units.ts'
import type { TileTotal } from '#console/charting/tiles/tileData.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { formatLength } from '#console/ui/time/formatLength.ts'
import type { Span } from '#domain/time/span.ts'
import { colorOf } from './colors.ts'
import { Value } from './Value.tsx'
import * as css from './tiles.module.css'

interface NumberTileProps {
  config: TileConfig
  total: TileTotal
  unit: Unit
  span: Span
  /** The value of the range before; undefined while it is not known. */
  before: number | null | undefined
  /** The values of the range over time, without the incomplete bucket. */
  course: readonly (number | null)[] | undefined
}

/** One number with its course and its change, coloured and named by the tile's rules. */
export function NumberTile({ config, total, unit, span, before, course }: NumberTileProps) {
  const value = total.rows[0]?.values[0] ?? null
  const { color, label } = colorOf(value, config.colorRules, config.color, unit)
  const change = changeText(value, before, unit)
  return (
    <div className={css.numberTile}>
      <span className={css.number} style={{ color }}>
        <Value value={value} unit={unit} approximate={total.columns[0]?.approximate} />
      </span>
      {course && <Sparkline course={course} color={color ?? 'var(--chart-1)'} />}
      <p className={css.numberNote}>
        {change && (
          <span>
            <b>{change}</b> to the previous {formatLength(span.to - span.from)}
          </span>
        )}
        {label && <span style={{ color }}>{label}</span>}
      </p>
    </div>
  )
}

/** Beyond this change, the difference is shown instead of a percentage. */
const maxShare = 10

/** `+4.2 %`; the difference itself where there was nothing, or so little that a share says nothing. */
export function changeText(value: number | null, before: number | null | undefined, unit: Unit): string {
  if (value === null || before === null || before === undefined) return ''
  const difference = value - before
  if (difference === 0) return '±0'
  const sign = difference > 0 ? '+' : ''
  const share = difference / Math.abs(before)
  if (before === 0 || Math.abs(share) > maxShare) return `${sign}${formatValue(difference, unit)}`
  return `${sign}${formatValue(Math.round(share * 1000) / 10, 'percent')}`
}

function Sparkline({ course, color }: { course: readonly (number | null)[]; color: string }) {
  const values = course.filter((value) => value !== null)
  if (values.length < 2) return null
  const [low, high] = [Math.min(0, ...values), Math.max(...values)]
  const y = (value: number) => (high === low ? 50 : 98 - ((value - low) / (high - low)) * 96)
  const path = values.map((value, index) => `${(index / (values.length - 1)) * 100},${y(value).toFixed(2)}`).join(' ')
  return (
    <svg aria-hidden viewBox="0 0 100 100" preserveAspectRatio="none" className={css.sparkline} style={{ color }}>
      <polygon points={`0,100 ${path} 100,100`} fill="currentColor" fillOpacity={0.13} />
      <polyline points={path} fill="none" stroke="currentColor" strokeWidth={1.7} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
