/** The capacity for decoded data that is not stored yet. Callers wait for it, first come, first served. */
export class Capacity {
  readonly #capacity: number
  #taken = 0
  readonly #waiting: { weight: number; enter: () => void }[] = []

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Resolves once there is capacity. A weight above the whole capacity enters alone. Call the result to release it. */
  async enter(weight: number): Promise<() => void> {
    const needed = Math.min(weight, this.#capacity)
    if (this.#waiting.length > 0 || this.#taken + needed > this.#capacity) {
      await new Promise<void>((enter) => this.#waiting.push({ weight: needed, enter }))
    } else this.#taken += needed
    return () => this.#leave(needed)
  }

  #leave(weight: number): void {
    this.#taken -= weight
    for (let next = this.#waiting[0]; next && this.#taken + next.weight <= this.#capacity; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#taken += next.weight
      next.enter()
    }
  }
}
