/**
 * Copies the commits in SQLite's write-ahead log into the database file. SQLite itself does it only after about 4 MB of log, and
 * not when the file is closed: until then, a copy of the file without its log has none of them.
 */
import type { FileConnection } from './fileConnection.ts'

/** Milliseconds between a commit and the checkpoint that copies it. */
const usualDelay = 5_000

export class Checkpoints {
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly connection: FileConnection,
    private readonly delay = usualDelay,
  ) {}

  /** Call this after each commit. Commits within the delay share a checkpoint. */
  committed(): void {
    if (this.timer) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      // It waits for nobody: what a reader holds back comes later.
      if (!this.checkpoint('PASSIVE')) this.committed()
    }, this.delay)
    this.timer.unref()
  }

  /** The last checkpoint, which also empties the log. Call this before the connection is closed. */
  close(): void {
    clearTimeout(this.timer)
    this.checkpoint('TRUNCATE')
  }

  /** @returns false if a reader holds commits back. Where the file cannot be written, the log keeps them until the next commit */
  private checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    try {
      const [row] = this.connection.execute(`PRAGMA wal_checkpoint(${mode})`).rows
      return row?.['busy'] === 0 && row['log'] === row['checkpointed']
    } catch {
      return true
    }
  }
}
