/** Queries of the history for its pages and for restores. */
import { z } from 'zod'
import type { DeletedRecord, GoneRecord, HistoryTotals, RecordVersion } from '#contract/console/history.ts'
import type { Database } from '../database/database.ts'
import { StoredRows } from '../database/storedRows.ts'
import type { ChangeStore } from './changeStore.ts'

/** Versions of one record that are shown. */
const maxVersions = 1_000

/** A record at a time: the version that it had. */
export interface RecordAt {
  kind: string
  id: string
  version: string
}

export class HistoryQueries {
  readonly #stored: StoredRows
  readonly #database: Database
  readonly #store: ChangeStore

  constructor(database: Database, store: ChangeStore) {
    this.#database = database
    this.#store = store
    this.#stored = new StoredRows(database, 'records')
  }

  async totals(deployment: string): Promise<Omit<HistoryTotals, 'keptDays' | 'snapshotMinutes'>> {
    const [records] = await this.#database.rows(
      `SELECT count(*) AS records, min(first_seen) AS since, count(gone_at) AS deleted
        FROM records WHERE deployment = ?`,
      [deployment],
    )
    const [versions] = await this.#database.rows(
      `SELECT count(*) AS versions FROM
        (SELECT hash FROM records WHERE deployment = ?1 UNION SELECT after FROM changes WHERE deployment = ?1 AND after IS NOT NULL
          UNION SELECT before FROM changes WHERE deployment = ?1 AND before IS NOT NULL) AS used`,
      [deployment],
    )
    const since = records?.['since']
    return {
      versions: Number(versions?.['versions']),
      records: Number(records?.['records']),
      deleted: Number(records?.['deleted']),
      ...(typeof since === 'string' && { since }),
      bytes: await this.#database.size(),
    }
  }

  /** Records that are gone and were not brought back, the newest first. */
  async deleted(deployment: string): Promise<DeletedRecord[]> {
    const rows = await this.#database.rows(
      `SELECT deployment, kind, id, name, hash, gone_at,
          (SELECT seq FROM changes WHERE changes.deployment = records.deployment AND changes.kind = records.kind
            AND record_id = records.id AND action = 'deleted' AND outcome IN ('done', 'found')
            ORDER BY seq DESC LIMIT 1) AS seq
        FROM records WHERE deployment = ? AND gone_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM changes WHERE changes.deployment = records.deployment AND changes.kind = records.kind
            AND changes.name = records.name AND action = 'created' AND cause IN ('restore', 'undo') AND outcome = 'done'
            AND at > gone_at)
        ORDER BY gone_at DESC LIMIT 500`,
      [deployment],
    )
    const row = z.object({
      kind: z.string(),
      id: z.string(),
      name: z.string(),
      hash: z.string(),
      gone_at: z.string(),
      seq: z.coerce.number().nullable(),
    })
    return Promise.all(
      this.#stored
        .each(rows, (stored) => row.parse(stored))
        .map(async (deleted): Promise<DeletedRecord> => {
          const { hash, gone_at, seq, ...record } = deleted
          const change = seq === null ? undefined : await this.#store.find(seq)
          const { cause = 'outside', actor, at = gone_at } = change ?? {}
          return { ...record, version: hash, at, cause, ...(actor !== undefined && { actor }) }
        }),
    )
  }

  /** The removal of one record; undefined if it exists, or was never seen. */
  async gone(deployment: string, kind: string, id: string): Promise<GoneRecord | undefined> {
    const [found] = await this.#database.rows(
      'SELECT name, gone_at FROM records WHERE deployment = ? AND kind = ? AND id = ? AND gone_at IS NOT NULL',
      [deployment, kind, id],
    )
    if (!found) return undefined
    const { name, gone_at: at } = z.object({ name: z.string(), gone_at: z.string() }).parse(found)
    const namesakes = await this.#database.rows(
      `SELECT id, gone_at,
          (SELECT count(*) FROM changes WHERE changes.deployment = records.deployment AND changes.kind = records.kind
            AND record_id = records.id AND action = 'created' AND cause IN ('restore', 'undo') AND outcome = 'done') AS restored
        FROM records WHERE deployment = ? AND kind = ? AND name = ? AND (gone_at IS NOT NULL OR first_seen >= ?)`,
      [deployment, kind, name, at],
    )
    const row = z.object({ id: z.string(), gone_at: z.string().nullable(), restored: z.coerce.number() })
    const all = namesakes.map((namesake) => row.parse(namesake))
    const back = all.filter(({ gone_at, restored }) => gone_at === null && restored > 0)
    // If two were deleted under one name, it is not known which one came back.
    const deleted = all.filter(({ gone_at, restored }) => gone_at !== null && restored === 0)
    const [only] = back
    return { name, at, ...(only && back.length === 1 && deleted.length <= 1 && { broughtBackAs: only.id }) }
  }

  /** The versions of a record, the newest first. */
  async versions(deployment: string, kind: string, recordId: string): Promise<RecordVersion[]> {
    const changes = (await this.#store.list(deployment, { kind, recordId, limit: maxVersions })).toReversed()
    const [record] = await this.#database.rows(
      'SELECT hash, first_seen, gone_at FROM records WHERE deployment = ? AND kind = ? AND id = ?',
      [deployment, kind, recordId],
    )
    // A change whose outcome is unknown has a version if a read showed one.
    const made = changes.filter(({ after, outcome }) => after !== undefined && outcome !== 'refused')
    const first = changes.find(({ before }) => before !== undefined)?.before ?? record?.['hash']
    const seen = { version: String(first), at: String(record?.['first_seen'] ?? changes[0]?.at ?? '') }
    const versions = [
      ...(typeof first === 'string' && made[0]?.after !== first ? [seen] : []),
      ...made.map((change) => ({ version: change.after ?? '', at: change.at, change })),
    ].filter(({ version }, index, all) => version !== all[index - 1]?.version)
    const current = record?.['gone_at'] === null ? record['hash'] : undefined
    const last = versions.findLastIndex(({ version }) => version === current)
    return versions.map((version, index) => ({ ...version, number: index + 1, isCurrent: index === last })).toReversed()
  }

  /** The kind of a version that this deployment had; undefined for versions of others. */
  async kindOf(deployment: string, version: string): Promise<string | undefined> {
    const [row] = await this.#database.rows(
      `SELECT kind FROM records WHERE deployment = ?1 AND hash = ?2
        UNION SELECT kind FROM changes WHERE deployment = ?1 AND (before = ?2 OR after = ?2) LIMIT 1`,
      [deployment, version],
    )
    return row && String(row['kind'])
  }

  /**
   * The records that a deployment had at a time. Records that were seen only later count as present, unless their creation was seen.
   * @returns also all records that were ever seen, as `kind id`
   */
  async at(deployment: string, time: string): Promise<{ present: RecordAt[]; known: ReadonlySet<string> }> {
    const records = await this.#database.rows('SELECT kind, id, hash, gone_at FROM records WHERE deployment = ?', [
      deployment,
    ])
    const changes = await this.#database.rows(
      `SELECT kind, record_id, action, before, after FROM changes
        WHERE deployment = ? AND at > ? AND record_id IS NOT NULL
          AND (outcome IN ('done', 'found') OR outcome = 'unknown' AND after IS NOT NULL) ORDER BY seq DESC`,
      [deployment, time],
    )
    // From the newest back: before each change, the record was as the change found it.
    const states = new Map<string, string | null>()
    for (const { kind, id, hash, gone_at } of records) {
      states.set(`${String(kind)} ${String(id)}`, gone_at === null ? String(hash) : null)
    }
    for (const { kind, record_id, action, before } of changes) {
      const key = `${String(kind)} ${String(record_id)}`
      if (action === 'created') states.set(key, null)
      else if (before !== null) states.set(key, String(before))
    }
    const present = records.flatMap(({ kind, id }) => {
      const version = states.get(`${String(kind)} ${String(id)}`)
      return version ? [{ kind: String(kind), id: String(id), version }] : []
    })
    return { present, known: new Set(records.map(({ kind, id }) => `${String(kind)} ${String(id)}`)) }
  }
}
