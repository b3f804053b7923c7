/** Kills the gateway at 50 random moments of promotions, imports and their undo, and resumes them. */
import { killRuns } from '../src/server/testing/killedRuns.ts'

/** @returns records that are there twice or not at all, and changes without an outcome */
export async function killedRuns(): Promise<string[]> {
  const { kills, faults } = await killRuns(50)
  console.log(`killed ${kills} times, ${faults.length} faults`)
  return faults
}
