/**
 * The days on which a roll-up has exactly the rows of its table. It lacks those from before it was made, and those of an insert
 * that failed halfway; it still has those that were deleted by a retention of its own or by hand.
 */
import type { Engine } from '../engine/engine.ts'
import { quoted, tableSql, type TableName } from '../engine/tableName.ts'
import type { Steps } from './chooseRollup.ts'
import { rolledColumn, type Rollup } from './rollup.ts'

const day = 86_400_000

/** Intervals of a range, in milliseconds: those that a roll-up has, and the rest of the range. */
export interface SplitRange {
  rolled: Steps[]
  /** Both ends of the last one belong to it, if it ends with the range. */
  rest: Steps[]
}

/**
 * Compares the counts of each day with those of the parts of the table, whose partitions are days. A day whose rows are being
 * inserted may be missing.
 */
export async function completeDays(
  engine: Pick<Engine, 'query'>,
  rollup: Rollup,
  rows: TableName,
  { from, to }: Steps,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const time = quoted(rollup.time)
  const count = quoted(rolledColumn(rollup, 'count') ?? '')
  const days = await engine.query<{ day: string }>(
    `SELECT day FROM (
       SELECT partition_id AS day, toInt64(rows) AS stored, toInt64(0) AS counted, toUInt8(has_lightweight_delete) AS deleted
       FROM system.parts WHERE database = {database:String} AND table = {table:String} AND active
       UNION ALL
       SELECT formatDateTime(toDate(${time}, 'UTC') AS date, '%Y%m%d'), toInt64(0), toInt64(sum(${count})), toUInt8(0)
       FROM ${tableSql(rollup.table)}
       WHERE ${time} >= fromUnixTimestamp({from:Int64}) AND ${time} < fromUnixTimestamp({to:Int64}) GROUP BY date)
     GROUP BY day HAVING sum(stored) = sum(counted) AND max(deleted) = 0`,
    {
      params: {
        database: rows.database,
        table: rows.table,
        from: (Math.floor(from / day) * day) / 1000,
        to: (Math.ceil(to / day) * day) / 1000,
      },
      signal,
    },
  )
  return new Set(days.map((row) => row.day))
}

/** @param steps the part of the range that the roll-up may answer */
export function splitRange(
  { startTime, endTime }: { startTime: number; endTime: number },
  steps: Steps,
  isComplete: (day: string) => boolean,
): SplitRange {
  const rolled: Steps[] = []
  for (let from = steps.from; from < steps.to;) {
    const to = Math.min(steps.to, (Math.floor(from / day) + 1) * day)
    const last = rolled.at(-1)
    if (isComplete(dayOf(from))) {
      if (last?.to === from) last.to = to
      else rolled.push({ from, to })
    }
    from = to
  }
  const rest: Steps[] = []
  let from = startTime
  for (const interval of rolled) {
    if (from < interval.from) rest.push({ from, to: interval.from })
    from = interval.to
  }
  return { rolled, rest: [...rest, { from, to: endTime }] }
}

/** As the engine names a partition: `20261129`. */
const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10).replaceAll('-', '')
