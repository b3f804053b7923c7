/** Long computations in small pieces, so that a server can do something else in between. */

/** Yields after each piece. */
export type Work<T> = Generator<void, T>

/** Does all of it at once. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
