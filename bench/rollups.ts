/** Measures charts over four weeks that are read from the roll-ups, beside the same charts of the rows, and the cost of the roll-ups. */
import { rollupNames, type RollupName } from '#stack/config.ts'
import type { Engine } from '#stack/telemetry/engine/engine.ts'
import { ensureRollups } from '#stack/telemetry/rollups/ensureRollups.ts'
import { ownRollups } from '#stack/telemetry/rollups/ownRollups.ts'
import { tables } from '#stack/telemetry/tables.ts'
import { hour } from './support/logs.ts'
import { compare, milliseconds, times, type Row } from './support/measure.ts'
import { withStack, type BenchStack } from './support/stack.ts'

const rows = 2_000_000
const minute = 60_000
/** Neither end is that of a step. */
const end = Math.floor(Date.now() / hour) * hour - 7 * minute
const start = end - 28 * 24 * hour
/** As the collector inserts them. */
const batch = 16_000
const batches = 10
const rounds = 1

const fill = `
INSERT INTO otel_logs (Timestamp, ServiceName, SeverityText, Body, LogAttributes, ResourceAttributes)
SELECT
  fromUnixTimestamp64Milli(toInt64({start:Int64} + intDiv(number * {length:Int64}, {rows:Int64}))),
  concat('service-', toString(cityHash64(number) % 12)),
  if(cityHash64(number, 1) % 50 = 0, 'ERROR', 'INFO'),
  concat('request ', toString(number % 1000)),
  map('http.status_code', '200', 'user.id', toString(cityHash64(number, 2)), concat('key.', toString(number % 40)), 'x', 'route', '/cart'),
  map('host.name', concat('host-', toString(number % 20)), 'service.version', '1.2.3', 'k8s.pod.name', concat('pod-', toString(number % 50)))
FROM numbers({rows:UInt64})`

/** Another way to say that all rows are wanted, for which no roll-up is read. */
const ofRows = { where: 'toUInt8(1) = 1', whereLanguage: 'sql' }

const charts = [
  {
    name: 'count over time by severity, one service left out',
    granularity: '12h',
    where: '-ServiceName:"service-1"',
    groupBy: ['SeverityText'],
  },
  { name: 'facet of services', granularity: '30d', where: '', groupBy: ['ServiceName'] },
  { name: 'names of attributes', granularity: '30d', where: '', groupBy: ['arrayJoin(mapKeys(LogAttributes))'] },
  { name: 'facet of an attribute', granularity: '30d', where: '', groupBy: ["ResourceAttributes['k8s.pod.name']"] },
]

export function rollups(): Promise<Row[]> {
  return withStack(async (stack) => {
    const costs = await costsOf(stack.engine)
    await stack.engine.command(`TRUNCATE TABLE ${tables.logs}`)
    await ensureRollups(stack.engine, rollupNames, 30)
    await stack.engine.command(fill, { params: { start, length: end - start, rows } })
    return [...(await chartRows(stack)), ...(await sizeRows(stack.engine)), ...costs]
  })
}

async function chartRows({ post, sources }: BenchStack): Promise<Row[]> {
  const logs = (await sources()).find(({ kind }) => kind === 'log')
  const measured: Row[] = []
  for (const { name, granularity, where, groupBy } of charts) {
    const ask = async (condition: object, isRolled: boolean) => {
      const series = { sourceId: logs?.id, aggFn: 'count', groupBy, ...condition }
      const answer = await post('/api/v2/charts/series', {
        startTime: start,
        endTime: end,
        granularity,
        series: [series],
      })
      if (answer.includes('rollup_15m') !== isRolled) throw new Error(`${name}: read from the wrong table`)
    }
    const raw = where === '' ? ofRows : { where: "ServiceName != 'service-1' AND toUInt8(1) = 1", whereLanguage: 'sql' }
    const { a, b, ratio } = await compare(
      () => ask(raw, false),
      () => ask({ where }, true),
      5,
    )
    measured.push({
      what: `${name} over ${rows / 1e6} M records of 28 days: the rows; the roll-up and the rest of the range`,
      result: `${milliseconds(a)}; ${milliseconds(b)} = ${times(ratio)}`,
      aim: 'for comparison',
    })
  }
  return measured
}

async function sizeRows(engine: Engine): Promise<Row[]> {
  await engine.command(`OPTIMIZE TABLE ${tables.logs}`)
  const names = [tables.logs, ...ownRollups.filter(({ of }) => of === tables.logs).map(({ table }) => table)]
  const sizes = await engine.query<{ table: string; bytes: string; count: string }>(
    `SELECT table, sum(bytes_on_disk) AS bytes, sum(rows) AS count FROM system.parts
     WHERE database = currentDatabase() AND active AND table IN {names:Array(String)} GROUP BY table ORDER BY table`,
    { params: { names } },
  )
  return sizes.map(({ table, bytes, count }) => ({
    what: `Disk of ${table}, bytes for each record; its rows`,
    result: `${(Number(bytes) / rows).toFixed(2)}; ${count}`,
    aim: 'for comparison',
  }))
}

/** Processor time of inserts, in microseconds for each record, with some roll-ups: the smallest of some rounds. */
async function costsOf(engine: Engine): Promise<Row[]> {
  const choices: RollupName[][] = [
    [],
    ['logs.counts'],
    ['logs.keys'],
    ['logs.values'],
    ['logs.counts', 'logs.keys', 'logs.values'],
  ]
  const smallest = choices.map(() => Infinity)
  for (let round = 0; round < rounds; round++) {
    for (const [at, wanted] of choices.entries()) {
      await ensureRollups(engine, wanted, 30)
      await engine.command(`TRUNCATE TABLE ${tables.logs}`)
      const before = process.cpuUsage()
      for (let index = 0; index < batches; index++) {
        await engine.command(fill, { params: { start: start + index * minute, length: minute, rows: batch } })
      }
      const { user, system } = process.cpuUsage(before)
      smallest[at] = Math.min(smallest[at] ?? Infinity, (user + system) / (batch * batches))
    }
  }
  return choices.map((wanted, at) => ({
    what: `Processor time of an insert with ${wanted.join(' and ') || 'no roll-up'}, with the generation of its rows`,
    result: `${(smallest[at] ?? 0).toFixed(2)} µs a record`,
    aim: 'for comparison',
  }))
}
