/** The stored clock of the stack, so that a step is known after a restart too. All stacks on one database share it. */
import { memoryOf, resumeFrom, storedClock } from '#node/clock/storedClock.ts'
import type { WallClock } from '#node/clock/wallClock.ts'
import { readSetting, writeSetting } from '../store/storeSettings.ts'
import type { Queries } from '../store/store.ts'

const setting = 'clock'

export function writeClockMemory(queries: Queries, clock: Pick<WallClock, 'memory'>): Promise<void> {
  return writeSetting(queries, setting, memoryOf(clock))
}

/** Lets a clock go on with what the last stack stored. */
export async function resumeClock(queries: Queries, clock: Pick<WallClock, 'resume'>): Promise<void> {
  const stored = await readSetting(queries, setting, storedClock)
  if (stored) resumeFrom(stored, clock)
}
