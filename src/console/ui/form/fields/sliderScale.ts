/** Converts between slider positions and values. */

export interface SliderRange {
  min: number
  max: number
  /** What values are a multiple of, counted from 0. */
  step: number
  /** Sizes double: equal distances on the slider are equal ratios. */
  doubling?: boolean
}

/** Where a value lies: the value itself, or how often the smallest one doubles to reach it. */
export function positionOf({ min, max, doubling }: SliderRange, value: number): number {
  const inside = Math.min(Math.max(value, min), max)
  return doubling ? Math.log2(inside / min) : inside
}

/** The value at a position, on a step of the range and within it. */
export function valueAt({ min, max, step, doubling }: SliderRange, position: number): number {
  const raw = doubling ? min * 2 ** position : position
  // Steps such as 0.1 have no exact form: 12 digits hide that.
  const stepped = Number((Math.round(raw / step) * step).toPrecision(12))
  return Math.min(Math.max(stepped, min), max)
}

/** How far along the slider a value lies, 0 to 1. */
export function shareOf(range: SliderRange, value: number): number {
  const [from, to] = [positionOf(range, range.min), positionOf(range, range.max)]
  return (positionOf(range, value) - from) / (to - from)
}

/** The value after a key moved the slider: at least one step on, where sizes are small beside the step. */
export function valueAfterKey(range: SliderRange, shown: number, position: number): number {
  const next = valueAt(range, position)
  const direction = Math.sign(position - positionOf(range, shown))
  if (next !== shown || direction === 0) return next
  return valueAt({ ...range, doubling: false }, shown + direction * range.step)
}

/** How far a page key moves the slider: a size where steps are free, else two sizes, or about a fifth of the range. */
export function pageOf({ min, max, step, doubling }: SliderRange, free: boolean): number {
  if (doubling) return free ? 1 : 2
  return Math.max(1, Math.round((max - min) / step / 5)) * step
}
