/** The short form of `npm run soak alerts`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../telemetry/engine/engine.ts'
import { simulateAlerts } from '../testing/simulation/simulatedAlerts.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'

let engine: Engine
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())

test('every firing and recovery is that of the model', { timeout: 120_000 }, async () => {
  const { sent, differences } = await simulateAlerts(engine, { alerts: 20, minutes: 60 })
  expect(differences).toEqual([])
  expect(sent).toBeGreaterThan(25)
})
