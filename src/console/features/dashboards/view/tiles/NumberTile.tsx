import type { TileLine, TileTotal } from '#console/telemetry/tileData.ts'
import type { Unit } from '#domain/charts/units.ts'
import type { TileConfig } from '#console/telemetry/tileQuery.ts'
import { colorOf } from './colors.ts'
import { Value } from './Value.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import css from './NumberTile.module.css'

interface NumberTileProps {
  config: TileConfig
  total: TileTotal
  unit: Unit
  /** The same over time, drawn faintly behind the number. */
  sparkline: TileLine | undefined
}

/** One number, coloured and named by the tile's rules. */
export function NumberTile({ config, total, unit, sparkline }: NumberTileProps) {
  const value = total.rows[0]?.values[0] ?? null
  const { color, label } = colorOf(value, config.colorRules, config.color)
  return (
    <div className={css.numberTile}>
      {sparkline && <Sparkline line={sparkline} />}
      <span className={css.number} style={{ color }}>
        <Value value={value} unit={unit} approximate={total.columns[0]?.approximate} />
      </span>
      {label && (
        <Text variant="caption" className={css.label}>
          {label}
        </Text>
      )}
    </div>
  )
}

function Sparkline({ line }: { line: TileLine }) {
  const values = line.points.flatMap(([, value]) => (value === null ? [] : [value]))
  if (values.length < 2) return null
  const [low, high] = [Math.min(0, ...values), Math.max(...values)]
  const y = (value: number) => (high === low ? 50 : 100 - ((value - low) / (high - low)) * 100)
  const path = values.map((value, index) => `${(index / (values.length - 1)) * 100},${y(value).toFixed(2)}`).join(' ')
  return (
    <svg aria-hidden viewBox="0 0 100 100" preserveAspectRatio="none" className={css.sparkline}>
      <polygon points={`0,100 ${path} 100,100`} fill="currentColor" />
    </svg>
  )
}
