/** Measures a light chart and an alert pass beside eight heavy charts, which other keys ask for without a pause. */
import { certainClock } from '../src/node/testing/testClock.ts'
import type { Engine } from '#stack/telemetry/engine/engine.ts'
import { alertScene, sourceIds } from '#stack/testing/alertScene.ts'
import { end, hour } from './support/logs.ts'
import { median, milliseconds, time, times, type Row } from './support/measure.ts'
import { withStack } from './support/stack.ts'

const rows = 5_000_000
const days = 28
const start = end - days * 24 * hour
const heavyCharts = 8
const lightCharts = 40
const alertPasses = 5

const fill = `
INSERT INTO otel_logs (Timestamp, ServiceName, SeverityText, Body)
SELECT
  fromUnixTimestamp64Milli(toInt64({start:Int64} + intDiv(number * {length:Int64}, {rows:Int64}))),
  concat('service-', toString(cityHash64(number) % 12)),
  if(cityHash64(number, 1) % 50 = 0, 'ERROR', 'INFO'),
  concat('request ', toString(number % 1000), ' to /api/orders/', hex(cityHash64(number, 2)), ' took ', toString(number % 977), ' ms')
FROM numbers({from:UInt64}, {count:UInt64})`

async function fillLogs(engine: Pick<Engine, 'command'>): Promise<void> {
  const count = rows / 10
  for (let from = 0; from < rows; from += count) {
    await engine.command(fill, { params: { start, length: end - start, rows, from, count } })
  }
}

/** No index helps this one: it reads the text of every row of four weeks. Each is different, so that none shares another's answer. */
const heavy = (sourceId: string, at: number) => ({
  startTime: start,
  endTime: end,
  granularity: '1h',
  series: [
    {
      sourceId,
      aggFn: 'quantile',
      level: 0.95,
      field: 'length(Body)',
      where: `positionCaseInsensitive(Body, 'a${String(at).padStart(2, '0')}') > 0`,
      whereLanguage: 'sql',
      groupBy: ['ServiceName'],
    },
  ],
})

const light = (sourceId: string, at: number) => ({
  startTime: end - hour - at,
  endTime: end - at,
  granularity: '1m',
  series: [{ sourceId, aggFn: 'count', where: '', groupBy: ['ServiceName'] }],
})

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

export function fairness(): Promise<Row[]> {
  return withStack(async ({ engine, post, sources }) => {
    await fillLogs(engine)
    const logs = (await sources()).find((source) => source.kind === 'log')?.id ?? ''
    const scene = await alertScene(engine, { clock: certainClock(() => end) })
    for (let at = 0; at < 5; at++) {
      const config = {
        displayType: 'line',
        sourceId: sourceIds.log,
        select: [{ aggFn: 'count', where: `Body:"request ${at}"` }],
      }
      await scene.alert(config, { interval: '5m', threshold: 5 })
    }
    let asked = 0
    const draw = () => time(() => post('/api/v2/charts/series', light(logs, asked++)))
    const pass = async () => {
      await scene.store.run('DELETE FROM alert_cursors')
      return time(() => scene.pass(0))
    }
    const several = async (count: number, work: () => Promise<number>) => {
      const took: number[] = []
      for (let run = 0; run < count; run++) took.push(await work())
      return took
    }
    await draw()
    const alone = await several(lightCharts, draw)
    const passAlone = await several(alertPasses, pass)
    let at = 0
    const heavyAlone = await time(() => post('/api/v2/charts/series', heavy(logs, at++)))

    const over = new AbortController()
    let heavyDone = 0
    const begun = performance.now()
    const heavyLoop = async () => {
      while (!over.signal.aborted) {
        const answered = await post('/api/v2/charts/series', heavy(logs, at++)).catch(String)
        if (answered.startsWith('Error')) console.log(answered.slice(0, 100))
        heavyDone += 1
      }
    }
    const loops = Array.from({ length: heavyCharts }, heavyLoop)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const beside = await several(lightCharts, draw)
    const passBeside = await several(alertPasses, pass)
    over.abort()
    await Promise.all(loops)
    const seconds = (performance.now() - begun) / 1000
    await scene.close()
    const [p50, p95] = [percentile(beside, 0.5), percentile(beside, 0.95)]
    return [
      {
        what: `Light chart (an hour by service) beside ${heavyCharts} heavy ones (${days} days, ${rows / 1e6} M log records, a search of each text; one alone ${milliseconds(heavyAlone)}): median, 95 %, and the same alone`,
        result: `${milliseconds(p50)}, ${milliseconds(p95)}; alone ${milliseconds(median(alone))}, ${milliseconds(percentile(alone, 0.95))} = ${times(p95 / percentile(alone, 0.95))}`,
        aim: '95 % 300 ms',
      },
      {
        what: 'Pass of five alerts beside the heavy charts, the longest, and alone',
        result: `${milliseconds(Math.max(...passBeside))}; alone ${milliseconds(Math.max(...passAlone))}`,
        aim: '1,000 ms',
      },
      {
        what: 'Heavy charts answered meanwhile',
        result: `${heavyDone} in ${seconds.toFixed(0)} s`,
        aim: 'no fewer than before',
      },
    ]
  })
}
