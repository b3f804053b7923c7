import { setTimeout as wait } from 'node:timers/promises'

/** Waits, or rejects when the signal fires. The timer does not keep the process alive. */
export async function abortableSleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false })
}
