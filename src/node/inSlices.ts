import { setImmediate } from 'node:timers/promises'

/** Milliseconds after which other requests get their turn. */
const slice = 8

/** Runs to the end, a few milliseconds at a time. */
export async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const until = performance.now() + slice
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (performance.now() < until)
    await setImmediate()
  }
}
