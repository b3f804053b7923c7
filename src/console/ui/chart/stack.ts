/** Stacked series: every value gets the ground it stands on. */

/** Bottom and top of each series at each time; nothing is drawn where the top is null. */
export interface Band {
  low: readonly (number | null)[]
  high: readonly (number | null)[]
}

/**
 * Stacks rows of equal length, the first at the bottom. Positive values pile up from zero, negative ones down from it.
 * A missing value has no height; where a whole column is missing, all bands are.
 */
export function stackBands(rows: readonly (readonly (number | null)[])[]): Band[] {
  const length = rows[0]?.length ?? 0
  const up = new Float64Array(length)
  const down = new Float64Array(length)
  const empty = Array.from({ length }, (_, index) => rows.every((row) => row[index] == null))
  return rows.map((row) => {
    const band: Record<keyof Band, (number | null)[]> = { low: [], high: [] }
    for (let index = 0; index < length; index++) {
      if (empty[index]) {
        band.low.push(null)
        band.high.push(null)
        continue
      }
      const value = row[index] ?? 0
      const pile = value < 0 ? down : up
      const ground = pile[index]!
      pile[index] = ground + value
      band.low.push(ground)
      band.high.push(ground + value)
    }
    return band
  })
}

/** Bands of series that are not stacked: each stands on zero. */
export function groundBands(rows: readonly (readonly (number | null)[])[]): Band[] {
  const low = Array.from<number>({ length: rows[0]?.length ?? 0 }).fill(0)
  return rows.map((high) => ({ low, high }))
}
