/** The progress of a read, in words. */
import type { QueryProgress } from '#contract/stack/charts.ts'

/** The progress of all requests of a read; null where none of them is known. */
export function combinedProgress(progress: readonly QueryProgress[]): QueryProgress | null {
  const [first] = progress
  if (!first) return null
  const sum = (of: (part: QueryProgress) => number) => progress.reduce((total, part) => total + of(part), 0)
  return {
    id: first.id,
    state: progress.every(({ state }) => state === 'waiting') ? 'waiting' : 'running',
    rowsRead: sum(({ rowsRead }) => rowsRead),
    rowsTotal: sum(({ rowsTotal }) => rowsTotal),
  }
}

const units = [
  [1e9, ' billion'],
  [1e6, ' million'],
  [1e3, ' thousand'],
] as const

/** 0 to 1; undefined while it is not known, and once the estimated total is read and the query still runs. */
export function shareOf(progress: QueryProgress | null): number | undefined {
  return progress && progress.rowsRead < progress.rowsTotal ? progress.rowsRead / progress.rowsTotal : undefined
}

/** `Reading 12 of 40 million rows`, or what it waits for. */
export function describeProgress(progress: QueryProgress | null): string {
  if (!progress) return 'Still loading'
  const { state, rowsRead, rowsTotal } = progress
  if (state === 'waiting') return 'Waiting for other queries'
  if (rowsTotal <= 0) return 'Still loading'
  const most = Math.max(rowsRead, rowsTotal)
  const [size, name] = units.find(([size]) => most >= size) ?? ([1, ''] as const)
  // One digit after the point below ten, and never more than there is.
  const step = size > 1 && most < 10 * size ? size / 10 : size
  const inUnit = (rows: number) => String((Math.floor(rows / step) * step) / size)
  // The total is an estimate, and reading is not all that a query does.
  if (rowsRead >= rowsTotal) return `${inUnit(rowsRead)}${name} rows read so far`
  return `Reading ${inUnit(rowsRead)} of ${inUnit(rowsTotal)}${name} rows`
}
