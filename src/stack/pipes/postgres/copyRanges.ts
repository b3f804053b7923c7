/**
 * The ranges of a growing key that a table is copied in.
 *
 * A row may become visible after one with a higher key. So the highest key is read first. Then the pipe waits until every
 * transaction that was writing to the table at that time has ended, and fetches everything up to that key.
 */
import { escapeIdentifier, escapeLiteral } from 'pg'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { PostgresRun } from './postgresRun.ts'
import { sourceName, writersOf, type SourceTable } from './postgresTables.ts'

const checkWritersMs = 200
/** The maximum number of ranges of a table. Keys may have gaps. */
const maxRanges = 1000
/** Keys above `from`, up to `to`. */
interface Bounds {
  from: bigint
  to: bigint
}

/** The ranges of an initial load. They stay the same when it continues after a stop. */
export interface Plan extends Bounds {
  step: bigint
}

/** The ranges for the initial load of a table, or null without rows. @param rows that a range should have */
export async function newPlan(run: PostgresRun, table: SourceTable, key: string, rows: number): Promise<Plan | null> {
  const bounds = await keysAfter(run, table, key, null)
  if (!bounds) return null
  return { ...bounds, step: (await hasMore(run, table, rows)) ? stepOf(bounds, rows) : bounds.to - bounds.from }
}

/** A plan as it is stored. */
export function parsedPlan(stored: string | null): Plan | null {
  const [from, to, step] = stored?.split(' ').map(BigInt) ?? []
  return from !== undefined && to !== undefined && step !== undefined ? { from, to, step } : null
}

export function planText({ from, to, step }: Plan): string {
  return [from, to, step].join(' ')
}

/** Whether a table has more rows. Their keys may be far apart. */
async function hasMore({ server, signal }: PostgresRun, table: SourceTable, rows: number): Promise<boolean> {
  const [found] = await server.query<{ rows: string }>(
    `SELECT count(*) AS rows FROM (SELECT FROM ${sourceName(table)} LIMIT ${rows + 1}) few`,
    [],
    signal,
  )
  return Number(found?.rows) > rows
}

/** The number of keys in one range: the wanted rows, or more if there would be too many ranges. */
export function stepOf({ from, to }: Bounds, rows: number): bigint {
  const wide = (to - from) / BigInt(maxRanges) + 1n
  return wide > BigInt(rows) ? wide : BigInt(rows)
}

/** Adjacent ranges that contain every key within the bounds once. */
export function rangesOf({ from, to, step }: Plan): Bounds[] {
  const ranges: Bounds[] = []
  for (let after = from; after < to; after += step)
    ranges.push({ from: after, to: after + step < to ? after + step : to })
  return ranges
}

/** Waits until every transaction that is writing to a table has ended. What it wrote is visible then. */
export async function writersEnd({ server, signal }: PostgresRun, table: SourceTable): Promise<void> {
  const writers = await writersOf(server, table)
  const anyLeft = async () => {
    const now = await writersOf(server, table)
    return [...writers].some((writer) => now.has(writer))
  }
  while (writers.size > 0 && (await anyLeft())) await abortableSleep(checkWritersMs, signal)
}

/** The keys of rows above the cursor, or null. Every row up to `to` is visible. */
export async function keysAfter(
  run: PostgresRun,
  table: SourceTable,
  key: string,
  cursor: string | null,
): Promise<Bounds | null> {
  const { server, signal } = run
  const column = escapeIdentifier(key)
  const [row] = await server.query<{ least: string | null; most: string | null }>(
    `SELECT min(${column}) AS least, max(${column}) AS most FROM ${sourceName(table)}
     ${cursor === null ? '' : `WHERE ${column} > ${escapeLiteral(cursor)}`}`,
    [],
    signal,
  )
  if (row?.least == null || row.most === null) return null
  await writersEnd(run, table)
  // A row that was not visible may have a lower key than the lowest visible one.
  return { from: cursor === null ? BigInt(row.least) - 1n : BigInt(cursor), to: BigInt(row.most) }
}
