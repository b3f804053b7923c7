/** The evaluator as it runs in the stack: by itself, one at a time, and with what it reports. */
import { randomUUID } from 'node:crypto'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { AlertEvent } from '#domain/alerting/alertEvent.ts'
import { lastPass } from '../documents/alertPasses.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { type GuardedClock } from '#node/clock/wallClock.ts'
import { certainClock } from '#node/testing/testClock.ts'
import { alertScene, minute, sceneStart, shownEvents, sourceIds, type AlertScene } from '../testing/alertScene.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import { createAlertMetrics } from './alertMetrics.ts'
import { startEvaluator, type Evaluator } from './evaluator.ts'

class Reader extends MetricReader {
  protected override onForceFlush = () => Promise.resolve()
  protected override onShutdown = () => Promise.resolve()
}

let engine: Engine
let scene: AlertScene
let now: number
let sent: AlertEvent[]
/** The log. */
let lines: Record<string, unknown>[]
const running: Evaluator[] = []
const reader = new Reader()
const metrics = createAlertMetrics(new MeterProvider({ readers: [reader] }).getMeter('test'))

beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())
beforeEach(async () => {
  scene = await alertScene(engine)
  now = sceneStart + minute
  sent = []
  lines = []
})
afterEach(async () => {
  for (const evaluator of running.splice(0)) await evaluator.close()
  await scene.close()
})

/** Without the lease it tries every few milliseconds. */
function start(over: Engine = engine, clock: GuardedClock = certainClock(() => now)): Evaluator {
  const evaluator = startEvaluator({
    store: scene.store,
    holder: randomUUID(),
    engine: over,
    readable: scene.readable,
    enqueue: async (_, __, events) => void sent.push(...events),
    logger: pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) }),
    metrics,
    clock,
    standbyMs: 10,
  })
  running.push(evaluator)
  return evaluator
}

const tile = { displayType: 'line', sourceId: sourceIds.log, select: [{ aggFn: 'count', where: 'Body:x' }] }

/** The last value of each metric. */
async function measured(): Promise<Record<string, unknown>> {
  const { resourceMetrics } = await reader.collect()
  const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics)
  return Object.fromEntries(all.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints[0]?.value]))
}

test('evaluates by itself, says when it is late, and hands over when it is closed', async () => {
  const { id } = await scene.alert(tile)
  await scene.alert({ displayType: 'markdown' })
  await scene.logs(0, [{ Body: 'x' }])
  const slow: Engine = {
    ...engine,
    query(sql, options) {
      if (sql.includes('__bucket')) now += 70_000
      return engine.query(sql, options)
    },
  }
  const first = start(slow)
  await vi.waitFor(() => expect(lines).toMatchObject([{ level: 40, seconds: 70, alerts: 2 }]), { timeout: 30_000 })
  expect(shownEvents(sent)).toEqual(['1 ALERT 1'])
  expect(await measured()).toMatchObject({
    'alerts.evaluations': 1,
    'alerts.evaluation.errors': 1,
    'alerts.events': 1,
    'alerts.evaluation.lag': 70,
  })
  const pass = await vi.waitFor(async () => (await lastPass(scene.store)) ?? Promise.reject(new Error('no pass yet')), {
    timeout: 30_000,
  })
  expect(pass).toEqual({ due: sceneStart + minute, ended: sceneStart + minute + 70_000 })

  const second = start()
  now += 1000
  await first.close()
  await vi.waitFor(async () => expect((await scene.evaluations(id)).length).toBeGreaterThan(1), { timeout: 30_000 })
  expect(shownEvents(sent)).toEqual(['1 ALERT 1', '2 OK 0'])
  await second.close()
})

test('evaluates nothing while it is not certain what time it is, and its lag grows', async () => {
  const { id } = await scene.alert(tile)
  let certain = true
  const asked = vi.fn(() => certain)
  start(engine, { ...certainClock(() => now), isCertain: asked })
  await vi.waitFor(async () => expect(await scene.evaluations(id)).toHaveLength(1), { timeout: 30_000 })
  certain = false
  now += 3 * minute
  asked.mockClear()
  const elapsed = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3 * minute)
  expect(Number((await measured())['alerts.evaluation.lag'])).toBeGreaterThan(60)
  elapsed.mockRestore()
  await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(3), { timeout: 30_000 })
  expect(await scene.evaluations(id)).toHaveLength(1)
  certain = true
  await vi.waitFor(async () => expect((await scene.evaluations(id)).length).toBeGreaterThan(1), { timeout: 30_000 })
})
