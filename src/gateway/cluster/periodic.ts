/** Background work of a console: never twice at a time, and only while no other console may have taken its place. */
import type { Presence } from './presence.ts'

interface PeriodicOptions {
  presence: Pick<Presence, 'isSure'>
  /** Milliseconds between two beginnings. */
  every: number
  work: () => Promise<void>
  onError: (error: unknown) => void
}

export class Periodic {
  private readonly timer: NodeJS.Timeout
  private working: Promise<void> | null = null
  private isDue = false
  private isClosed = false

  constructor(private readonly dependencies: PeriodicOptions) {
    this.timer = setInterval(() => this.now(), dependencies.every).unref()
  }

  /** Begins at once, or again after what is under way. */
  now(): void {
    this.isDue = true
    this.working ??= this.work().finally(() => (this.working = null))
  }

  /** Returns once what is under way has ended. */
  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.timer)
    await this.working
  }

  private async work(): Promise<void> {
    const { presence, work, onError } = this.dependencies
    // Later in this turn, so that whoever calls `now` does not wait for its beginning.
    await Promise.resolve()
    while (this.isDue && !this.isClosed && presence.isSure) {
      this.isDue = false
      await work().catch(onError)
    }
  }
}
