/** 1,000 writes of several clients through a gateway that is killed 25 times, and what its history says afterwards. */
import { writeThroughKills } from '../src/server/testing/historyWrites.ts'

/** @returns where the history and the deployments differ, and changes without an outcome */
export async function historyWrites(): Promise<string[]> {
  const { writes, kills, unknown, faults } = await writeThroughKills(1_000, 25)
  console.log(
    `${writes} writes, killed ${kills} times, ${unknown} outcomes not known for sure, ${faults.length} faults`,
  )
  return faults
}
