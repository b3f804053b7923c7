/**
 * The ranges of a growing key that a table is copied in.
 *
 * A row may become visible after one with a higher key. So the highest key is read first. Then the pipe waits until every
 * transaction that was writing to the table at that time has ended, and fetches everything up to that key.
 */
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { PostgresRun } from './postgresRun.ts'
import { sourceName, type SourceTable } from './source/postgresTables.ts'
import { untilWritersEnd } from './source/transactions.ts'

/** The maximum number of ranges of a table. Keys may have gaps. */
const maxRanges = 1000
/** Ranges for each that the estimated rows need: estimates may be far too low. */
const rangesPerEstimate = 4
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
  // Changes that were passed over before may not be visible yet. Nothing else brings those rows.
  await untilWritersEnd(run, table)
  const bounds = await keysAfter(run, table, key, null)
  if (!bounds) return null
  if (!(await hasMore(run, table, rows))) return { ...bounds, step: bounds.to - bounds.from }
  const needed = rangesPerEstimate * Math.ceil((await estimatedRows(run, table)) / rows)
  return { ...bounds, step: stepOf(bounds, rows, Math.min(Math.max(needed, rangesPerEstimate), maxRanges)) }
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

/** The rows of a table as the planner estimates them. Where keys are far apart, most ranges of keys would have none. */
async function estimatedRows({ server, signal }: PostgresRun, table: SourceTable): Promise<number> {
  const [plan] = await server.query<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT FROM ${sourceName(table)}`, [], signal)
  return Number(/ rows=(\d+) /.exec(plan?.['QUERY PLAN'] ?? '')?.[1] ?? 0)
}

/** The number of keys in one range: the wanted rows, or more if there would be too many ranges. */
export function stepOf({ from, to }: Bounds, rows: number, ranges = maxRanges): bigint {
  const wide = (to - from) / BigInt(ranges) + 1n
  return wide > BigInt(rows) ? wide : BigInt(rows)
}

/** Adjacent ranges that contain every key within the bounds once. */
export function rangesOf({ from, to, step }: Plan): Bounds[] {
  const ranges: Bounds[] = []
  for (let after = from; after < to; after += step)
    ranges.push({ from: after, to: after + step < to ? after + step : to })
  return ranges
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
  const above = cursor === null ? '' : `WHERE ${column} > ${escapeLiteral(cursor)}`
  const read = async (end: 'min' | 'max') => {
    const select = `SELECT ${end}(${column}) AS key FROM ${sourceName(table)} ${above}`
    const [row] = await server.query<{ key: string | null }>(select, [], signal)
    return row?.key ?? null
  }
  const most = await read('max')
  if (most === null) return null
  await untilWritersEnd(run, table)
  // A row that was not visible before may have a lower key than all that were.
  const from = cursor ?? (await read('min'))
  if (from === null) return null
  return { from: cursor === null ? BigInt(from) - 1n : BigInt(from), to: BigInt(most) }
}
