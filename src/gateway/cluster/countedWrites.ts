/**
 * Writes through each connection, as counted by all consoles of a database: what was read before a write of another console
 * is not used after it.
 */
import type { WriteCounts } from '#node/upstream/deployments.ts'
import type { Database } from '../database/database.ts'
import { countRevision } from '../database/countRevision.ts'
import type { SharedRevisions } from './sharedRevisions.ts'

const prefix = 'writes '

export class CountedWrites implements WriteCounts {
  private counts = new Map<string, number>()

  constructor(
    private readonly parts: { database: Database; revisions: SharedRevisions; onError: (error: unknown) => void },
  ) {
    parts.revisions.follow((revisions) => {
      for (const [name, count] of revisions) if (name.startsWith(prefix)) this.note(name.slice(prefix.length), count)
    })
  }

  of(connectionId: string): number {
    return this.counts.get(connectionId) ?? 0
  }

  /** The write is done, so a failure is only reported. */
  async count(connectionId: string): Promise<void> {
    const { database, onError } = this.parts
    try {
      const count = await database.note((transaction) => countRevision(transaction, prefix + connectionId))
      this.note(connectionId, count)
    } catch (error) {
      onError(error)
    }
  }

  /** A reading may be older than a count of this console. */
  private note(connectionId: string, count: number): void {
    this.counts.set(connectionId, Math.max(count, this.of(connectionId)))
  }
}
