/**
 * The days on which a roll-up has exactly the rows of its table. It lacks those from before it was made, and those of an insert
 * that failed halfway; it still has those that were deleted by a retention of its own or by hand.
 */
import type { Engine } from '../engine/engine.ts'
import { quoted, tableSql, type TableName } from '../engine/tableName.ts'
import type { Steps } from './chooseRollup.ts'
import type { Attribute } from '../fieldExpressions.ts'
import { keyColumns, labelOf, rolledColumn, type Rollup } from './rollup.ts'
import { leftOutSql } from './rolledValues.ts'

const day = 86_400_000

/** Intervals of a range, in milliseconds: those that a roll-up has, and the rest of the range. */
export interface SplitRange {
  rolled: Steps[]
  /** Both ends of the last one belong to it, if it ends with the range. */
  rest: Steps[]
}

/** The rows of a day, in the table and as its roll-up counts them. */
interface DayCount {
  /** As the engine names a partition: `20261129`. */
  day: string
  stored: string
  counted: string
}

/**
 * The days of a range whose count is not that of the parts of the table, whose partitions are days, and those from which values
 * of an attribute are left out. A day whose rows are being inserted may be among them.
 * @param rows the table, with its database
 */
export async function differentDays(
  engine: Pick<Engine, 'query'>,
  rollup: Rollup,
  rows: TableName,
  range: { from: number; to: number; valuesOf?: Attribute | undefined; signal: AbortSignal },
): Promise<ReadonlySet<string>> {
  const { valuesOf } = range
  const incomplete = valuesOf ? await daysWithLeftOut(engine, rollup, { ...range, valuesOf }) : []
  const days = await dayCounts(engine, rollup, rows, range)
  return new Set([...incomplete, ...days.flatMap(({ day: id, stored, counted }) => (stored === counted ? [] : [id]))])
}

const dateOf = (time: string): string => `formatDateTime(toDate(${time}, 'UTC') AS date, '%Y%m%d')`

async function daysWithLeftOut(
  engine: Pick<Engine, 'query'>,
  rollup: Rollup,
  { from, to, valuesOf, signal }: { from: number; to: number; valuesOf: Attribute; signal: AbortSignal },
): Promise<string[]> {
  const { map, key } = labelOf(valuesOf)
  const time = quoted(rollup.time)
  const rows = await engine.query<{ day: string }>(
    `SELECT DISTINCT ${dateOf(time)} AS day FROM ${tableSql(rollup.table)}
     WHERE ${leftOutSql('{map:String}', '{key:String}')}
       AND ${time} >= fromUnixTimestamp({from:Int64}) AND ${time} < fromUnixTimestamp({to:Int64})`,
    { params: { map, key, from: Math.floor(from / 1000), to: Math.ceil(to / 1000) }, signal },
  )
  return rows.map(({ day: id }) => id)
}

/** The days of a range that have rows. Without a range: all days. */
export function dayCounts(
  engine: Pick<Engine, 'query'>,
  rollup: Rollup,
  rows: TableName,
  { from = 0, to = lastTime, signal }: { from?: number; to?: number; signal?: AbortSignal } = {},
): Promise<DayCount[]> {
  const time = quoted(rollup.time)
  const count = quoted(rolledColumn(rollup, 'count') ?? '')
  const { map, key } = rollup.total ?? { map: '', key: '' }
  const isOfRows = rollup.total
    ? ` AND ${keyColumns.map} = {totalMap:String} AND ${keyColumns.key} = {totalKey:String}`
    : ''
  const parts = `system.parts WHERE database = {database:String} AND table = {table:String} AND active`
  // The parts do not say how many of their rows are deleted, if some are.
  const masked = `(SELECT partition_id FROM ${parts} AND has_lightweight_delete)`
  return engine.query<DayCount>(
    `SELECT day, sum(inTable) AS stored, sum(inRollup) AS counted FROM (
       SELECT partition_id AS day, toInt64(rows) AS inTable, toInt64(0) AS inRollup
       FROM ${parts} AND partition_id NOT IN ${masked}
       UNION ALL
       SELECT _partition_id, toInt64(count()), toInt64(0) FROM ${tableSql(rows)} WHERE _partition_id IN ${masked} GROUP BY _partition_id
       UNION ALL
       SELECT ${dateOf(time)}, toInt64(0), toInt64(sum(${count}))
       FROM ${tableSql(rollup.table)}
       WHERE ${time} >= fromUnixTimestamp({from:Int64}) AND ${time} < fromUnixTimestamp({to:Int64})${isOfRows} GROUP BY date)
     GROUP BY day`,
    {
      params: {
        database: rows.database,
        table: rows.table,
        totalMap: map,
        totalKey: key,
        from: (Math.floor(from / day) * day) / 1000,
        to: (Math.ceil(to / day) * day) / 1000,
      },
      ...(signal && { signal }),
    },
  )
}

/** The last day that a DateTime has, in milliseconds since 1970. */
const lastTime = 49_709 * day

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
