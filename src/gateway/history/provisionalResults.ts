/**
 * Changes whose result is the response of the write: what is stored may have more fields, which the first read shows. On a
 * database that consoles share, it may be another console that reads first, so they are marked there.
 */
import { currentTime } from '#node/clock/wallClock.ts'
import type { OwnWrites } from '../cluster/ownWrites.ts'
import type { Statement } from '../database/database.ts'
import type { DeploymentLocation } from '#contract/console/deployments.ts'

/** Milliseconds in which the first read after a write may differ from the response of the write. */
const provisionalFor = 60_000
const maxEntries = 5_000

interface Taken {
  /** The change that the read completes. */
  seq?: number
  /** End its being provisional. */
  statements: Statement[]
}

export class ProvisionalResults {
  /** For a database file. */
  readonly #noted = new Map<string, { seq: number; until: number }>()
  readonly #own: OwnWrites

  constructor(own: OwnWrites) {
    this.#own = own
  }

  /** Notes a change. @returns the statements for it */
  note({ deployment }: DeploymentLocation, kind: string, id: string, seq: number): Statement[] {
    if (this.#own.database.isShared) return [{ sql: 'UPDATE changes SET provisional = 1 WHERE seq = ?', args: [seq] }]
    this.#noted.set(keyOf(deployment, kind, id), { seq, until: performance.now() + provisionalFor })
    const [oldest] = this.#noted.keys()
    if (this.#noted.size > maxEntries && oldest !== undefined) this.#noted.delete(oldest)
    return []
  }

  /** The change whose result this read completes. Only the first read does. */
  async take({ deployment }: DeploymentLocation, kind: string, id: string): Promise<Taken> {
    if (this.#own.database.isShared) return this.#takeShared(deployment, kind, id)
    const key = keyOf(deployment, kind, id)
    const entry = this.#noted.get(key)
    this.#noted.delete(key)
    return { ...(entry && entry.until > performance.now() && { seq: entry.seq }), statements: [] }
  }

  /** The records of a kind with such a change on a shared database. */
  async records({ deployment }: DeploymentLocation, kind: string): Promise<ReadonlySet<string>> {
    const rows = await this.#own.database.rows(
      'SELECT DISTINCT record_id FROM changes WHERE provisional IS NOT NULL AND deployment = ? AND kind = ?',
      [deployment, kind],
    )
    return new Set(rows.map((row) => String(row['record_id'])))
  }

  async #takeShared(deployment: string, kind: string, id: string): Promise<Taken> {
    const condition = 'provisional IS NOT NULL AND deployment = ? AND kind = ? AND record_id = ?'
    const args = [deployment, kind, id]
    const rows = await this.#own.database.rows(
      `SELECT seq, at FROM changes WHERE ${condition} ORDER BY seq DESC LIMIT 1`,
      args,
    )
    const [newest] = rows
    if (!newest) return { statements: [] }
    const isFresh = currentTime() - Date.parse(String(newest['at'])) < provisionalFor
    const statements = [{ sql: `UPDATE changes SET provisional = NULL WHERE ${condition}`, args }]
    return { ...(isFresh && { seq: Number(newest['seq']) }), statements }
  }
}

function keyOf(deployment: string, kind: string, id: string): string {
  return `${deployment} ${kind} ${id}`
}
