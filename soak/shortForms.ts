/** Scenarios whose short forms are specs: here they run in full. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ways } from '../src/server/testing/damage.ts'
import { damageData } from '../src/server/testing/damagedData.ts'
import { writeThroughKills } from '../src/server/testing/historyWrites.ts'
import { killRuns } from '../src/server/testing/killedRuns.ts'
import { openEngine } from '../src/stack/telemetry/engine/engine.ts'
import { ensureTables } from '../src/stack/telemetry/tables.ts'
import { simulateAlerts } from '../src/stack/testing/simulation/simulatedAlerts.ts'

/**
 * 24 simulated hours of 200 alerts: every firing and recovery must be that of the model.
 * @returns what was sent and should not have been, or the other way round
 */
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

/**
 * 1,000 writes of several clients through a gateway that is killed 25 times, and what its history says afterwards.
 * @returns where the history and the deployments differ, and changes without an outcome
 */
export async function historyWrites(): Promise<string[]> {
  const { writes, kills, unknown, faults } = await writeThroughKills(1_000, 25)
  console.log(
    `${writes} writes, killed ${kills} times, ${unknown} outcomes not known for sure, ${faults.length} faults`,
  )
  return faults
}

/**
 * Kills the gateway at 50 random moments of promotions, imports and their undo, and resumes them.
 * @returns records that are there twice or not at all, and changes without an outcome
 */
export async function killedRuns(): Promise<string[]> {
  const { kills, faults } = await killRuns(50)
  console.log(`killed ${kills} times, ${faults.length} faults`)
  return faults
}

/**
 * Damages databases, keys and telemetry in each way, one at a time, and starts on them.
 * @returns starts that lost something in silence, or do not say what to do
 */
export async function damagedData(): Promise<string[]> {
  const faults = await damageData(ways, (line) => console.log(line))
  console.log(`${ways.length} ways, ${faults.length} faults`)
  return faults
}
