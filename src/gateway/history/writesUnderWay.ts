/** Writes that reads at the same time must not be mistaken for changes of others. */
import type { DeploymentLocation } from '#contract/console/deployments.ts'

const maxEntries = 5_000

interface Entry {
  open: number
  /** By `performance.now()`. */
  endedAt: number
}

/** Writes that have begun and not ended, by name. */
class Openings {
  readonly #open = new Map<string, Set<Promise<void>>>()

  begin(name: string): () => void {
    let resolve = () => {}
    const ended = new Promise<void>((done) => (resolve = done))
    const all = this.#open.get(name) ?? new Set()
    this.#open.set(name, all.add(ended))
    return () => {
      all.delete(ended)
      if (all.size === 0 && this.#open.get(name) === all) this.#open.delete(name)
      resolve()
    }
  }

  of(name: string): readonly Promise<void>[] {
    return [...(this.#open.get(name) ?? [])]
  }
}

export class WritesUnderWay {
  readonly #entries = new Map<string, Entry>()
  readonly #creations = new Openings()
  /** Writes of an earlier process, until their outcome is known. */
  readonly #left = new Openings()

  /** @param id null for a record to be created */
  begin(place: DeploymentLocation, kind: string, id: string | null): () => void {
    const key = keyOf(place.origin, kind, id)
    if (id === null) return this.#creations.begin(key)
    const entry = this.#entryOf(key)
    entry.open += 1
    return () => {
      entry.open -= 1
      entry.endedAt = performance.now()
    }
  }

  /**
   * A write that a killed process left.
   * @returns ends it. The time is before the read that told its outcome: earlier reads may not show it.
   */
  leave(place: DeploymentLocation, kind: string, id: string | null): (readAt: number) => void {
    const end = this.#left.begin(keyOf(place.origin, kind, id))
    return (readAt) => {
      if (id !== null) this.noteChanged(place, kind, id, readAt)
      end()
    }
  }

  /** From reads that began earlier, nothing follows for this record. */
  noteChanged({ origin }: DeploymentLocation, kind: string, id: string, at = performance.now()): void {
    const entry = this.#entryOf(keyOf(origin, kind, id))
    entry.endedAt = Math.max(entry.endedAt, at)
  }

  /** Whether a write of the record ended after a read began. */
  hasChanged(
    { origin, kind, startedAt }: DeploymentLocation & { kind: string; startedAt: number },
    id: string,
  ): boolean {
    const entry = this.#entries.get(keyOf(origin, kind, id))
    return entry !== undefined && (entry.open > 0 || entry.endedAt >= startedAt)
  }

  /** Creations that are under way: a record that was never seen may be one of theirs. */
  creationsOf({ origin }: DeploymentLocation, kind: string): readonly Promise<void>[] {
    return this.#creations.of(keyOf(origin, kind, null))
  }

  /** Writes of an earlier process whose outcome is not known yet. */
  leftOf({ origin }: DeploymentLocation, kind: string, id: string | null): readonly Promise<void>[] {
    return this.#left.of(keyOf(origin, kind, id))
  }

  #entryOf(key: string): Entry {
    const entry = this.#entries.get(key) ?? { open: 0, endedAt: 0 }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    const [oldest] = this.#entries
    if (this.#entries.size > maxEntries && oldest && oldest[1].open === 0) this.#entries.delete(oldest[0])
    return entry
  }
}

function keyOf(place: string, kind: string, id: string | null): string {
  return `${place} ${kind} ${id ?? '*'}`
}
