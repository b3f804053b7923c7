/** Divides long work of several requests into time slices, so that other work of the process runs in between. */
export class TimeSlices {
  readonly #waiting: (() => void)[] = []

  /** Resolves when the caller's time slice begins. It ends when the caller awaits something. */
  next(): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push(go)
      if (this.#waiting.length === 1) setImmediate(() => this.#run())
    })
  }

  #run(): void {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(() => this.#run())
  }
}
