import type { plotArea } from '#console/ui/chart/plotModel.ts'
import { violatedRanges, type Threshold } from '#domain/alerting/threshold.ts'
import css from './ViolatedBands.module.css'

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
    <div
      key={from}
      aria-hidden
      className={css.violated}
      style={{ left: area.left, width: area.right - area.left, top: top(to), height: top(from) - top(to) }}
    />
  ))
}
