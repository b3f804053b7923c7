/** Moments that are too near to each other on an axis become one mark. */

export interface MarkerGroup<T> {
  /** Pixels of the chart: the place of its first member. */
  x: number
  /** In the order of time. */
  members: T[]
}

interface Axis {
  from: number
  to: number
  left: number
  right: number
}

/** Pixels between two marks: each is a target of 24 pixels that no other one covers. */
export const markGap = 24

/** Groups from left to right, at least `markGap` apart. Moments outside of the axis are left out. */
export function markerGroups<T>(
  moments: readonly T[],
  timeOf: (moment: T) => number,
  { from, to, left, right }: Axis,
): MarkerGroup<T>[] {
  const groups: MarkerGroup<T>[] = []
  if (to <= from) return groups
  const placed = moments
    .map((moment) => ({ moment, time: timeOf(moment) }))
    .filter(({ time }) => time >= from && time <= to)
    .toSorted((a, b) => a.time - b.time)
  for (const { moment, time } of placed) {
    const x = left + ((time - from) / (to - from)) * (right - left)
    const last = groups.at(-1)
    if (last && x - last.x < markGap) last.members.push(moment)
    else groups.push({ x, members: [moment] })
  }
  return groups
}
