/** Queries metrics on the real engine: inserts rows and returns the values of a series. */
import { afterAll, beforeAll } from 'vitest'
import { chartQuery, type ChartQuery } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { querySeries, type Readable } from '../telemetry/series/seriesQuery.ts'
import { readableDatabases } from '../telemetry/readableTables.ts'

/** Seconds: ten o'clock yesterday. */
export const start = (Math.floor(currentTime() / 86_400_000) - 1) * 86_400 + 36_000

const sources: Source[] = defaultSources().map((source) => ({ ...source, id: source.kind }))
/** Sources over an engine's own tables: the default ones unless others are given. */
export function readableSources(engine: Engine, chosenSources: readonly Source[] = sources): Readable {
  return { sources: chosenSources, databases: readableDatabases({ engine, services: [], named: [] }) }
}

const never = new AbortController().signal

export type Series = Partial<ChartQuery['series'][number]>

/** An engine for the tests of one file. Available once they run. */
export function metricsEngine() {
  let engine: Engine
  beforeAll(async () => {
    engine = await temporaryEngine()
  })
  afterAll(() => engine.close())

  /** Ten minutes from `start` in buckets of five: `[bucket, …group, value]` of each. */
  async function values(series: Series) {
    const query = chartQuery.parse({
      startTime: start * 1000,
      endTime: (start + 599) * 1000,
      granularity: '5m',
      series: [{ sourceId: 'metric', aggFn: 'sum', ...series }],
    })
    const points = await querySeries(engine, query, readableSources(engine), never)
    return points.map((point) => [
      (Number(point['ts_bucket']) / 1000 - start) / 300,
      ...(point['group'] as unknown[]), // our own answer
      point['series_0.data'],
    ])
  }

  return {
    insert: (table: string, rows: readonly object[]) => engine.insert(table, rows),
    values,
    /** The refusal of a series. Rejects when it is answered. */
    refusal: (series: Series): Promise<unknown> =>
      values(series).then(
        (answer) => Promise.reject(new Error(`answered: ${JSON.stringify(answer)}`)),
        (error: unknown) => error,
      ),
  }
}
