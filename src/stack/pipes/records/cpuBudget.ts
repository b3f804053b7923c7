/** Keeps the work of a replica within its processor limit: after work it pauses as long as the limit asks for. */
import { abortableSleep } from '../loads/abortableSleep.ts'

/** Work may be ahead of the limit by this long, so that short bursts are not slowed down. */
const burstMs = 500

export interface CpuBudget {
  /** Counts work of one thread. */
  spend(ms: number): void
  /** Waits until there is budget for more work. */
  ready(signal: AbortSignal): Promise<void>
}

export function cpuBudget(millicores: number, now: () => number = () => performance.now()): CpuBudget {
  /** When the work so far would be done at the limit. */
  let paidUntil = now()
  return {
    spend(ms) {
      paidUntil = Math.max(paidUntil, now() - burstMs) + (ms * 1000) / millicores
    },
    async ready(signal) {
      const wait = paidUntil - now()
      if (wait > 0) await abortableSleep(wait, signal)
    },
  }
}
