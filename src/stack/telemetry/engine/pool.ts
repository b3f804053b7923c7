/** A pool of items that serve one caller at a time, first come, first served. */
export class Pool<T> {
  readonly #free: T[]
  readonly #waiting: ((item: T) => void)[] = []

  constructor(items: readonly T[]) {
    this.#free = [...items]
  }

  /** Resolves with a free item; rejects with the signal's reason when that fires while waiting. */
  acquire(signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const item = this.#free.pop()
    if (item !== undefined) return Promise.resolve(item)
    return new Promise((resolve, reject) => {
      const take = (item: T) => {
        signal?.removeEventListener('abort', leave)
        resolve(item)
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(take)
    })
  }

  release(item: T): void {
    const next = this.#waiting.shift()
    if (next) next(item)
    else this.#free.push(item)
  }
}
