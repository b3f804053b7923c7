/** Changes of records on the disk. */
import { z } from 'zod'
import type { DeploymentLocation } from '#contract/console/deployments.ts'
import {
  changeActions,
  changeCauses,
  changeOutcomes,
  type Change,
  type changesQuery,
} from '#contract/console/history.ts'
import { type OwnWrites, ownerHasEnded } from '../cluster/ownWrites.ts'
import type { Database, Row, Statement } from '../database/database.ts'
import { StoredRows } from '../database/storedRows.ts'

export interface NewChange extends DeploymentLocation {
  connectionId: string
  kind: string
  recordId: string | null
  name: string
  action: (typeof changeActions)[number]
  cause: (typeof changeCauses)[number]
  actor?: string | undefined
  run?: string | undefined
  at: string
  outcome: (typeof changeOutcomes)[number]
  before?: string | undefined
  after?: string | undefined
  fields?: number | undefined
  method?: string | undefined
  path?: string | undefined
  /** The data needed to find out the outcome after a crash. */
  pending?: Uint8Array | undefined
}

const text = z.string().nullable()
const number = z.coerce.number()
const changeRow = z.object({
  seq: number,
  connection_id: z.string(),
  kind: z.string(),
  record_id: text,
  name: z.string(),
  action: z.enum(changeActions),
  cause: z.enum(changeCauses),
  actor: text,
  run: text,
  at: z.string(),
  outcome: z.enum(changeOutcomes),
  before: text,
  after: text,
  fields: number.nullable(),
  method: text,
  path: text,
  status: number.nullable(),
  duration: number.nullable(),
  request_id: text,
  reason: text,
})

/** Columns of changes that are set once the outcome is known. */
export interface SettledChange {
  recordId: string | null
  name: string
  outcome: (typeof changeOutcomes)[number]
  after: string | null
  fields: number | null
  status: number | null
  duration: number | null
  requestId: string | null
  reason: string | null
}

const pendingRow = z.object({
  seq: number,
  deployment: z.string(),
  origin: z.string(),
  connection_id: z.string(),
  kind: z.string(),
  record_id: text,
  name: z.string(),
  before: text,
  reason: text,
  pending: z.instanceof(ArrayBuffer),
})

/** A write that was stored and not closed, with what is needed to find out its outcome. */
export interface PendingChange extends DeploymentLocation {
  seq: number
  connectionId: string
  kind: string
  recordId: string | null
  name: string
  before: string | null
  /** Why it is completed by another one than the console that sent it; null if that has ended. */
  reason: string | null
  bytes: Uint8Array
}

export class ChangeStore {
  readonly #database: Database
  readonly #stored: StoredRows
  readonly #own: OwnWrites

  constructor(own: OwnWrites) {
    this.#own = own
    this.#database = own.database
    this.#stored = new StoredRows(own, 'changes')
  }

  /** Whether other consoles store changes as well. */
  get isShared(): boolean {
    return this.#database.isShared
  }

  /** @throws unavailable if another console has taken the place of this one */
  write(...statements: readonly Statement[]): Promise<void> {
    return this.#own.write(...new Set(statements))
  }

