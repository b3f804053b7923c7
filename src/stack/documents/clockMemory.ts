/** What the stack remembers of its clock, so that a step is known after a restart too. All stacks on one database share it. */
import { z } from 'zod'
import { bootId } from '#node/clock/bootId.ts'
import type { ClockMemory, WallClock } from '#node/clock/wallClock.ts'
import { readSetting, writeSetting } from '../store/storeSettings.ts'
import type { Queries } from '../store/store.ts'

const setting = 'clock'

const memory: z.ZodType<ClockMemory | null> = z
  .object({
    certain: z.object({ wall: z.number(), boot: z.number() }),
    bootId: z.string().nullable(),
    gaps: z.array(z.object({ start: z.number(), end: z.number(), skipped: z.number() })),
    steps: z.array(z.object({ from: z.number(), to: z.number(), heldFor: z.number() })),
  })
  .nullable()
  .catch(null)

export function writeClockMemory(queries: Queries, clock: Pick<WallClock, 'memory'>): Promise<void> {
  return writeSetting(queries, setting, { ...clock.memory(), bootId } satisfies ClockMemory)
}

/** Lets a clock go on with what the last stack stored. */
export async function resumeClock(queries: Queries, clock: Pick<WallClock, 'resume'>): Promise<void> {
  const stored = await readSetting(queries, setting, memory)
  if (stored) clock.resume(stored, stored.bootId !== null && stored.bootId === bootId)
}
