/** A capacity by weight, such as bytes in memory. Callers wait for it, first come, first served. */
export class Capacity {
  readonly #capacity: number
  #taken = 0
  readonly #waiting: { weight: number; enter: () => void }[] = []

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /**
   * Resolves once there is capacity. A weight above the whole capacity enters alone. Call the result to release it. Rejects
   * with the signal's reason if that fires while waiting.
   */
  async enter(weight: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    const needed = Math.min(weight, this.#capacity)
    if (this.#waiting.length > 0 || this.#taken + needed > this.#capacity) await this.#wait(needed, signal)
    else this.#taken += needed
    return () => this.#leave(needed)
  }

  #wait(weight: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1)
        reject(signal?.reason)
        this.#admit()
      }
      const place = { weight, enter }
      signal?.addEventListener('abort', giveUp, { once: true })
      this.#waiting.push(place)
    })
  }

  #leave(weight: number): void {
    this.#taken -= weight
    this.#admit()
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && this.#taken + next.weight <= this.#capacity; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#taken += next.weight
      next.enter()
    }
  }
}
