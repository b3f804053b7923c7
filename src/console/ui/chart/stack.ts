/** Stacked series: every value gets the ground it stands on. */

/** Bottom and top of each series at each time; both null where nothing is drawn. */
export interface Band {
  low: (number | null)[]
  high: (number | null)[]
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
    const band: Band = { low: [], high: [] }
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
  return rows.map((row) => ({ low: row.map((value) => (value == null ? null : 0)), high: [...row] }))
}
