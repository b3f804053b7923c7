/** The progress of a read, in words. */
import type { QueryProgress } from '#contract/stack/charts.ts'

/** All requests of a read together; null where none of them is known. */
export function together(progress: readonly QueryProgress[]): QueryProgress | null {
  const [first] = progress
  if (!first) return null
  const sum = (of: (one: QueryProgress) => number) => progress.reduce((total, one) => total + of(one), 0)
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

/** `Reading 12 of 40 million rows`, or what it waits for. */
export function describeProgress(progress: QueryProgress | null): string {
  if (!progress) return 'Still loading'
  const { state, rowsRead, rowsTotal } = progress
  if (state === 'waiting') return 'Waiting for other queries'
  if (rowsTotal <= 0) return 'Still loading'
  const [size, name] = units.find(([size]) => rowsTotal >= size) ?? ([1, ''] as const)
  // One digit after the point below ten, and never more than there is.
  const step = size > 1 && rowsTotal < 10 * size ? size / 10 : size
  const inUnit = (rows: number) => String((Math.floor(rows / step) * step) / size)
  return `Reading ${inUnit(Math.min(rowsRead, rowsTotal))} of ${inUnit(rowsTotal)}${name} rows`
}
