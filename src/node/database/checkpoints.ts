/**
 * Copies the commits in SQLite's write-ahead log into the database file. SQLite itself does it only after about 4 MB of log, and
 * not when the file is closed: until then, a copy of the file without its log has none of them.
 */
import type { Client } from '@libsql/client/sqlite3'

/** Milliseconds between a commit and the checkpoint that copies it. */
const usualDelay = 5_000

export class Checkpoints {
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly client: Pick<Client, 'execute'>,
    private readonly delay = usualDelay,
  ) {}

  /** Call this after each commit. Commits within the delay share a checkpoint. */
  committed(): void {
    if (this.timer) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      // It waits for nobody: what a reader holds back comes later.
      void this.checkpoint('PASSIVE').then((isComplete) => {
        if (!isComplete) this.committed()
      })
    }, this.delay)
    this.timer.unref()
  }

  /** The last checkpoint, which also empties the log. Call this before the client is closed. */
  async close(): Promise<void> {
    clearTimeout(this.timer)
    await this.checkpoint('TRUNCATE')
    clearTimeout(this.timer)
  }

  /** @returns false if a reader holds commits back. Where the file cannot be written, the log keeps them until the next commit */
  private async checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): Promise<boolean> {
    try {
      const [row] = (await this.client.execute(`PRAGMA wal_checkpoint(${mode})`)).rows
      return row?.['busy'] === 0 && row['log'] === row['checkpointed']
    } catch {
      return true
    }
  }
}
