/**
 * Measures how questions about telemetry grow with the rows and with the range: the API beside the same question as a person would
 * write it in SQL, with the usual indexes and roll-ups. BENCH_MILLIONS has the sizes in millions of log records, in ascending order.
 */
import { readConfig } from '#stack/config.ts'
import type { Engine } from '#stack/telemetry/engine/engine.ts'
import { ensureIndexes } from '#stack/telemetry/indexes/ensureIndexes.ts'
import { ensureRollups } from '#stack/telemetry/rollups/ensureRollups.ts'
import { ownRollups } from '#stack/telemetry/rollups/ownRollups.ts'
import { tables } from '#stack/telemetry/tables.ts'
import { end, hour } from './support/logs.ts'
import { compare, milliseconds, times, type Row } from './support/measure.ts'
import { withStack, type BenchStack } from './support/stack.ts'

const sizes = (process.env['BENCH_MILLIONS'] ?? '1,10').split(',').map((millions) => Number(millions) * 1_000_000)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)
/** More rows than these are copies of them: to write each would take hours. */
const mostWritten = 10_000_000
const piece = 1_000_000
const day = 24 * hour
const ranges = [28, 1]
const first = end - 28 * day
/** Times all over the range, so that rows can be added to those that are there. */
const timeOf = (number: string) =>
  `fromUnixTimestamp64Milli(toInt64({start:Int64} + cityHash64(${number}, 9) % {length:Int64}))`

const fillLogs = `
INSERT INTO ${tables.logs} (Timestamp, ServiceName, SeverityText, Body, ScopeName, LogAttributes, ResourceAttributes)
SELECT
  ${timeOf('number')},
  concat('service-', toString(cityHash64(number) % 12)),
  if(cityHash64(number, 1) % 50 = 0, 'ERROR', 'INFO'),
  concat('request ', toString(number % 1000), ' to /api/orders/', if(number % 5 = 0, hex(cityHash64(number, 2)), 'cart'), ' done'),
  concat('route-', toString(toUInt32(10000 * pow(cityHash64(number, 3) % 1000000 / 1e6, 3)))),
  map('http.status_code', '200', 'user.id', toString(cityHash64(number, 4) % 1000000), concat('key.', toString(number % 40)), 'x'),
  map('host.name', concat('host-', toString(number % 20)), 'service.version', '1.2.3')
FROM numbers({from:UInt64}, {count:UInt64})`

/** Traces of eight spans, a quarter as many spans as log records. */
const fillSpans = `
INSERT INTO ${tables.traces} (Timestamp, TraceId, SpanId, ServiceName, SpanName, Duration)
SELECT
  ${timeOf('intDiv(number, 32)')},
  lower(hex(MD5(toString(intDiv(number, 32))))),
  lower(hex(cityHash64(number))),
  concat('service-', toString(cityHash64(number) % 12)),
  concat('GET /', toString(number % 50)),
  number % 1000000
FROM numbers({from:UInt64}, {count:UInt64}) WHERE number % 4 = 0`

const inRange = `Timestamp >= fromUnixTimestamp64Milli({start:Int64}) AND Timestamp <= fromUnixTimestamp64Milli({end:Int64})`
const countsBy = (table: string, columns: string, condition = '') =>
  `SELECT count()${columns && `, ${columns}`} FROM ${table} WHERE ${inRange}${condition}${columns && ` GROUP BY ${columns}`}`
const route = `if(ScopeName IN (SELECT ScopeName FROM ${tables.logs} WHERE ${inRange} GROUP BY ScopeName ORDER BY count() DESC LIMIT 10), ScopeName, 'other')`
const firstTrace = 'lower(hex(MD5(toString(0))))'

interface Question {
  name: string
  /** A search for rows, or a chart of counts. */
  search?: { of: 'log' | 'trace'; where?: string; maxResults: number }
  chart?: { granularity: string; where?: string; groupBy?: string[]; topGroups?: number }
  sql: string
}

