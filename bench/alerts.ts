/** Measures a pass over 1,000 alerts, beside one statement for each of them, and charts while it runs. */
import { certainClock } from '../src/node/testing/testClock.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { alertScene, sourceIds, type AlertScene } from '#stack/testing/alertScene.ts'
import { openEngine } from '#stack/telemetry/engine/engine.ts'
import { ensureTables } from '#stack/telemetry/tables.ts'
import { median, milliseconds, time, times, type Row } from './support/measure.ts'
import { fillLogs, rows } from './support/logs.ts'

const alerts = 1000
const quarter = 900_000
/** All windows of 1, 5 and 15 minutes end here. */
const end = Math.floor(Date.now() / quarter) * quarter
const runs = 5

/** A chart as people look at it: counts of a day by service. */
const chart = `
SELECT count() AS value, ServiceName, toStartOfInterval(toDateTime(Timestamp), INTERVAL 15 minute) AS bucket
FROM otel_logs WHERE Timestamp >= fromUnixTimestamp64Milli({start:Int64}) AND Timestamp <= fromUnixTimestamp64Milli({end:Int64})
GROUP BY ServiceName, bucket ORDER BY bucket`

export async function alertPasses(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-alerts-'))
  const engine = await openEngine({ dataDir })
  await ensureTables(engine)
  await fillLogs(engine, end)
  const clock = certainClock(() => end)
  const shared = await alertScene(engine, { clock })
  const single = await alertScene(engine, { clock, store: shared.store, maxQueries: 1 })
  await addAlerts(shared)

  /** All windows are due again. */
  const pass = async (scene: AlertScene) => {
    await shared.store.run('DELETE FROM alert_cursors')
    return time(() => scene.pass(0))
  }
  const draw = () => time(() => engine.query(chart, { params: { start: end - 86_400_000, end } }))
  const chartsDuring = async (work: () => Promise<number>) => {
    const drawn: number[] = []
    const over = new AbortController()
    const took = work().finally(() => over.abort())
    while (!over.signal.aborted) drawn.push(await draw())
    await took
    return drawn
  }
  await pass(shared)
  const alone = [await draw(), await draw(), await draw(), await draw(), await draw()]
  const passes: number[] = []
  const during: number[] = []
  for (let run = 0; run < runs; run++) {
    passes.push(await pass(shared))
    during.push(...(await chartsDuring(() => pass(shared))))
  }
  /** Median of a chart each second for a minute. */
  const chartsOfMinute = async (work?: () => Promise<unknown>) => {
    const drawn: number[] = []
    const done = work?.()
    for (let second = 0; second < 60; second++) {
      const [took] = await Promise.all([draw(), setTimeout(1000)])
      drawn.push(took)
    }
    await done
    return median(drawn)
  }
  const quietMinute = await chartsOfMinute()
  const minuteWithPass = await chartsOfMinute(() => pass(shared))
  const each = await pass(single)
  await single.close()
  await shared.close()
  await engine.close()
  await rm(dataDir, { recursive: true, force: true })
  const took = median(passes)
  return [
    {
      what: `Pass of ${alerts} alerts (half grouped; 1, 5 and 15 minutes) over ${rows / 1e6} M log records of 7 days, beside one statement each`,
      result: `${milliseconds(took)} / ${milliseconds(each)} = ${times(took / each)}`,
      aim: '5,000 ms and 0.1×',
    },
    {
      what: 'Chart of a day by service during the pass, beside the same alone',
      result: `${milliseconds(median(during))} / ${milliseconds(median(alone))} = ${times(median(during) / median(alone))}`,
      aim: '2×',
    },
    {
      what: '… each second for a minute with a pass, beside a minute without',
      result: `${milliseconds(minuteWithPass)} / ${milliseconds(quietMinute)} = ${times(minuteWithPass / quietMinute)}`,
      aim: '1.1×',
    },
  ]
}

/** Half count by condition, half by condition and service. No condition is there twice. */
async function addAlerts(scene: AlertScene): Promise<void> {
  for (let at = 0; at < alerts; at++) {
    const where = `SeverityText:ERROR Body:"request ${at}"`
    const config = { displayType: 'line', sourceId: sourceIds.log, select: [{ aggFn: 'count', where }] }
    const grouped = at % 2 === 0 ? {} : { groupBy: 'ServiceName' }
    const interval = ['1m', '5m', '15m'][at % 3]
    await scene.alert({ ...config, ...grouped }, { interval, threshold: 5 })
  }
}
