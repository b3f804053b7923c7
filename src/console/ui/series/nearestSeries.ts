import type { Band } from './bands.ts'
import type { Frame } from './series.ts'

/** Pixels from a series within which it counts as pointed at. */
const maxDistance = 30

/** The id of the series whose drawn value lies closest to a height; in a stack the band that holds it. */
export function nearestSeries(
  { frame, bands }: { frame: Frame; bands: readonly Band[] },
  index: number,
  y: number,
  scale: (value: number) => number,
): string | null {
  let nearest: string | null = null
  let shortest = maxDistance
  frame.rows.forEach(({ series }, row) => {
    const [high, low] = [bands[row]?.high[index], bands[row]?.low[index]]
    if (high == null || low == null) return
    const distance = low > 0 && y >= scale(high) && y <= scale(low) ? 0 : Math.abs(y - scale(high))
    if (distance >= shortest) return
    shortest = distance
    nearest = series.id
  })
  return nearest
}
