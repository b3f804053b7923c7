import { setTimeout as wait } from 'node:timers/promises'

/** Waits, or rejects as soon as the signal fires. A process may end meanwhile. */
export async function abortableSleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false })
}
