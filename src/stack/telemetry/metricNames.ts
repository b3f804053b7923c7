/** The names and units of the metrics that a source has points of. */
import { timeExpressions } from '#contract/stack/sourceExpressions.ts'
import { metricTypes, type MetricName, type Source } from '#contract/stack/sources.ts'
import { Bindings } from './bindings.ts'
import type { Engine } from './engine/engine.ts'
import { tableSql } from './engine/tableName.ts'
import { fieldValue } from './fieldExpressions.ts'
import { SourceTableError, type ReadableDatabases } from './readableTables.ts'
import { layoutOf } from './tableLayout.ts'
import { timeRangeSql, timesOf } from './timeRange.ts'

const day = 86_400_000
/** Points of the last days count: metrics of jobs may have one a day. */
const readDays = 7
const maxNames = 5000

type NamedMetric = Pick<MetricName, 'type' | 'name'>

/** The metrics of the last seven days, sorted by type and name, at most 5,000 of each type. @param only reads only these */
export async function metricNames(
  engine: Engine,
  source: Source,
  databases: ReadableDatabases,
  { now, only, signal }: { now: number; only?: readonly NamedMetric[]; signal: AbortSignal },
): Promise<MetricName[]> {
  const found = await Promise.all(
    metricTypes.map(async (type) => {
      const wanted = only?.flatMap((namedMetric) => (namedMetric.type === type ? [namedMetric.name] : []))
      const table = wanted?.length === 0 ? '' : (source.metricTables?.[type] ?? '')
      const names = await namesOf(engine, source, databases, { table, now, wanted, signal })
      return names.map((named) => ({ ...named, type }))
    }),
  )
  return found.flat()
}

interface Read {
  table: string
  now: number
  wanted: readonly string[] | undefined
  signal: AbortSignal
}

/** The metrics of one table; none if the source does not name it, if it does not exist yet, or if it has no column for names. */
async function namesOf(
  engine: Engine,
  source: Source,
  databases: ReadableDatabases,
  { table, now, wanted, signal }: Read,
): Promise<{ name: string; unit?: string }[]> {
  if (table === '') return []
  try {
    const name = { database: databases.resolve(source.from?.databaseName ?? ''), table }
    const { columns, timeKeys } = await layoutOf(engine, name)
    if (!columns.has('MetricName')) return []
    const bindings = new Bindings()
    const times = timeExpressions(source, 'TimeUnix').flatMap((time) => fieldValue(time, columns, bindings) ?? [])
    const span = { from: now - readDays * day, to: now, timeKeys }
    const range = times.length > 0 ? timeRangeSql(timesOf(times), span, bindings) : 'true'
    const named = wanted ? `AND MetricName IN ${bindings.bind(wanted, 'Array(String)')}` : ''
    // The unit of the newest points, should it have changed.
    const unit = columns.has('MetricUnit') && times[0] ? `argMax(MetricUnit, ${times[0].sql})` : `''`
    const rows = await engine.query<{ name: string; unit: string }>(
      `SELECT MetricName AS name, ${unit} AS unit FROM ${tableSql(name)} WHERE ${range} ${named}
       GROUP BY name ORDER BY name LIMIT ${maxNames}`,
      { params: bindings.params, signal, scans: true },
    )
    return rows.map(({ name, unit }) => ({ name, ...(unit !== '' && { unit }) }))
  } catch (error) {
    if (error instanceof SourceTableError) return []
    throw error
  }
}
