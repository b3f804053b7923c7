/**
 * Limits on work that goes on at the same time: a number or a weight of all work, one task after another, one holder of
 * a name.
 */

/** Limits how much work goes on at the same time. Work that takes long leaves its place to the next one, so that it delays no other. */
export class ConcurrencyLimit {
  readonly #waiting: (() => void)[] = []
  #taken = 0
  readonly #count: number
  readonly #slow: number

  /**
   * @param count work at the same time
   * @param slow milliseconds after which work no longer counts
   */
  constructor(count: number, slow: number) {
    this.#count = count
    this.#slow = slow
  }

  /** Does the work once there is a place, in the order of the calls. */
  async run(work: () => Promise<void>): Promise<void> {
    if (this.#taken < this.#count) this.#taken += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let isLeft = false
    const leave = () => {
      if (isLeft) return
      isLeft = true
      clearTimeout(timer)
      const next = this.#waiting.shift()
      if (next) next()
      else this.#taken -= 1
    }
    const timer = setTimeout(leave, this.#slow)
    await work().finally(leave)
  }
}

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

/**
 * Runs work for every item, with a limit on concurrency. After a failure no further items are started, and the promise is
 * rejected when all running ones have ended.
 */
export async function forEachConcurrently<T>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values()
  let failed = false
  const worker = async () => {
    for (const item of left) {
      if (failed) return
      await work(item).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
}

/** Tasks that run one after another. */
export class TaskQueue {
  #last: Promise<unknown> = Promise.resolve()
  #count = 0
  readonly #max: number
  readonly #tooMany: () => Error

  /**
   * @param max tasks that are under way or wait. Default: any number
   * @param tooMany the error of further ones
   */
  constructor(max = Infinity, tooMany = () => new Error('Too many tasks are waiting.')) {
    this.#max = max
    this.#tooMany = tooMany
  }

  /** Does a task once all earlier ones have ended. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#count >= this.#max) throw this.#tooMany()
    this.#count++
    const result = this.#last.then(task).finally(() => this.#count--)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Waits for the tasks that were given so far. */
  async ended(): Promise<void> {
    await this.#last
  }
}

/** Locks by name: one holder at a time, first come, first served. */
export class RecordLocks {
  readonly #tails = new Map<string, Promise<unknown>>()

  async hold<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(name)
    const mine = before ? before.then(task, task) : task()
    const done = mine.catch(() => {})
    this.#tails.set(name, done)
    try {
      return await mine
    } finally {
      if (this.#tails.get(name) === done) this.#tails.delete(name)
    }
  }
}
