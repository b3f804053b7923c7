/** The newest state of each record on the disk. */
import { z } from 'zod'
import type { OwnWrites } from '../cluster/ownWrites.ts'
import type { Database, Statement } from '../database/database.ts'
import { StoredRows } from '../database/storedRows.ts'

export interface KnownRecord {
  id: string
  name: string
  hash: string
  keyframe: string
  goneAt: string | null
  /** The number of the state, if another console on the database stored it. */
  changed: number | null
}

const recordRow = z.object({
  id: z.string(),
  name: z.string(),
  hash: z.string(),
  keyframe: z.string(),
  gone_at: z.string().nullable(),
  changed: z.coerce.number().nullable(),
})

/** The name in `list_revisions` of the number that the newest state of a record has. */
export const stateRevision = 'records'

/** Once before the states of a transaction, which get this number. */
const nextState: Statement = {
  sql: `INSERT INTO list_revisions (name, revision) VALUES ('${stateRevision}', 1)
    ON CONFLICT (name) DO UPDATE SET revision = list_revisions.revision + 1`,
}

export class RecordStateStore {
  readonly #database: Database
  readonly #stored: StoredRows
  readonly #own: OwnWrites

  constructor(own: OwnWrites) {
    this.#own = own
    this.#database = own.database
    this.#stored = new StoredRows(own, 'records')
  }

  /** Whether other consoles store states as well. */
  get isShared(): boolean {
    return this.#database.isShared
  }

  /** Consoles that share the database see by its number that a state is new. */
  put(deployment: string, kind: string, record: KnownRecord, at: string): Statement[] {
    const { id, name, hash, keyframe, goneAt } = record
    const { isShared } = this.#database
    const changed = isShared ? `(SELECT revision FROM list_revisions WHERE name = '${stateRevision}')` : 'NULL'
    const put = {
      sql: `INSERT INTO records (deployment, kind, id, name, hash, keyframe, first_seen, gone_at, writer, changed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ${changed})
        ON CONFLICT (deployment, kind, id) DO UPDATE SET name = excluded.name, hash = excluded.hash, keyframe = excluded.keyframe,
          gone_at = excluded.gone_at, writer = excluded.writer, changed = excluded.changed`,
      args: [deployment, kind, id, name, hash, keyframe, at, goneAt, isShared ? this.#own.owner : null],
    }
    return isShared ? [nextState, put] : [put]
  }

  /** All records of a kind that were ever seen, by id. */
  async known(deployment: string, kind: string): Promise<Map<string, KnownRecord>> {
    return new Map((await this.states(deployment, kind)).map((record) => [record.id, record]))
  }

  /** The states of records of a kind. A damaged one is not known, and is replaced when the record is seen again. @param since those that other consoles stored after the one with this number */
  async states(deployment: string, kind: string, since?: number): Promise<KnownRecord[]> {
    const isOthers = 'writer IS DISTINCT FROM ?'
    const newer = since === undefined ? '' : ` AND changed > ? AND ${isOthers}`
    const { owner } = this.#own
    const rows = await this.#database.rows(
      `SELECT deployment, kind, id, name, hash, keyframe, gone_at, CASE WHEN ${isOthers} THEN changed END AS changed
        FROM records WHERE deployment = ? AND kind = ?${newer}`,
      [owner, deployment, kind, ...(since === undefined ? [] : [since, owner])],
    )
    return this.#stored.each(rows, (row) => {
      const { gone_at: goneAt, ...record } = recordRow.parse(row)
      return { ...record, goneAt }
    })
  }

  /** The number of the newest state of any record. */
  async newestState(): Promise<number> {
    const [row] = await this.#database.rows('SELECT revision FROM list_revisions WHERE name = ?', [stateRevision])
    return Number(row?.['revision'] ?? 0)
  }
}
