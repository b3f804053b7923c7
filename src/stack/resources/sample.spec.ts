import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SampleProgress } from '../sample/sampleProgress.ts'
import { createSample } from '../sample/sampleTelemetry.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'

const hour = 3_600_000
const deleted: string[] = []
let stored: SampleProgress | null = null
let stack: TestStack
let without: TestStack

beforeAll(async () => {
  const sample = createSample({
    engine: { command: async (statement) => void deleted.push(statement) },
    collectorUrl: '',
    ingestionKey: () => '',
    state: { get: async () => stored, update: async (work) => (stored = work(stored)) },
    take: async () => ({ isHeld: () => true, release: async () => {} }),
    logger: pino({ level: 'silent' }),
    content: {
      create: async () => ({}),
      addAlerts: async () => {},
      incidentAlertId: async () => 'fired',
      delete: async () => {},
    },
  })
  stack = await startTestStack({ sample })
  without = await startTestStack()
})
afterAll(() => Promise.all([stack.close(), without.close()]))

const statusOf = async (asked: TestStack) => (await asked.openSource('GET', '/sample')).json.data

test('says how far the sample is, until it is removed', async () => {
  expect(await statusOf(stack)).toEqual({ state: 'absent', progress: 0, records: 0 })
  stored = { phase: 'loading', anchor: 0, slices: 42, sending: true, records: 1000, dashboardId: 'd' }
  expect(await statusOf(stack)).toEqual({ state: 'loading', progress: 0.25, records: 1000, dashboardId: 'd' })
  stored = { ...stored, phase: 'ready' }
  expect(await statusOf(stack)).toMatchObject({ state: 'ready', progress: 1, records: 1000, dashboardId: 'd' })
  expect((await stack.openSource('DELETE', '/sample')).json.data).toMatchObject({ state: 'removing' })
  await expect.poll(() => statusOf(stack)).toEqual({ state: 'absent', progress: 0, records: 0 })
  expect(deleted.length).toBeGreaterThan(0)
})

test('names the latest incident, with its alert and a trace that failed', async () => {
  const anchor = Date.UTC(2026, 10, 28, 17, 17)
  stored = { phase: 'ready', anchor, slices: 168, sending: false, records: 1000, liveUntil: anchor + 3 * hour }
  expect((await statusOf(stack)).incident).toEqual({
    alertId: 'fired',
    start: anchor + 2 * hour,
    end: anchor + 2 * hour + 20 * 60_000,
    traceId: expect.stringMatching(/^5b[0-9a-f]{30}$/),
    failedAt: expect.any(Number),
  })
})

test('without an engine, there is none', async () => {
  expect(await statusOf(without)).toEqual({ state: 'absent', progress: 0, records: 0 })
})
