/**
 * Remembers deleted alerts until it is known whether their dashboard or saved search (their owner) was deleted with them.
 * Deployments delete both together, but their lists are read one after the other, so the deletion of the alerts may be noticed
 * first. The owner was deleted at that time too, unless a later read found it.
 */
import type { JsonObject } from '#domain/json/json.ts'

/** The dashboard or saved search that an alert watches, and that takes it along when it is deleted. */
export interface WatchedRecord {
  kind: 'dashboards' | 'savedSearches'
  id: string
}

interface GoneAlert {
  deployment: string
  owner: WatchedRecord
  /** By `performance.now()`, before the request that did not find it. */
  startedAt: number
  /** When its deletion was noted. */
  at: string
}

/** The most alerts, and the most reads of owners, that are remembered. */
const most = 2_000

export class GoneAlerts {
  #gone: GoneAlert[] = []
  /** By `performance.now()`, when the response to the last read came. */
  readonly #seenAt = new Map<string, number>()

  note(alert: GoneAlert): void {
    this.#gone = [...this.#gone, alert].slice(-most)
  }

  /** @param id null for a list with all records that there are */
  watchedRecordSeen(deployment: string, kind: string, id: string | null, endedAt: number): void {
    const key = keyOf(deployment, kind, id)
    const latest = Math.max(endedAt, this.#seenAt.get(key) ?? 0)
    this.#seenAt.delete(key)
    this.#seenAt.set(key, latest)
    const [oldest] = this.#seenAt.keys()
    if (this.#seenAt.size > most && oldest !== undefined) this.#seenAt.delete(oldest)
  }

  /** When the first alert of an owner was deleted since the owner was last seen; undefined if none was. */
  firstSince(deployment: string, { kind, id }: WatchedRecord): string | undefined {
    const reads = [id, null].map((ownerId) => this.#seenAt.get(keyOf(deployment, kind, ownerId)) ?? 0)
    const since = Math.max(...reads)
    return this.#gone
      .filter(
        (goneAlert) =>
          goneAlert.deployment === deployment && goneAlert.owner.kind === kind && goneAlert.owner.id === id,
      )
      .filter(({ startedAt }) => startedAt > since)
      .map(({ at }) => at)
      .toSorted()[0]
  }
}

/** The tile or saved search that an alert watches, as far as it is known. */
export function watchedRecordsOf(alert: JsonObject): WatchedRecord[] {
  const { dashboardId, savedSearchId } = alert
  return [
    ...(typeof dashboardId === 'string' ? [{ kind: 'dashboards', id: dashboardId } as const] : []),
    ...(typeof savedSearchId === 'string' ? [{ kind: 'savedSearches', id: savedSearchId } as const] : []),
  ]
}

export function isWatchedKind(kind: string): kind is WatchedRecord['kind'] {
  return kind === 'dashboards' || kind === 'savedSearches'
}

function keyOf(deployment: string, kind: string, id: string | null): string {
  return `${deployment} ${kind} ${id ?? '*'}`
}
