/** Fewer points than pixels, without losing what the eye would see. */

/** Points of a line that one pixel column needs: where it enters, its extremes, where it leaves. */
export const pointsPerColumn = 4

/**
 * Indexes of the values worth drawing on `columns` pixels, ascending: per column the first, lowest, highest and last, or one
 * missing value where the column holds nothing else. `times` ascend; all indexes come back when there are few enough.
 */
export function reduceToPixels(
  times: readonly number[],
  values: readonly (number | null)[],
  columns: number,
): readonly number[] {
  const count = times.length
  if (count <= columns * 2 || columns < 1) return values.map((_, index) => index)
  const start = times[0]!
  const perColumn = (times[count - 1]! - start) / columns || 1
  const kept: number[] = []
  let index = 0
  while (index < count) {
    const column = Math.min(columns - 1, Math.floor((times[index]! - start) / perColumn))
    const end = columnEnd(times, index, start + (column + 1) * perColumn, column === columns - 1)
    keepColumn(values, index, end, kept)
    index = end
  }
  return kept
}

function columnEnd(times: readonly number[], index: number, until: number, last: boolean): number {
  if (last) return times.length
  let end = index + 1
  while (end < times.length && times[end]! < until) end++
  return end
}

function keepColumn(values: readonly (number | null)[], start: number, end: number, kept: number[]): void {
  let first = -1
  let last = -1
  let lowest = -1
  let highest = -1
  for (let index = start; index < end; index++) {
    const value = values[index]
    if (value == null) continue
    if (first < 0) first = lowest = highest = index
    last = index
    if (value < values[lowest]!) lowest = index
    if (value > values[highest]!) highest = index
  }
  if (first < 0) {
    kept.push(start)
    return
  }
  for (const index of [...new Set([first, lowest, highest, last])].toSorted((a, b) => a - b)) kept.push(index)
}

/** Per pixel column the index of the largest value: bars narrower than a pixel hide each other, and the tallest is what is seen. */
export function tallestPerColumn(
  times: readonly number[],
  values: readonly (number | null)[],
  columns: number,
): readonly number[] {
  const count = times.length
  if (count <= columns || columns < 1) return values.map((_, index) => index)
  const start = times[0]!
  const perColumn = (times[count - 1]! - start) / columns || 1
  const kept: number[] = []
  for (let index = 0; index < count;) {
    const column = Math.min(columns - 1, Math.floor((times[index]! - start) / perColumn))
    const end = columnEnd(times, index, start + (column + 1) * perColumn, column === columns - 1)
    let tallest = index
    for (let at = index; at < end; at++) if ((values[at] ?? 0) > (values[tallest] ?? 0)) tallest = at
    kept.push(tallest)
    index = end
  }
  return kept
}
