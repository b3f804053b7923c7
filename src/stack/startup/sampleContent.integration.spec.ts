/** The alerts of the sample show the states that a newcomer should have seen, also after they were evaluated. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluationsQuery } from '#contract/stack/alertHistory.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { enqueue } from '../alerting/outbox.ts'
import { certainClock } from '#node/testing/testClock.ts'
import { Passes } from '../alerting/pass.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { evaluationsOf } from '../documents/alertEvaluations.ts'
import { alertRows } from '../documents/alertRows.ts'
import { savedSearchRows } from '../documents/savedSearchRows.ts'
import { sourceRows } from '../resources/sources.ts'
import { incidentOf } from '../sample/rhythm.ts'
import { sampleProgress } from '../sample/sampleProgress.ts'
import { generateSlice, type Telemetry } from '../sample/shop.ts'
import { stackDashboard } from '../sample/stackDashboard.ts'
import { openStore, type Store } from '../store/store.ts'
import { readSetting } from '../store/storeSettings.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import { readableDatabases } from '../telemetry/readableTables.ts'
import { createTestCollector, ingestionKey, type TestCollector } from '../testing/testCollector.ts'
import { firstStart } from './firstStart.ts'
import { openSample } from './sampleContent.ts'

const minute = 60_000
const quarter = 15 * minute
const signal = new AbortController().signal

let collector: TestCollector
let store: Store
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sample-content-'))
  collector = await createTestCollector()
  store = await openStore({ file: join(dataDir, 'stack.db') })
})
afterAll(async () => {
  await Promise.all([store.close(), collector.close()])
  await rm(dataDir, { recursive: true })
})

/** The errors of each hour, and a few other records. */
function generateErrors(anchor: number, index: number): Telemetry {
  const { logs, traces, metrics } = generateSlice(anchor, index)
  const errors = logs.filter(({ record }) => JSON.stringify(record).includes('payment provider'))
  return { logs: [...errors, ...logs.slice(0, 5)], traces: traces.slice(0, 5), metrics: metrics.slice(0, 5) }
}

/** Loads the hours from before the incident until now, and returns when the sample was started. */
async function loadSample(): Promise<number> {
  const identity = await firstStart(store, { sources: defaultSources(), dashboards: [stackDashboard] })
  const { engine } = collector
  const sample = openSample({
    take: async () => ({ isHeld: () => true, release: async () => undefined }),
    store,
    identity,
    engine,
    readable,
    collectorUrl: await collector.start(),
    ingestionKey: () => ingestionKey,
    logger: pino({ level: 'silent' }),
    generate: generateErrors,
    effort: 1,
    slices: 34,
  })
  await sample.start()
  await sample.settled()
  expect((await sample.status()).state).toBe('ready')
  await sample.close()
  return (await readSetting(store, 'sample', sampleProgress))?.anchor ?? 0
}

const readable = async () => ({
  sources: await sourceRows.all(store),
  databases: readableDatabases({ engine: collector.engine, services: [], named: [] }),
})

/** Evaluates what is due so many milliseconds from now. */
function pass(after: number) {
  const clock = certainClock(() => currentTime() + after)
  return new Passes({ store, engine: collector.engine, readable, enqueue, holder: 'test', clock }).run(signal)
}

async function alertNamed(name: string): Promise<AlertDocument> {
  const found = (await alertRows.all(store)).find((alert) => alert.name === `Sample: ${name}`)
  if (!found) throw new Error(`no alert ${name}`)
  return found
}

test('fired in the incident, pending, with an error, and silenced', { timeout: 60_000 }, async () => {
  const anchor = await loadSample()
  expect((await savedSearchRows.all(store)).map(({ name }) => name)).toEqual([
    'Payment provider errors',
    'Slow checkouts',
  ])
  // Each interval has a window that ended since the alerts were created.
  await pass(quarter)

  const fired = await alertNamed('payments fail')
  expect(fired.state).toBe('OK')
  const { start, end } = incidentOf(anchor)
  const query = evaluationsQuery.parse({ limit: 200 })
  const firing = (await evaluationsOf(store, fired.id, query)).items.filter(({ state }) => state === 'ALERT')
  expect(firing.length).toBeGreaterThan(1)
  for (const { createdAt } of firing) {
    const ended = Date.parse(createdAt)
    expect(ended).toBeGreaterThan(start)
    expect(ended - quarter).toBeLessThan(end + quarter)
  }

  const pending = await alertNamed('no orders for a week')
  expect(pending.state).toBe('PENDING')
  expect(pending.executionErrors ?? []).toEqual([])
  const invalid = await alertNamed('payment errors by region')
  expect(invalid.state).toBe('INSUFFICIENT_DATA')
  expect(invalid.executionErrors?.[0]?.message).toContain('Region')
  const silenced = await alertNamed('slow checkouts')
  expect(silenced).toMatchObject({ state: 'OK', silenced: { reason: 'The team works on it.' } })
  // None of it is news to anybody.
  expect(await store.rows('SELECT seq FROM alert_outbox')).toEqual([])
})
