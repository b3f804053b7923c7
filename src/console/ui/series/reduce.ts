/** Reduces points to pixels without a visible difference. */

type Values = readonly (number | null)[]

/** Points of a line that one pixel column needs: where it enters, its extremes, where it leaves. */
export const pointsPerColumn = 4

/**
 * Indexes of the values worth drawing on `columns` pixels, ascending: per column the first, lowest, highest and last, or one
 * missing value where the column holds nothing else. `times` ascend; all indexes come back when there are few enough.
 */
export function reduceToPixels(times: readonly number[], values: Values, columns: number): readonly number[] {
  if (times.length <= columns * 2 || columns < 1) return values.map((_, index) => index)
  return pixelColumns(times, columns).flatMap(([start, end]) => {
    let [first, last, lowest, highest] = [-1, -1, -1, -1]
    for (let index = start; index < end; index++) {
      const value = values[index]
      if (value == null) continue
      if (first < 0) first = lowest = highest = index
      last = index
      if (value < values[lowest]!) lowest = index
      if (value > values[highest]!) highest = index
    }
    return first < 0 ? [start] : [...new Set([first, lowest, highest, last])].toSorted((a, b) => a - b)
  })
}

/** Per pixel column the index of the largest value: bars narrower than a pixel hide each other, the tallest is seen. */
export function tallestPerColumn(times: readonly number[], values: Values, columns: number): readonly number[] {
  if (times.length <= columns || columns < 1) return values.map((_, index) => index)
  return pixelColumns(times, columns).map(([start, end]) => {
    let tallest = start
    for (let at = start; at < end; at++) if ((values[at] ?? 0) > (values[tallest] ?? 0)) tallest = at
    return tallest
  })
}

/** First index and end of the times in each pixel column that has any. */
function pixelColumns(times: readonly number[], columns: number): [start: number, end: number][] {
  const [first, count] = [times[0]!, times.length]
  const perColumn = (times[count - 1]! - first) / columns || 1
  const found: [number, number][] = []
  for (let start = 0; start < count;) {
    const column = Math.min(columns - 1, Math.floor((times[start]! - first) / perColumn))
    let end = start + 1
    if (column === columns - 1) end = count
    else while (end < count && times[end]! < first + (column + 1) * perColumn) end++
    found.push([start, end])
    start = end
  }
  return found
}
