/** Long computations, a few milliseconds at a time, so that other requests get their turn. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Work } from '#domain/work.ts'

/** Milliseconds of work without a pause. */
const slice = 8

/** Runs to the end, with pauses. */
export async function inSlices<T>(work: Work<T>): Promise<T> {
  const pauses = new Pauses()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (pauses.isDue()) await pauses.take()
  }
}

/** The pauses of a loop that waits for nothing else: the database and the ciphers return at once. */
export class Pauses {
  private since = performance.now()

  isDue(): boolean {
    return performance.now() - this.since >= slice
  }

  async take(): Promise<void> {
    await nextTurn()
    this.since = performance.now()
  }
}
