import type { plotArea } from '#console/ui/chart/plotModel.ts'
import type { Firing } from '#domain/alerting/backtest.ts'
import type { Span } from '#domain/time/span.ts'
import { FiringNumber } from './FiringNumber.tsx'
import css from './FiringBands.module.css'

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
    <div aria-hidden className={css.firingBands}>
      {drawn.map(({ number, left, width }) => (
        <div key={number} className={css.band} style={{ left, width, top: area.top, height: area.bottom - area.top }} />
      ))}
      {withRoom(drawn).map(({ number, left, width }) => (
        <div key={number} className={css.number} style={{ left: left + width / 2 }}>
          <FiringNumber>{number}</FiringNumber>
        </div>
      ))}
    </div>
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
