import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { type ComponentType, useEffect, useState } from 'react'
import type { AbsoluteFieldsProps } from './AbsoluteFields.tsx'
import { formatRange } from './formatRange.ts'
import { presetRanges, sameRange } from './presets.ts'
import { absoluteRange, isRelative, resolveRange, type Span, type TimeRange } from './range.ts'
import { TypedRange } from './TypedRange.tsx'
import { type Zone, zoneName } from './zone.ts'

interface RangeChoicesProps {
  range: TimeRange
  zone: Zone
  onApply: (range: TimeRange) => void
  onZoneChange: (zone: Zone) => void
}

/** What the picker opens: usual ranges, a range as text, exact ends, the time zone. */
export function RangeChoices({ range, zone, onApply, onZoneChange }: RangeChoicesProps) {
  return (
    <Box sx={{ display: 'flex', flexDirection: { xs: 'column', sm: 'row' } }}>
      <Box
        component="ul"
        aria-label="Quick ranges"
        sx={{
          m: 0,
          p: 2,
          listStyle: 'none',
          columns: { xs: 2, sm: 1 },
          width: { sm: 176 },
          borderRight: { sm: 1 },
          borderColor: { sm: 'divider' },
        }}
      >
        {presetRanges.map((preset) => {
          const current = sameRange(preset, range)
          return (
            <li key={`${preset.from} ${preset.to}`}>
              <Button
                variant="text"
                fullWidth
                aria-current={current}
                onClick={() => onApply(preset)}
                sx={{
                  justifyContent: 'flex-start',
                  minHeight: 26,
                  fontWeight: 450,
                  ...(current && { bgcolor: 'tone.accentSoft', color: 'tone.accentText' }),
                }}
              >
                {formatRange(preset, zone)}
              </Button>
            </li>
          )
        })}
      </Box>
      <Box sx={{ p: 4, display: 'flex', flexDirection: 'column', gap: 4, width: { sm: 380 } }}>
        <TypedRange key={zone} range={range} zone={zone} onApply={onApply} />
        <ExactRange key={`${zone} ${range.from} ${range.to}`} range={range} zone={zone} onApply={onApply} />
        <ZoneChoice zone={zone} onZoneChange={onZoneChange} />
      </Box>
    </Box>
  )
}

function ExactRange({ range, zone, onApply }: Pick<RangeChoicesProps, 'range' | 'zone' | 'onApply'>) {
  const [Fields, setFields] = useState<ComponentType<AbsoluteFieldsProps> | null>(null)
  const [start] = useState(() => startSpan(range, zone))
  const [span, setSpan] = useState(start)
  useEffect(() => {
    let gone = false
    void import('./AbsoluteFields.tsx').then((loaded) => gone || setFields(() => loaded.AbsoluteFields))
    return () => {
      gone = true
    }
  }, [])
  const checked = resolveRange(absoluteRange(span), { now: span.to, zone })
  const problem = 'problem' in checked ? checked.problem : null
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
      {/* The room that the fields will take, so that nothing jumps. */}
      <Box sx={{ minHeight: 122 }}>{Fields && <Fields span={span} zone={zone} onChange={setSpan} />}</Box>
      <Typography variant="caption" color="error" aria-live="polite">
        {problem}
      </Typography>
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>
        <Button disabled={problem !== null || span === start} onClick={() => onApply(absoluteRange(span))}>
          Apply time range
        </Button>
        <Button disabled={!isRelative(range)} onClick={() => onApply(absoluteRange(startSpan(range, zone)))}>
          Pin to these times
        </Button>
      </Box>
    </Box>
  )
}

const hour = 3_600_000

/** The current ends of the range in whole seconds; the last hour if the range is invalid. */
function startSpan(range: TimeRange, zone: Zone): Span {
  const now = Date.now()
  const span = resolveRange(range, { now, zone })
  const { from, to } = 'problem' in span ? { from: now - hour, to: now } : span
  return { from: Math.floor(from / 1000) * 1000, to: Math.ceil(to / 1000) * 1000 }
}

function ZoneChoice({ zone, onZoneChange }: Pick<RangeChoicesProps, 'zone' | 'onZoneChange'>) {
  const [now] = useState(Date.now)
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={zone}
      aria-label="Time zone"
      onChange={(_, chosen: Zone | null) => chosen && onZoneChange(chosen)}
    >
      <ToggleButton value="local" sx={{ textTransform: 'none', py: 0.5 }}>
        {zoneName('local', now)}
      </ToggleButton>
      <ToggleButton value="utc" sx={{ textTransform: 'none', py: 0.5 }}>
        UTC
      </ToggleButton>
    </ToggleButtonGroup>
  )
}
