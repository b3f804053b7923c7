/** 24 simulated hours of 200 alerts: every firing and recovery must be that of the model. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from '../src/stack/telemetry/engine/engine.ts'
import { ensureTables } from '../src/stack/telemetry/tables.ts'
import { simulateAlerts } from '../src/stack/testing/simulation/simulatedAlerts.ts'

/** @returns what was sent and should not have been, or the other way round */
export async function alertDay(): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'soak-alerts-'))
  const engine = await openEngine({ dataDir })
  try {
    await ensureTables(engine)
    const { sent, differences } = await simulateAlerts(engine, { alerts: 200, minutes: 1440 })
    console.log(`24 hours of 200 alerts: ${sent} firings and recoveries, ${differences.length} differ from the model`)
    return differences
  } finally {
    await engine.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
