import Box from '@mui/material/Box'
import type { plotArea } from '#console/ui/chart/plotModel.ts'
import type { Span } from '#console/ui/time/range.ts'
import type { Firing } from '#domain/alerting/backtest.ts'
import { FiringNumber } from './FiringNumber.tsx'

/** Numbers need this much room, pixels. */
const numberWidth = 17
/** More bands than these cannot be told apart. */
const maxBands = 300

interface FiringBandsProps {
  firings: readonly Firing[]
  span: Span
  area: ReturnType<typeof plotArea>
}

/** When the alert fires, shaded, with the numbers of the table above. */
export function FiringBands({ firings, span, area }: FiringBandsProps) {
  const scale = (area.right - area.left) / (span.to - span.from)
  const drawn = firings.slice(0, maxBands).map(({ start, end }, at) => ({
    number: at + 1,
    left: area.left + (start - span.from) * scale,
    width: Math.max(2, (end - start) * scale),
  }))
  return (
    <Box aria-hidden sx={{ position: 'absolute', inset: 0, pointerEvents: 'none' }}>
      {drawn.map(({ number, left, width }) => (
        <Box
          key={number}
          sx={{ position: 'absolute', bgcolor: 'error.main', opacity: 0.14 }}
          style={{ left, width, top: area.top, height: area.bottom - area.top }}
        />
      ))}
      {withRoom(drawn).map(({ number, left, width }) => (
        <Box
          key={number}
          sx={{
            position: 'absolute',
            top: -10,
            width: 0,
            display: 'flex',
            justifyContent: 'center',
            '& span': { mr: 0 },
          }}
          style={{ left: left + width / 2 }}
        >
          <FiringNumber>{number}</FiringNumber>
        </Box>
      ))}
    </Box>
  )
}

/** Numbers that would cover the one before are left out. */
function withRoom<T extends { left: number; width: number }>(bands: readonly T[]): T[] {
  let free = -Infinity
  return bands.filter(({ left, width }) => {
    const middle = left + width / 2
    if (middle < free) return false
    free = middle + numberWidth
    return true
  })
}
