/** Telemetry that arrives while the clock of the machine was set and the new time is not used yet. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { tables } from '../telemetry/tables.ts'
import { createTestCollector, json, type TestCollector } from '../testing/testCollector.ts'

const day = 86_400_000
let collector: TestCollector
let url: string

beforeAll(async () => {
  collector = await createTestCollector()
})
afterAll(() => collector.close())
beforeEach(async () => {
  await collector.reset()
  url = await collector.start()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => void vi.useRealTimers())

/** @returns how many records were refused */
async function sendAt(time: number): Promise<number> {
  const logRecords = [{ timeUnixNano: `${time}000000`, body: { stringValue: 'x' } }]
  const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
  const response = await fetch(`${url}/v1/logs`, { method: 'POST', headers: json, body })
  expect(response.status).toBe(200)
  const { partialSuccess } = (await response.json()) as { partialSuccess?: { rejectedLogRecords?: string } }
  return Number(partialSuccess?.rejectedLogRecords ?? 0)
}

test.each([2 * day, -40 * day])('a step by %i ms refuses neither the old nor the new time', async (by) => {
  const before = Date.now()
  vi.setSystemTime(before + by)
  expect(await sendAt(before + by)).toBe(0)
  expect(await sendAt(before)).toBe(0)
  expect(await collector.count(tables.logs)).toBe(2)
})

test('what is more than a day ahead of both times is refused', async () => {
  const before = Date.now()
  vi.setSystemTime(before + 2 * day)
  expect(await sendAt(before + 4 * day)).toBe(1)
  expect(await collector.count(tables.logs)).toBe(0)
})
