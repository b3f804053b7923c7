/** Damages databases, keys and telemetry in each way, one at a time, and starts on them. */
import { ways } from '../src/server/testing/damage.ts'
import { damageData } from '../src/server/testing/damagedData.ts'

/** @returns starts that lost something in silence, or do not say what to do */
export async function damagedData(): Promise<string[]> {
  const faults = await damageData(ways, (line) => console.log(line))
  console.log(`${ways.length} ways, ${faults.length} faults`)
  return faults
}
