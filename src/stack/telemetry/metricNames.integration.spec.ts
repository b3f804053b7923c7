import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Source } from '#contract/stack/sources.ts'
import { readableSources, start } from '#stack/testing/metricSeries.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'
import type { Engine } from './engine/engine.ts'
import { metricNames } from './metricNames.ts'
import { tables } from './tables.ts'

let engine: Engine
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())

const namesOf = (change: Partial<Source> = {}, only?: { type: 'gauge' | 'sum'; name: string }[]) => {
  const { sources, databases } = readableSources(engine)
  const source = sources.find(({ kind }) => kind === 'metric')
  if (!source) throw new Error('The stack has a source of metrics.')
  const read = { now: start * 1000 + 60_000, ...(only && { only }), signal: new AbortController().signal }
  return metricNames(engine, { ...source, ...change }, databases, read)
}

test('the metrics that a source has points of, by type and name, each once, with their newest unit', async () => {
  const point = { TimeUnix: start, ServiceName: 'web', Value: 1 }
  await engine.insert(tables.gauge, [
    { ...point, MetricName: 'memory', MetricUnit: 'By' },
    { ...point, MetricName: 'memory', TimeUnix: start - 60, MetricUnit: 'bytes' },
    { ...point, MetricName: 'cpu' },
    { ...point, MetricName: 'cpu', ServiceName: 'api' },
    { ...point, MetricName: 'long ago', TimeUnix: start - 8 * 86_400 },
  ])
  await engine.insert(tables.sum, [{ ...point, MetricName: 'requests' }])
  expect(await namesOf()).toEqual([
    { name: 'cpu', type: 'gauge' },
    { name: 'memory', type: 'gauge', unit: 'By' },
    { name: 'requests', type: 'sum' },
  ])
  expect(await namesOf({}, [{ type: 'gauge', name: 'memory' }])).toEqual([
    { name: 'memory', type: 'gauge', unit: 'By' },
  ])
})

test('a table that does not exist yet has none', async () => {
  expect(await namesOf({ metricTables: { gauge: 'not_there_yet' } })).toEqual([])
  expect(await namesOf({ metricTables: {} })).toEqual([])
})
