import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { NumberDisplay } from '#console/telemetry/numberFormat.ts'
import type { TileLine, TileTotal } from '#console/telemetry/tileData.ts'
import type { TileConfig } from '#console/telemetry/tileQuery.ts'
import { colorOf } from './colors.ts'
import { Value } from './Value.tsx'

interface NumberTileProps {
  config: TileConfig
  total: TileTotal
  display: NumberDisplay
  /** The same over time, drawn faintly behind the number. */
  sparkline: TileLine | undefined
}

/** One number, coloured and named by the tile's rules. */
export function NumberTile({ config, total, display, sparkline }: NumberTileProps) {
  const raw = total.rows[0]?.values[0] ?? null
  const value = raw === null ? null : raw * display.factor
  const { color, label } = colorOf(value, config.colorRules, config.color)
  return (
    <Box
      sx={{
        position: 'relative',
        flexGrow: 1,
        minHeight: 0,
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        justifyContent: 'center',
        containerType: 'size',
        overflow: 'hidden',
      }}
    >
      {sparkline && <Sparkline line={sparkline} />}
      <Box
        component="span"
        sx={{
          position: 'relative',
          fontSize: 'clamp(18px, min(16cqw, 46cqh), 96px)',
          lineHeight: 1.1,
          fontWeight: 600,
          whiteSpace: 'nowrap',
          color: color ?? 'text.primary',
        }}
      >
        <Value value={raw} display={display} approximate={total.columns[0]?.approximate} />
      </Box>
      {label && (
        <Typography variant="caption" sx={{ position: 'relative' }}>
          {label}
        </Typography>
      )}
    </Box>
  )
}

function Sparkline({ line }: { line: TileLine }) {
  const values = line.points.flatMap(([, value]) => (value === null ? [] : [value]))
  if (values.length < 2) return null
  const [low, high] = [Math.min(0, ...values), Math.max(...values)]
  const y = (value: number) => (high === low ? 50 : 100 - ((value - low) / (high - low)) * 100)
  const path = values.map((value, index) => `${(index / (values.length - 1)) * 100},${y(value).toFixed(2)}`).join(' ')
  return (
    <Box
      component="svg"
      aria-hidden
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      sx={{ position: 'absolute', inset: 'auto 0 0 0', width: '100%', height: '60%', color: 'tone.accentSoft' }}
    >
      <polygon points={`0,100 ${path} 100,100`} fill="currentColor" />
    </Box>
  )
}
