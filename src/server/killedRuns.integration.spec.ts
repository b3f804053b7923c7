/** The short form of `soak/killedRuns.ts`. */
import { expect, test } from 'vitest'
import { killRuns } from './testing/killedRuns.ts'

test(
  'killed at random moments, runs are resumed: nothing is doubled, nothing is lost',
  { timeout: 120_000 },
  async () => {
    const { kills, faults } = await killRuns(6)
    expect(faults).toEqual([])
    expect(kills).toBeGreaterThanOrEqual(6)
  },
)
