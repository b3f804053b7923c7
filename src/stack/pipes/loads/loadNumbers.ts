/**
 * The numbers of loads. Each pipe has its own ranges, so that all of its rows are found by a few comparisons, and nothing
 * is stored for finished loads.
 */
import { randomInt } from 'node:crypto'
import type { Queries } from '../../store/store.ts'
import { loadColumn } from './destinationTable.ts'

/** The size of a range, and the number of ranges below 2^53. A number is never used twice on a table. */
const rangeSize = 2 ** 20
const ranges = 2 ** 33

/** The next number for a load of a pipe. */
export async function nextLoadNumber(transaction: Queries, pipeId: string): Promise<number> {
  const [row] = await transaction.rows(
    'SELECT first, used FROM pipe_load_ranges WHERE pipe_id = ? AND used < size LIMIT 1',
    [pipeId],
  )
  if (row) {
    await transaction.run('UPDATE pipe_load_ranges SET used = used + 1 WHERE first = ?', [Number(row['first'])])
    return Number(row['first']) + Number(row['used'])
  }
  const first = randomInt(1, ranges) * rangeSize
  await transaction.run('INSERT INTO pipe_load_ranges (first, size, used, pipe_id) VALUES (?, ?, 1, ?)', [
    first,
    rangeSize,
    pipeId,
  ])
  return first
}

/** The number of ranges in one condition. */
const rangesAtOnce = 500

/** Conditions that together match exactly the rows of a pipe. */
export async function rowsOfPipe(queries: Queries, pipeId: string): Promise<string[]> {
  const rows = await queries.rows('SELECT first, used FROM pipe_load_ranges WHERE pipe_id = ? ORDER BY first', [pipeId])
  const parts = rows.map((row) => {
    const first = Number(row['first'])
    return `${loadColumn} BETWEEN ${first} AND ${first + Number(row['used']) - 1}`
  })
  return Array.from({ length: Math.ceil(parts.length / rangesAtOnce) }, (_, at) =>
    parts.slice(at * rangesAtOnce, (at + 1) * rangesAtOnce).join(' OR '),
  )
}

export async function deleteLoadNumbers(transaction: Queries, pipeId: string): Promise<void> {
  await transaction.run('DELETE FROM pipe_load_ranges WHERE pipe_id = ?', [pipeId])
}
