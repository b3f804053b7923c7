/** Versions of what becomes known over time, and waiting for the next one. */
import { randomUUID } from 'node:crypto'

export class VersionFeed {
  /** Tells the versions of this process from those of another one, or of an earlier start. */
  private readonly process = randomUUID()
  private count = 0
  private readonly waiting = new Set<() => void>()

  /** @returns the version of something that has just become known */
  note(): number {
    this.count += 1
    this.wake()
    return this.count
  }

  /** Ends all waiting: something is known, or something is no longer being read. */
  wake(): void {
    for (const end of this.waiting) end()
  }

  /** The newest version. */
  get version(): number {
    return this.count
  }

  get cursor(): string {
    return this.cursorAt(this.count)
  }

  /** For what is newer than a version. */
  cursorAt(version: number): string {
    return `${this.process}.${version}`
  }

  /** The version of a cursor; undefined if it is not one of this process. */
  versionOf(cursor: string | undefined): number | undefined {
    const [process, count] = cursor?.split('.') ?? []
    return process === this.process && count !== undefined && /^\d{1,15}$/.test(count) ? Number(count) : undefined
  }

  /** Returns with the next version, after some milliseconds, or when the signal fires. */
  async next(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || milliseconds <= 0) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      signal.addEventListener('abort', end)
      this.waiting.add(end)
    })
  }
}
