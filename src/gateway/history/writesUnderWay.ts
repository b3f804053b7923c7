/** Writes that reads at the same time must not be mistaken for changes of others. */
import type { Place } from './changeStore.ts'

/** Milliseconds in which the first read after a write may differ from the response of the write. */
const provisionalFor = 60_000
const maxEntries = 5_000

interface Entry {
  open: number
  /** By `performance.now()`. */
  endedAt: number
}

export class WritesUnderWay {
  private readonly entries = new Map<string, Entry>()
  /** Changes whose result is the response of the write: what is stored may have more fields. */
  private readonly provisional = new Map<string, { seq: number; until: number }>()

  /** @param id null for a record to be created: no record of the kind can be told apart from it */
  begin({ origin }: Place, kind: string, id: string | null): () => void {
    const key = keyOf(origin, kind, id)
    const entry = this.entries.get(key) ?? { open: 0, endedAt: 0 }
    entry.open += 1
    this.entries.delete(key)
    this.entries.set(key, entry)
    const [oldest] = this.entries
    if (this.entries.size > maxEntries && oldest && oldest[1].open === 0) this.entries.delete(oldest[0])
    return () => {
      entry.open -= 1
      entry.endedAt = performance.now()
    }
  }

  /** Whether a write of the record ended after a read began. */
  mayHaveChanged({ origin, kind, startedAt }: Place & { kind: string; startedAt: number }, id: string): boolean {
    return [id, null].some((one) => {
      const entry = this.entries.get(keyOf(origin, kind, one))
      return entry !== undefined && (entry.open > 0 || entry.endedAt >= startedAt)
    })
  }

  noteProvisional({ deployment }: Place, kind: string, id: string, seq: number): void {
    this.provisional.set(keyOf(deployment, kind, id), { seq, until: performance.now() + provisionalFor })
    const [oldest] = this.provisional.keys()
    if (this.provisional.size > maxEntries && oldest !== undefined) this.provisional.delete(oldest)
  }

  /** The change whose result this read completes. Only the first read does. */
  takeProvisional({ deployment, kind }: Place & { kind: string }, id: string): number | undefined {
    const key = keyOf(deployment, kind, id)
    const entry = this.provisional.get(key)
    this.provisional.delete(key)
    return entry && entry.until > performance.now() ? entry.seq : undefined
  }
}

function keyOf(place: string, kind: string, id: string | null): string {
  return `${place} ${kind} ${id ?? '*'}`
}
