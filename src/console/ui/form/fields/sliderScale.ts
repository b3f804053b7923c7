/** Converts between slider positions and values. */

export interface SliderRange {
  min: number
  max: number
  /** The step of the values, counted from 0. */
  step: number
  /** Sizes double: equal distances on the slider are equal ratios. */
  doubling?: boolean
  /** Common values at equal distances, from `min` to `max`; between two of them, the scale is even. */
  stops?: readonly number[]
}

/** Where a value lies: the value itself, the number of its stop, or how often the smallest one doubles to reach it. */
export function positionOf({ min, max, doubling, stops }: SliderRange, value: number): number {
  const inside = Math.min(Math.max(value, min), max)
  if (stops) return between(stops, inside, (at) => at)
  return doubling ? Math.log2(inside / min) : inside
}

/** The value at a position, on a step of the range and within it. */
export function valueAt({ min, max, step, doubling, stops }: SliderRange, position: number): number {
  const raw = stops
    ? between(
        stops.map((_, at) => at),
        Math.min(Math.max(position, 0), stops.length - 1),
        (at) => stops[at] ?? max,
      )
    : doubling
      ? min * 2 ** position
      : position
  // Steps such as 0.1 have no exact form: 12 digits hide that.
  const stepped = Number((Math.round(raw / step) * step).toPrecision(12))
  return Math.min(Math.max(stepped, min), max)
}

/** The value that lies between the results of two neighbours in a rising list as `value` lies between the two. */
function between(rising: readonly number[], value: number, resultOf: (at: number) => number): number {
  const at = Math.max(
    0,
    rising.findLastIndex((candidate, index) => candidate <= value && index < rising.length - 1),
  )
  const [from = 0, to = from] = rising.slice(at, at + 2)
  const share = to === from ? 0 : (value - from) / (to - from)
  return resultOf(at) + share * (resultOf(at + 1) - resultOf(at))
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
  const { min, max, step } = range
  return valueAt({ min, max, step }, shown + direction * step)
}

/** How far an arrow key moves the slider; `valueAfterKey` makes a step of it where that is less than one. */
export function stepOf({ step, doubling, stops }: SliderRange, free: boolean): number {
  if (stops) return stopStep
  return doubling ? (free ? freeStep : 1) : step
}

/** Positions between two sizes when the slider is free, and between two stops. */
const freeStep = 0.05
const stopStep = 1 / 60

/** How far a page key moves the slider: to the next stop, a size where steps are free, else two sizes, or about a fifth of the range. */
export function pageOf({ min, max, step, doubling, stops }: SliderRange, free: boolean): number {
  if (stops) return 1
  if (doubling) return free ? 1 : 2
  return Math.max(1, Math.round((max - min) / step / 5)) * step
}
