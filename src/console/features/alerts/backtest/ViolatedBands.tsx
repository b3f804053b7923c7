import Box from '@mui/material/Box'
import type { plotArea } from '#console/ui/chart/plotModel.ts'
import { violatedRanges, type Threshold } from '#domain/alerting/threshold.ts'

interface ViolatedBandsProps {
  threshold: Threshold
  scale: { area: ReturnType<typeof plotArea>; low: number; high: number }
}

/** The values that violate the threshold, tinted. */
export function ViolatedBands({ threshold, scale: { area, low, high } }: ViolatedBandsProps) {
  const top = (value: number) => {
    const share = (Math.min(Math.max(value, low), high) - low) / (high - low)
    return area.bottom - share * (area.bottom - area.top)
  }
  return violatedRanges(threshold).map(([from, to]) => (
    <Box
      key={from}
      aria-hidden
      sx={{ position: 'absolute', bgcolor: 'error.main', opacity: 0.06, pointerEvents: 'none' }}
      style={{ left: area.left, width: area.right - area.left, top: top(to), height: top(from) - top(to) }}
    />
  ))
}
