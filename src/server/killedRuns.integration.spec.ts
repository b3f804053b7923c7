/** The short form of `npm run soak killedRuns`. */
import { expect, test } from 'vitest'
import { killRuns } from './testing/killedRuns.ts'

test(
  'killed at random moments, promotions, imports and their undo are resumed: nothing is doubled, nothing is lost',
  { timeout: 240_000 },
  async () => {
    const { kills, faults } = await killRuns(5)
    expect(faults).toEqual([])
    expect(kills).toBeGreaterThanOrEqual(5)
  },
)
