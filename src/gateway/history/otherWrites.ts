/**
 * Writes by other consoles on the database, and the reads that they have stored. A read must not be
 * mistaken for a change outside if it may not show that yet. Each stored state of a record has a number, which grows from
 * one to the next; whatever has a higher number than was known before a read began may be newer than the read. Clocks of
 * machines are not compared. A file has no other console, and nothing is asked.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnWrites } from '../cluster/ownWrites.ts'
import type { DeploymentLocation } from '#contract/console/deployments.ts'
import type { KnownRecord, RecordStateStore } from './recordStateStore.ts'

/** Milliseconds between two checks at whether a write of another console has ended. */
const pollInterval = 500
/** Milliseconds after which nothing waits for it any more. */
const maxWait = 120_000
/** Numbers that are remembered with the time at which they were known. */
const maxMarks = 1_000

interface Mark {
  revision: number
  /** By `performance.now()`. */
  at: number
}

type Whose = 'all' | 'others'

interface Seen extends DeploymentLocation {
  kind: string
  /** When the read began, by `performance.now()`. */
  startedAt: number
}

export class OtherWrites {
  /** Ascending in both. */
  #marks: Mark[] = []
  readonly #own: OwnWrites
  readonly #states: RecordStateStore

  constructor(own: OwnWrites, states: RecordStateStore) {
    this.#own = own
    this.#states = states
  }

  get isShared(): boolean {
    return this.#own.database.isShared
  }

  /** The number of the newest state was at least this one at a time. */
  note(revision: number, at: number): void {
    if (revision <= (this.#marks.at(-1)?.revision ?? -1)) return
    this.#marks = [...this.#marks, { revision, at }].slice(-maxMarks)
  }

  /** Notes the writes of other consoles up to now, for a read that begins after this. */
  async noteNow(): Promise<void> {
    if (!this.isShared) return
    this.note(await this.#states.newestState(), performance.now())
  }

  /**
   * Whether a read may not show what others wrote to a record, or stored of it.
   * @param record as it is known
   * @param whose like that of `pending`
   */
  async mayMiss(seen: Seen, id: string, record: KnownRecord | undefined, whose: Whose): Promise<boolean> {
    if (!this.isShared) return false
    const known = this.#marks.findLast(({ at }) => at <= seen.startedAt)?.revision ?? -1
    if (record && record.changed !== null && record.changed > known) return true
    return (await this.pending(seen, seen.kind, id, whose)).length > 0
  }

  /**
   * The numbers of changes whose outcome is not stored yet.
   * @param id null for creations
   * @param whose of all consoles, this one included, whose outcome may have failed to be stored; or of others
   */
  async pending({ origin }: DeploymentLocation, kind: string, id: string | null, whose: Whose): Promise<number[]> {
    if (!this.isShared) return []
    const [condition, owners] = whose === 'all' ? ['', []] : [' AND owner IS DISTINCT FROM ?', [this.#own.owner]]
    const rows = await this.#own.database.rows(
      `SELECT seq FROM changes WHERE outcome = 'pending' AND origin = ? AND kind = ?
        AND record_id IS NOT DISTINCT FROM ?${condition}`,
      [origin, kind, id, ...owners],
    )
    return rows.map(({ seq }) => Number(seq))
  }

  /** Returns once those changes have an outcome, whichever console stored it, or after two minutes. */
  async ended(changes: readonly number[]): Promise<void> {
    if (changes.length === 0) return
    const until = performance.now() + maxWait
    while (performance.now() < until && (await this.#areOpen(changes)))
      await sleep(pollInterval, undefined, { ref: false })
  }

  async #areOpen(changes: readonly number[]): Promise<boolean> {
    const places = changes.map(() => '?').join(', ')
    const sql = `SELECT 1 FROM changes WHERE outcome = 'pending' AND seq IN (${places}) LIMIT 1`
    // While the database cannot be reached, they may be.
    const rows = await this.#own.database.rows(sql, changes).catch(() => ['unknown'])
    return rows.length > 0
  }
}
