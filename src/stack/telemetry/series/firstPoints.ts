/**
 * Decides which time series begin within the range of a query. A point that started before the range may be the first
 * that was exported, such as that of a job which exports once at its end, and then all of it counts; or an earlier one
 * is further back than was read, and then it is the point that others are compared to.
 */
import { timeSeriesSql, type MetricScope } from './metricScope.ts'
import { names, type Run, type StatementBuilder } from './seriesPlan.ts'

/** Identifies a time series, its attributes, and when it started in seconds. */
type Undecided = readonly [series: string, attributes: string, start: number]

/** Time series that are looked for in one statement: their numbers are part of its parameters. */
const atOnce = 5_000

const hour = 3_600_000
/** How far back is read, step by step: most time series that are not new have a point near by. */
const steps = [hour, 24 * hour, 7 * 24 * hour, Infinity]

/** The time series of rows of a metric of which it is not known whether they begin within the range. */
export function seriesWithUnknownStart(rows: readonly Record<string, unknown>[]): Undecided[] {
  const found = rows.flatMap((row) => (row[names.undecided] ?? []) as Undecided[]) // our own column
  return [...new Map(found.map((point) => [point[0], point])).values()]
}

interface Search {
  scope: MetricScope
  newBuilder: () => StatementBuilder
  metricName: string
  run: Run
}

/** The series without a point between their start and `scope.lookBack`. */
export async function findStartingSeries(undecided: readonly Undecided[], search: Search): Promise<bigint[]> {
  const { lookBack } = search.scope
  const beginning: bigint[] = []
  for (let at = 0; at < undecided.length; at += atOnce) {
    let open = undecided.slice(at, at + atOnce)
    let to = lookBack - 1
    for (const step of steps) {
      const oldest = Math.min(...open.map(([, , start]) => start * 1000))
      const from = Math.max(oldest, lookBack - step)
      const latest = await latestBetween(from, to, open, search)
      // A point from before the start is of an earlier run.
      const isEarlier = ([series, , start]: Undecided) => (latest.get(series) ?? -1) >= start
      const decided = (point: Undecided) => isEarlier(point) || point[2] * 1000 >= from
      beginning.push(...open.filter((point) => decided(point) && !isEarlier(point)).map(([series]) => BigInt(series)))
      open = open.filter((point) => !decided(point))
      to = from
      if (open.length === 0) break
    }
  }
  return beginning
}

/** The time of the last point in a range, in seconds, of those of these time series that have one. */
async function latestBetween(
  from: number,
  to: number,
  series: readonly Undecided[],
  { scope, newBuilder, metricName, run }: Search,
): Promise<Map<string, number>> {
  const builder = newBuilder()
  const bound = (at: 0 | 1) =>
    builder.bindings.bind([...new Set(series.map((point) => point[at]))].map(BigInt), 'Array(UInt64)')
  const conditions = [
    `MetricName = ${builder.bindings.bind(metricName, 'String')}`,
    builder.inRange(scope.times, from, to),
    // Rows are sorted by this.
    `cityHash64(Attributes) IN ${bound(1)}`,
    `${timeSeriesSql} IN ${bound(0)}`,
  ]
  const rows = await run(
    `SELECT ${timeSeriesSql} AS __series, toUnixTimestamp(max(${scope.timestamp})) AS __latest
     FROM ${builder.table} WHERE ${conditions.join(' AND ')} GROUP BY __series`,
    builder.bindings.params,
  )
  return new Map(rows.map((row) => [String(row['__series']), Number(row['__latest'])]))
}
