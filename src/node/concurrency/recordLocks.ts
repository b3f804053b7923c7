/** Locks by name: one holder at a time, first come, first served. */
export class RecordLocks {
  private readonly tails = new Map<string, Promise<unknown>>()

  async hold<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.tails.get(name)
    const mine = before ? before.then(task, task) : task()
    const done = mine.catch(() => {})
    this.tails.set(name, done)
    try {
      return await mine
    } finally {
      if (this.tails.get(name) === done) this.tails.delete(name)
    }
  }
}
