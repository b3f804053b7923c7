/** Where each series starts and ends vertically: stacked on the others, or on zero. */
import type { Frame, FrameRow } from './series.ts'

type Values = readonly (number | null)[]

/** Bottom and top of a series at each time; nothing is drawn where the top is null. */
export interface Band {
  low: Values
  high: Values
}

/** The band of each row. Overlaid rows stack among themselves, rows of another period do not stack. */
export function bandsOf(frame: Frame, stacked: boolean): Band[] {
  if (!stacked) return groundBands(frame.rows.map(({ values }) => values))
  const stacks = new Map<FrameRow, Band>()
  for (const overlay of [false, true]) {
    const rows = frame.rows.filter(({ series }) => !series.ghost && (series.overlay ?? false) === overlay)
    stackBands(rows.map(({ values }) => values)).forEach((band, index) => stacks.set(rows[index]!, band))
  }
  return frame.rows.map((row) => stacks.get(row) ?? groundBands([row.values])[0]!)
}

/**
 * Stacks rows of equal length, the first at the bottom. Positive values go up from zero, negative ones down.
 * A missing value has no height; where a whole column is missing, all bands are.
 */
export function stackBands(rows: readonly Values[]): Band[] {
  const length = rows[0]?.length ?? 0
  const up = new Float64Array(length)
  const down = new Float64Array(length)
  const empty = Array.from({ length }, (_, index) => rows.every((row) => row[index] == null))
  return rows.map((row) => {
    const low: (number | null)[] = []
    const high = row.map((value, index) => {
      if (empty[index]) return (low[index] = null)
      const pile = (value ?? 0) < 0 ? down : up
      low[index] = pile[index]!
      return (pile[index] = pile[index]! + (value ?? 0))
    })
    return { low, high }
  })
}

function groundBands(rows: readonly Values[]): Band[] {
  const low = Array.from<number>({ length: rows[0]?.length ?? 0 }).fill(0)
  return rows.map((high) => ({ low, high }))
}

/**
 * Lowest and highest drawn value. Zero is included, because a value axis that does not start at zero exaggerates.
 * @param fit leaves zero out, for lines
 */
export function extentOf(bands: readonly Band[], fit = false): [number, number] {
  let [low, high] = fit ? [Infinity, -Infinity] : [0, 0]
  // Bands on the ground share their bottom.
  for (const edge of new Set(bands.flatMap((band) => (fit ? [band.high] : [band.low, band.high])))) {
    for (const value of edge) {
      if (value == null || !Number.isFinite(value)) continue
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  return low <= high ? [low, high] : [0, 0]
}
