/** The stored state of a process's clock, and how the next process goes on with it. */
import { z } from 'zod'
import type { ClockMemory, WallClock } from './wallClock.ts'
import { readFileSync } from 'node:fs'

/** Null for what cannot be read: the clock then begins without it. */
export const storedClock: z.ZodType<ClockMemory | null> = z
  .object({
    certain: z.object({ wall: z.number(), boot: z.number() }),
    bootId: z.string().nullable(),
    gaps: z.array(z.object({ start: z.number(), end: z.number(), skipped: z.number() })),
    steps: z.array(z.object({ from: z.number(), to: z.number(), heldFor: z.number() })),
  })
  .nullable()
  .catch(null)

/** The state of a clock to store. */
export function memoryOf(clock: Pick<WallClock, 'memory'>): ClockMemory {
  return { ...clock.memory(), bootId }
}

/** Lets a clock go on with what an earlier process stored. */
export function resumeFrom(stored: ClockMemory, clock: Pick<WallClock, 'resume'>): void {
  clock.resume(stored, stored.bootId !== null && stored.bootId === bootId)
}

/** Null on systems that do not say it. */
const bootId: string | null = readBootId()

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null
  } catch {
    return null
  }
}
