/** The short form of `npm run soak historyWrites`. */
import { expect, test } from 'vitest'
import { writeThroughKills } from './testing/historyWrites.ts'

test(
  'after kills at random moments, the history has what the deployments have, and the audit log is whole',
  { timeout: 120_000 },
  async () => {
    const { writes, kills, faults } = await writeThroughKills(60, 3)
    expect(faults).toEqual([])
    expect(kills).toBe(3)
    expect(writes).toBe(60)
  },
)