/** @param absent a text that no row has: another one each time, because the engine remembers where it did not find one */
const questions = (trace: string, absent: string): Question[] => [
  {
    name: 'A trace by its ID',
    search: { of: 'trace', where: `TraceId:"${trace}"`, maxResults: 1000 },
    sql: `SELECT Timestamp, ServiceName, SpanName, Duration FROM ${tables.traces} WHERE ${inRange} AND TraceId = '${trace}' ORDER BY Timestamp DESC LIMIT 1000`,
  },
  {
    name: 'Daily counts by service',
    chart: { granularity: '1d', groupBy: ['ServiceName'] },
    sql: countsBy(tables.logs, 'ServiceName, toStartOfDay(Timestamp)'),
  },
  {
    name: 'A word that no body has',
    chart: { granularity: '30d', where: `Body:(${absent})` },
    sql: countsBy(tables.logs, '', ` AND Body ILIKE '%${absent}%'`),
  },
  {
    name: 'An attribute value that no row has',
    chart: { granularity: '30d', where: `LogAttributes.user.id:"${absent}"` },
    sql: countsBy(tables.logs, '', ` AND LogAttributes['user.id'] = '${absent}'`),
  },
  {
    name: 'Facet of severities',
    chart: { granularity: '30d', groupBy: ['SeverityText'] },
    sql: countsBy(tables.logs, 'SeverityText'),
  },
  {
    name: 'Names of attributes',
    chart: { granularity: '30d', groupBy: ['arrayJoin(mapKeys(LogAttributes))'] },
    sql: countsBy(tables.logs, 'arrayJoin(mapKeys(LogAttributes))'),
  },
  {
    name: 'The largest 10 of 10,000 values and all others, daily',
    chart: { granularity: '1d', groupBy: ['ScopeName'], topGroups: 10 },
    sql: countsBy(tables.logs, `${route}, toStartOfDay(Timestamp)`),
  },
  {
    name: 'The newest 100 records',
    search: { of: 'log', maxResults: 100 },
    sql: `SELECT Timestamp, ServiceName, SeverityText, Body FROM ${tables.logs} WHERE ${inRange} ORDER BY Timestamp DESC LIMIT 100`,
  },
]

export function growth(): Promise<Row[]> {
  return withStack(async (stack) => {
    const { telemetryIndexes, telemetryRollups, retentionDays } = readConfig({})
    await ensureIndexes(stack.engine, telemetryIndexes)
    await ensureRollups(stack.engine, telemetryRollups, retentionDays)
    const measured: Row[] = []
    for (const [at, rows] of sizes.entries()) {
      await fill(stack.engine, sizes[at - 1] ?? 0, rows)
      measured.push(...(await answers(stack, rows)))
    }
    return measured
  })
}

async function answers({ engine, post, sources }: BenchStack, rows: number): Promise<Row[]> {
  const list = await sources()
  const sourceOf = (kind: string) => list.find((source) => source.kind === kind)?.id
  const [found] = await engine.query<{ id: string }>(`SELECT ${firstTrace} AS id`)
  let asked = 0
  const fresh = () => questions(found?.id ?? '', `kumquat${(asked += 1)}`)
  const measured: Row[] = []
  for (const [at, { name }] of fresh().entries()) {
    const results: string[] = []
    for (const days of ranges) {
      const start = end - days * day
      const ask = async () => {
        const { search, chart } = fresh()[at] ?? {}
        if (search) {
          const { of, ...rest } = search
          const range = { startTime: new Date(start).toISOString(), endTime: new Date(end).toISOString() }
          return post('/api/v2/search', { sourceId: sourceOf(of), ...range, ...rest })
        }
        const { granularity, topGroups, ...rest } = { where: '', ...chart }
        const series = [{ sourceId: sourceOf('log'), aggFn: 'count', ...rest }]
        return post('/api/v2/charts/series', { startTime: start, endTime: end, granularity, topGroups, series })
      }
      const query = () => engine.query(fresh()[at]?.sql ?? '', { params: { start, end } })
      const answer = await compare(ask, query, rounds).catch((error: unknown) => String(error).slice(0, 80))
      results.push(typeof answer === 'string' ? answer : ratioText(answer))
    }
    measured.push({
      what: `${name}, ${rows / 1e6} M log records; 28 days; the last day`,
      result: results.join('; '),
      aim: 'for comparison',
    })
  }
  return measured
}

const ratioText = ({ a, b, ratio }: { a: number; b: number; ratio: number }) =>
  `${milliseconds(a)} / ${milliseconds(b)} = ${times(ratio)}`

async function fill(engine: Engine, before: number, rows: number): Promise<void> {
  const written = Math.min(rows, mostWritten)
  for (let from = before; from < written; from += piece) {
    const params = { start: first, length: end - first, from, count: Math.min(piece, written - from) }
    await engine.command(fillLogs, { params })
    await engine.command(fillSpans, { params })
  }
  for (const table of [tables.logs, tables.traces, ...ownRollups.map(({ table }) => table)]) {
    if (rows > written) await repeat(engine, table, Math.round(rows / written))
  }
}

/** Adds the parts of a table to it until each row is there so many times. They stay as they are: merges would take the time of a load. */
async function repeat(engine: Engine, table: string, count: number): Promise<void> {
  await engine.command(`SYSTEM STOP MERGES ${table}`)
  await engine.command(`CREATE TABLE ${table}_copy AS ${table}`)
  const parts = `SELECT DISTINCT partition_id AS id FROM system.parts WHERE database = currentDatabase() AND table = {table:String} AND active`
  for (const { id } of await engine.query<{ id: string }>(parts, { params: { table } })) {
    await engine.command(`ALTER TABLE ${table}_copy ATTACH PARTITION ID '${id}' FROM ${table}`)
    for (let copy = 1; copy < count; copy++) {
      await engine.command(`ALTER TABLE ${table} ATTACH PARTITION ID '${id}' FROM ${table}_copy`)
    }
  }
}