  insert(change: NewChange): Statement {
    const { deployment, origin, connectionId, kind, recordId, name, action, cause, actor, run } = change
    const { at, outcome, before, after, fields, method, path, pending } = change
    return {
      sql: `INSERT INTO changes (deployment, origin, connection_id, kind, record_id, name, action, cause, actor, run,
          at, outcome, before, after, fields, method, path, pending, owner)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      args: [
        deployment,
        origin,
        connectionId,
        kind,
        recordId,
        name,
        action,
        cause,
        actor ?? null,
        run ?? null,
        at,
        outcome,
        before ?? null,
        after ?? null,
        fields ?? null,
        method ?? null,
        path ?? null,
        pending ?? null,
        this.#own.owner,
      ],
    }
  }

  /** Stores a pending change. On the disk when it returns. @returns its number */
  async begin(change: NewChange): Promise<number> {
    const { sql, args } = this.insert(change)
    const [row] = await this.#own.returned(`${sql} RETURNING seq`, args ?? [])
    return number.parse(row?.['seq'])
  }

  settle(seq: number, settled: SettledChange): Statement {
    const { recordId, name, outcome, after, fields, status, duration, requestId, reason } = settled
    return {
      sql: `UPDATE changes SET record_id = ?, name = ?, outcome = ?, after = ?, fields = ?, status = ?, duration = ?,
        request_id = ?, reason = ?, pending = NULL WHERE seq = ?`,
      args: [recordId, name, outcome, after, fields, status, duration, requestId, reason, seq],
    }
  }

  /** Adds what a write led to, where its response did not tell. A record that is there was created. */
  complete(seq: number, recordId: string, after: string, fields: number): Statement {
    return {
      sql: `UPDATE changes SET record_id = ?, after = ?, fields = ?,
        outcome = CASE WHEN action = 'created' THEN 'done' ELSE outcome END WHERE seq = ?`,
      args: [recordId, after, fields, seq],
    }
  }

  /** From now on, a pending change has no owner: any console takes it over. */
  releaseOwner(seq: number): Statement {
    return {
      sql: "UPDATE changes SET owner = NULL, reason = ? WHERE seq = ? AND outcome = 'pending'",
      args: ['The outcome could not be stored at once. What is stored was checked afterwards.', seq],
    }
  }

  /** Closes a pending change whose outcome can no longer be found out. */
  abandon(seq: number, reason: string): Statement {
    return {
      sql: "UPDATE changes SET outcome = 'unknown', reason = ?, pending = NULL WHERE seq = ?",
      args: [reason, seq],
    }
  }

  /**
   * The newest change of a record by this console, through a connection to the same place by another variant.
   * @param after the version that it made; null for a deletion
   */
  async madeElsewhere(
    { deployment, origin }: DeploymentLocation,
    kind: string,
    id: string,
    after: string | null,
  ): Promise<Change | undefined> {
    const made = after === null ? "action = 'deleted' AND outcome = 'done'" : 'after = ?'
    const [row] = await this.#database.rows(
      `SELECT * FROM changes WHERE origin = ? AND kind = ? AND record_id = ? AND deployment <> ? AND cause <> 'outside'
        AND ${made} ORDER BY seq DESC LIMIT 1`,
      [origin, kind, id, deployment, ...(after === null ? [] : [after])],
    )
    return this.#stored.ifReadable(row, changeOf)
  }

  /** The newest change of a record by this console that was carried out, through any connection to the same place. */
  async newestHere({ origin }: DeploymentLocation, kind: string, id: string): Promise<Change | undefined> {
    const [row] = await this.#database.rows(
      `SELECT * FROM changes WHERE origin = ? AND kind = ? AND record_id = ? AND outcome = 'done' AND cause <> 'outside'
        ORDER BY seq DESC LIMIT 1`,
      [origin, kind, id],
    )
    return this.#stored.ifReadable(row, changeOf)
  }

  async wasListed(deployment: string, kind: string): Promise<boolean> {
    const rows = await this.#database.rows('SELECT 1 FROM lists WHERE deployment = ? AND kind = ?', [deployment, kind])
    return rows.length > 0
  }

  noteListed(deployment: string, kind: string): Statement {
    return {
      sql: 'INSERT INTO lists (deployment, kind) VALUES (?, ?) ON CONFLICT DO NOTHING',
      args: [deployment, kind],
    }
  }

  /** The newest change of a record whose result is not known yet. */
  async incomplete(deployment: string, kind: string, id: string): Promise<Change | undefined> {
    const [row] = await this.#database.rows(
      `SELECT * FROM changes WHERE deployment = ? AND kind = ? AND record_id = ? ORDER BY seq DESC LIMIT 1`,
      [deployment, kind, id],
    )
    const change = this.#stored.ifReadable(row, changeOf)
    const isOpen = change && change.after === undefined && change.action !== 'deleted'
    return isOpen && (change.outcome === 'done' || change.outcome === 'unknown') ? change : undefined
  }

  /**
   * The newest creation by this name whose record is not known, unless it is older than a time. The time is no condition of the
   * query: the database would look through everything since then, for each of thousands of new records.
   */
  async incompleteCreation(deployment: string, kind: string, name: string, since: string): Promise<number | undefined> {
    const [row] = await this.#database.rows(
      `SELECT seq, at FROM changes WHERE deployment = ? AND kind = ? AND record_id IS NULL AND name = ?
        AND action = 'created' AND outcome IN ('done', 'unknown') ORDER BY seq DESC LIMIT 1`,
      [deployment, kind, name],
    )
    return row && String(row['at']) >= since ? Number(row['seq']) : undefined
  }

  /** Whether there are newer changes of a record, beside refused ones. */
  async hasNewer({ deployment, kind, recordId, seq }: PendingChange): Promise<boolean> {
    const rows = await this.#database.rows(
      `SELECT 1 FROM changes WHERE deployment = ? AND kind = ? AND record_id = ? AND seq > ? AND outcome <> 'refused'
        LIMIT 1`,
      [deployment, kind, recordId, seq],
    )
    return rows.length > 0
  }

  /** The change with this number; undefined if it is damaged or no longer kept. */
  async find(seq: number): Promise<Change | undefined> {
    const [row] = await this.#database.rows('SELECT * FROM changes WHERE seq = ?', [seq])
    return this.#stored.ifReadable(row, changeOf)
  }

  /** The changes of these numbers that exist, without damaged ones. */
  async several(seqs: readonly number[]): Promise<Change[]> {
    if (seqs.length === 0) return []
    const rows = await this.#database.rows(`SELECT * FROM changes WHERE seq IN (${seqs.map(() => '?').join(', ')})`, [
      ...seqs,
    ])
    return this.#stored.each(rows, changeOf)
  }

  /** The newest first, without damaged ones. */
  list(deployment: string, query: z.output<typeof changesQuery>): Promise<Change[]> {
    const { kind, recordId, cause, outcome, made, actor, run, from, to, before, limit } = query
    const conditions: [string, string | number | undefined][] = [
      ['kind = ?', kind],
      ['record_id = ?', recordId],
      ['cause = ?', cause],
      ['outcome = ?', outcome],
      ['actor = ?', actor],
      ['run = ?', run],
      ['at >= ?', from],
      ['at < ?', to],
      ['seq < ?', before],
    ]
    const used = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
    const tried = made === undefined ? [] : ["outcome NOT IN ('refused', 'pending')"]
    const sql = `SELECT * FROM changes WHERE ${['deployment = ?', ...used.map(({ sql }) => sql), ...tried].join(' AND ')}
      ORDER BY seq DESC LIMIT ? OFFSET ?`
    const args = [deployment, ...used.map(({ value }) => value)]
    return this.#stored.page(limit, (wanted, offset) => this.#database.rows(sql, [...args, wanted, offset]), changeOf)
  }

  async actors(deployment: string): Promise<string[]> {
    const rows = await this.#database.rows(
      'SELECT DISTINCT actor FROM changes WHERE deployment = ? AND actor IS NOT NULL ORDER BY actor LIMIT 100',
      [deployment],
    )
    return rows.map((row) => String(row['actor']))
  }

  /** Changes per hour. */
  async strip(deployment: string, from: string, to: string) {
    const rows = await this.#database.rows(
      `SELECT substr(at, 1, 13) AS hour, count(*) FILTER (WHERE cause <> 'outside') AS here,
          count(*) FILTER (WHERE cause = 'outside') AS outside
        FROM changes WHERE deployment = ? AND at >= ? AND at < ? GROUP BY 1 ORDER BY 1`,
      [deployment, from, to],
    )
    return rows.map((row) => ({
      hour: `${String(row['hour'])}:00:00.000Z`,
      here: Number(row['here']),
      outside: Number(row['outside']),
    }))
  }

  /**
   * Takes over the pending changes of consoles that have ended, to complete them. @returns them, the oldest first, without
   * damaged ones, whose outcome stays unknown
   */
  async takeOver(): Promise<PendingChange[]> {
    const left = `outcome = 'pending' AND ${ownerHasEnded}`
    // Most of the time there are none, and reading does not wait for writes.
    if ((await this.#database.rows(`SELECT 1 FROM changes WHERE ${left} LIMIT 1`)).length === 0) return []
    const rows = await this.#own.returned(
      `UPDATE changes SET owner = ? WHERE ${left}
        RETURNING seq, deployment, origin, connection_id, kind, record_id, name, before, reason, pending`,
      [this.#own.owner],
    )
    const taken = this.#stored.each(rows, (row) => {
      const { connection_id: connectionId, record_id: recordId, pending: bytes, ...rest } = pendingRow.parse(row)
      return { ...rest, connectionId, recordId, bytes: new Uint8Array(bytes) }
    })
    return taken.toSorted((a, b) => a.seq - b.seq)
  }
}

function changeOf(row: Row): Change {
  const { seq, connection_id, record_id, request_id, method, path, ...rest } = changeRow.parse(row)
  const present = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  return {
    ...(present as Omit<typeof rest, 'actor'> & Pick<Change, 'actor'>), // null columns are left out
    id: seq,
    recordId: record_id,
    connectionId: connection_id,
    ...(request_id !== null && { requestId: request_id }),
    ...(method !== null && path !== null && { request: { method, path } }),
  } as Change // every field was checked by `changeRow`
}
