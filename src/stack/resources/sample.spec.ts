import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SampleProgress } from '../sample/sampleProgress.ts'
import { createSample } from '../sample/sampleTelemetry.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'

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
    content: { create: async () => ({}), addAlerts: async () => {}, delete: async () => {} },
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
  expect(await statusOf(stack)).toEqual({ state: 'ready', progress: 1, records: 1000, dashboardId: 'd' })
  expect((await stack.openSource('DELETE', '/sample')).json.data).toMatchObject({ state: 'removing' })
  await expect.poll(() => statusOf(stack)).toEqual({ state: 'absent', progress: 0, records: 0 })
  expect(deleted.length).toBeGreaterThan(0)
})

test('without an engine, there is none', async () => {
  expect(await statusOf(without)).toEqual({ state: 'absent', progress: 0, records: 0 })
})
