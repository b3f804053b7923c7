/** Work of many requests in one process: one turn at a time, and everything else of the process between two turns. */
export class Turns {
  readonly #waiting: (() => void)[] = []

  /** Resolves when it is the caller's turn, which lasts until it waits for something. */
  next(): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push(go)
      if (this.#waiting.length === 1) setImmediate(() => this.#give())
    })
  }

  #give(): void {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(() => this.#give())
  }
}
