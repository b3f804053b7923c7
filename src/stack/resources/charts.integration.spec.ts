import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { charts, chartQuery } from '#contract/stack/charts.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { StackContext } from './context.ts'
import { Refusal } from '../refusal.ts'
import { openStore, type Store } from '../store/store.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { tables } from '../telemetry/tables.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import { chartHandlers } from './charts.ts'
import { sourceRows } from './sources.ts'

const now = currentTime()
let directory: string
let store: Store
let engine: Engine

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'charts-'))
  store = await openStore({ file: path.join(directory, 'stack.db') })
  for (const source of defaultSources()) await sourceRows.insert(store, { ...source, id: source.kind })
  engine = await temporaryEngine()
  await engine.insert(tables.logs, [{ Timestamp: `${Math.floor(now / 1000) - 60}.000000000`, Body: 'hello' }])
})
afterAll(async () => {
  await engine.close()
  store.close()
  await rm(directory, { recursive: true, force: true })
})

async function ask(series: object, signal = new AbortController().signal, over: Engine | null = engine) {
  const body = chartQuery.parse({ startTime: now - 3_600_000, endTime: now, granularity: '1d', series: [series] })
  // The handler uses no more of its context than this.
  const context = { engine: over, store, signal } as StackContext
  return chartHandlers.query({ body, params: {}, query: {} }, context)
}

test('the answer matches the contract', async () => {
  const answer = await ask({ sourceId: 'log', aggFn: 'count', where: 'hello' })
  expect(charts.query.result.parse(answer)).toEqual(answer)
  expect(answer).toEqual([{ ts_bucket: expect.any(Number), group: [], 'series_0.data': '1' }])
})

test.each([
  [{ sourceId: 'nowhere', aggFn: 'count', where: '' }, 404, 'Source not found for series 0'],
  [
    { sourceId: 'log', aggFn: 'avg', field: 'Bdy', where: '' },
    400,
    'Body validation failed: series.0.field: field "Bdy" does not exist: did you mean Body?',
  ],
  [
    { sourceId: 'log', aggFn: 'increase', field: 'SeverityNumber', where: '' },
    400,
    'Body validation failed: series.0.aggFn: increase is what counters grew by: it needs a metric of type sum',
  ],
])('rejects %j with %d', async (series, status, message) => {
  await expect(ask(series)).rejects.toEqual(expect.objectContaining({ status, message }))
  await expect(ask(series)).rejects.toBeInstanceOf(Refusal)
})

test('without an engine, or after the client disconnects', async () => {
  const series = { sourceId: 'log', aggFn: 'count', where: '' }
  await expect(ask(series, undefined, null)).rejects.toMatchObject({ status: 503 })
  await expect(ask(series, AbortSignal.abort())).rejects.toMatchObject({ status: 503 })
})
