/** Long computations, a few milliseconds at a time, so that other requests get their turn. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Work } from '#domain/work.ts'

/** Milliseconds of work without a pause. */
const sliceLength = 8

/** Runs to the end, with a pause after each time slice. */
export async function runInTimeSlices<T>(work: Work<T>): Promise<T> {
  const slice = new TimeSlice()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (slice.isOver()) await slice.next()
  }
}

/** The time slice of a loop that waits for nothing else: the database and the ciphers return at once. */
export class TimeSlice {
  #since = performance.now()

  isOver(): boolean {
    return performance.now() - this.#since >= sliceLength
  }

  /** Lets other work run, and begins the next slice. */
  async next(): Promise<void> {
    await nextTurn()
    this.#since = performance.now()
  }
}
