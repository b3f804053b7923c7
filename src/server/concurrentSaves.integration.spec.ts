/** The full form runs with `npm run soak`: `soak/concurrentSaves.ts`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveConcurrently } from './testing/concurrentSaves.ts'
import { startGatewayWithStack, type GatewayWithStack } from './testing/gatewayWithStack.ts'
import { recordKinds } from './testing/recordKinds.ts'

const rounds = 8

let gateway: GatewayWithStack
beforeAll(async () => {
  gateway = await startGatewayWithStack()
})
afterAll(() => gateway.close())

test.each(Object.entries(recordKinds))(
  '%s: no save is lost without a conflict',
  { timeout: 120_000 },
  async (_, kind) => {
    const { saved, conflicts, lost } = await saveConcurrently(gateway, kind, { rounds })
    expect(lost).toBe(0)
    expect(saved).toBeGreaterThan(rounds)
    expect(conflicts).toBeGreaterThan(0)
  },
)

test('detects lost changes in saves without a base revision', { timeout: 120_000 }, async () => {
  const { lost } = await saveConcurrently(gateway, recordKinds['alerts']!, { rounds, guarded: false })
  expect(lost).toBeGreaterThan(0)
})
