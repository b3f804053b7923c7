/** Every tile of the sample dashboard has data: the sample, the collector and the queries use the same names. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chartQuery } from '#contract/stack/charts.ts'
import { dashboard as readDashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { type Collector, startCollector } from '../collector/collector.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import { type Engine, openEngine } from '../telemetry/engine/engine.ts'
import { querySeries } from '../telemetry/series/seriesQuery.ts'
import { readableSources } from '../testing/metricSeries.ts'
import { ensureTables } from '../telemetry/tables.ts'
import { sampleDashboard } from './sampleDashboard.ts'
import { sendSlices } from './sampleSender.ts'
import { incidentOf } from './rhythm.ts'
import { onlyKey } from '../collector/ingestionKey.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'sample-drawing-'))
const ingestionKey = 'key'
const anchor = currentTime()
const hour = 3_600_000
const sources: Source[] = defaultSources().map((source, at) => ({ ...source, id: `${at}`.repeat(24) }))
let engine: Engine
let collector: Collector

beforeAll(async () => {
  engine = await openEngine({ dataDir })
  await ensureTables(engine)
  const ports = { host: '127.0.0.1', httpPort: 0, grpcPort: 0 }
  const logger = pino({ level: 'silent' })
  collector = await startCollector({
    ...ports,
    acceptedKeys: onlyKey(ingestionKey),
    engine,
    retentionDays: () => 30,
    logger,
  })
  const collectorUrl = `http://127.0.0.1:${collector.httpPort}`
  // The hour that starts with the incident.
  const index = (anchor - incidentOf(anchor).start) / hour - 1
  await sendSlices(anchor, [index], { collectorUrl, ingestionKey: () => ingestionKey }, new AbortController().signal)
}, 60_000)

afterAll(async () => {
  await collector.close()
  await engine.close()
  rmSync(dataDir, { recursive: true })
})

const dashboard = readDashboard.parse({ ...sampleDashboard(sources), id: 'd' })
const tiles = dashboard.tiles.flatMap(({ name, config }) =>
  config && Array.isArray(config.select) ? [{ name, ...config, select: config.select }] : [],
)

test.each(tiles)('$name', async ({ sourceId, select, groupBy }) => {
  const { start } = incidentOf(anchor)
  const query = chartQuery.parse({
    startTime: start,
    endTime: start + hour,
    granularity: '10m',
    // A tile has the same content as a series, with some other field names.
    series: select.map(({ valueExpression, metricType, ...item }) => ({
      ...item,
      sourceId,
      groupBy: groupBy ? groupBy.split(',') : [],
      field: valueExpression || undefined,
      metricDataType: metricType,
    })),
  })
  const points = await querySeries(engine, query, readableSources(engine, sources), new AbortController().signal)
  for (const at of select.keys()) {
    const values = points.map((point) => Number(point[`series_${at}.data`] ?? 0))
    expect(Math.max(...values)).toBeGreaterThan(0)
  }
})
