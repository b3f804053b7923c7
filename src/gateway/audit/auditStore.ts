/** The entries of the audit log. They are only added, each on the disk before what it announces is done. */
import { z } from 'zod'
import {
  auditFacts,
  auditMarks,
  auditOutcomes,
  type AuditEntry,
  type AuditFacts,
  type auditQuery,
  type AuditVerification,
} from '#contract/console/audit.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import type { Statements } from '#node/database/statements.ts'
import { TimeSlice } from '#node/concurrency/timeSlices.ts'
import type { Database, Row, Statement } from '../database/database.ts'
import { StoredRows } from '../database/storedRows.ts'
import { ChainCheck, hashOf, origin } from './auditChain.ts'

/** `personId` is null without an account, and then absent from what is stored and hashed. */
export type NewAuditEntry = Omit<AuditFacts, 'seq' | 'at' | 'previous' | 'personId'> & { personId: string | null }

const number = z.coerce.number()
const text = z.string().nullable()
const auditRow = z.object({
  seq: number,
  at: z.string(),
  actor: z.string(),
  address: text,
  event: z.string(),
  connection_id: text,
  subject: text,
  outcome: z.enum(auditOutcomes),
  status: number.nullable(),
  reason: text,
  request: z.string(),
  begun: number.nullable(),
  changes: z.string(),
  previous: z.string(),
  hash: z.string(),
  mark: z.enum(auditMarks).nullable(),
  person_id: text,
})

interface Waiting {
  entry: NewAuditEntry
  stored: (seq: number) => void
  failed: (error: unknown) => void
}

/** Rows of one query. */
const batch = 500

export class AuditStore {
  #waiting: Waiting[] = []
  #working: Promise<void> | null = null
  readonly #stored: StoredRows
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
    this.#stored = new StoredRows(database, 'audit')
  }

  /** Adds an entry. @returns its number, once it is on the disk @throws notStored if the disk is full */
  append(entry: NewAuditEntry): Promise<number> {
    return new Promise((stored, failed) => {
      this.#waiting.push({ entry, stored, failed })
      this.#working ??= this.#work()
    })
  }

  /** Returns once all entries so far are on the disk. */
  async settled(): Promise<void> {
    while (this.#working) await this.#working
  }

  /** The newest first, without the beginnings of actions whose outcome is known. Damaged entries are among them. */
  async list(query: z.output<typeof auditQuery>): Promise<AuditEntry[]> {
    const { where, args } = conditions(query)
    const rows = await this.#database.rows(
      `SELECT * FROM audit WHERE ${where}
        AND (outcome <> 'begun' OR NOT EXISTS (SELECT 1 FROM audit AS later WHERE later.begun = audit.seq))
        ORDER BY seq DESC LIMIT ?`,
      [...args, query.limit],
    )
    return rows.map((row) => this.#entryIn(row))
  }

  /** The resources that entries are about. */
  async areas(): Promise<string[]> {
    const rows = await this.#database.rows('SELECT DISTINCT event FROM audit')
    return [...new Set(rows.map(({ event }) => String(event).split('.')[0] ?? ''))].toSorted()
  }

  /** All entries that match, the oldest first, as they are hashed. */
  async *entries(query: z.output<typeof auditQuery>): AsyncGenerator<AuditEntry> {
    const { where, args } = conditions(query)
    for (let after = 0; ;) {
      const rows = await this.#database.rows(
        `SELECT * FROM audit WHERE ${where} AND seq > ? ORDER BY seq LIMIT ${batch}`,
        [...args, after],
      )
      yield* rows.map((row) => this.#entryIn(row))
      if (rows.length < batch) return
      after = Number(rows.at(-1)?.['seq'])
    }
  }

  /** Checks the whole chain. */
  async verify(): Promise<AuditVerification> {
    const check = new ChainCheck()
    const slice = new TimeSlice()
    for await (const entry of this.entries({ limit: batch })) {
      check.add(entry)
      if (check.isBroken) break
      if (slice.isOver()) await slice.next()
    }
    return check.result()
  }

  /** A damaged entry says that it is one: none is left out. */
  #entryIn(row: Row): AuditEntry {
    return this.#stored.ifReadable(row, entryOf) ?? damagedEntry(row)
  }

  async #work(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const taken = this.#waiting
        this.#waiting = []
        try {
          const entries = taken.map(({ entry }) => entry)
          const first = await this.#database.transact((transaction) => this.appendIn(transaction, entries))
          for (const [at, { stored }] of taken.entries()) stored(first + at)
        } catch (error) {
          for (const { failed } of taken) failed(error)
        }
      }
    } finally {
      this.#working = null
    }
  }

  /** Adds entries after the newest one. Other processes add theirs before or after. @returns the number of the first */
  async appendIn({ rows, run }: Statements, entries: readonly NewAuditEntry[]): Promise<number> {
    const [newest] = await rows('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1')
    const first = Number(newest?.['seq'] ?? 0) + 1
    let previous = String(newest?.['hash'] ?? origin)
    const at = currentIsoTime()
    for (const [index, { personId, ...entry }] of entries.entries()) {
      const facts = { ...entry, ...(personId !== null && { personId }), seq: first + index, at, previous }
      previous = hashOf(facts)
      const { sql, args } = insert({ ...facts, hash: previous })
      await run(sql, args)
    }
    return first
  }
}

function insert(entry: AuditEntry): Statement {
  const { seq, at, actor, address, event, connectionId, subject, outcome, status, reason, request, begun } = entry
  return {
    sql: `INSERT INTO audit (seq, at, actor, address, event, connection_id, subject, outcome, status, reason, request, begun,
        changes, previous, hash, mark, person_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [
      seq,
      at,
      actor,
      address,
      event,
      connectionId,
      subject,
      outcome,
      status,
      reason,
      request,
      begun,
      JSON.stringify(entry.changes),
      entry.previous,
      entry.hash,
      entry.mark ?? null,
      entry.personId ?? null,
    ],
  }
}

function entryOf(row: Row): AuditEntry {
  const { connection_id: connectionId, person_id: personId, changes, mark, ...rest } = auditRow.parse(row)
  return {
    ...rest,
    connectionId,
    changes: changesIn(changes),
    // As they were hashed: absent, not null.
    ...(mark !== null && { mark }),
    ...(personId !== null && { personId }),
  }
}

/** As they were hashed: what checks them must not change them. @throws for damaged ones */
function changesIn(text: string): AuditEntry['changes'] {
  const changes = JSON.parse(text)
  auditFacts.shape.changes.parse(changes)
  return changes
}

/** The parts of an unreadable entry that are still of the right type. */
function damagedEntry(row: Row): AuditEntry {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    seq: Number(row['seq']),
    at: text(row['at']),
    actor: text(row['actor']),
    address: textOrNull(row['address']),
    event: text(row['event']),
    connectionId: textOrNull(row['connection_id']),
    subject: textOrNull(row['subject']),
    outcome: 'unknown',
    status: null,
    reason: null,
    request: text(row['request']),
    begun: null,
    changes: [],
    previous: text(row['previous']),
    hash: text(row['hash']),
    damaged: true,
  }
}

function conditions(query: z.output<typeof auditQuery>): { where: string; args: (string | number)[] } {
  const { text: part, area, connectionId, outcome, mark, changeRequest, from, to, before } = query
  const parts: [string, ...(string | number)[]][] = [['1 = 1']]
  if (part !== undefined && part !== '') {
    const like = `%${part.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const columns = ['actor', 'address', 'event', 'subject', 'mark']
    parts.push([
      `(${columns.map((column) => String.raw`lower(coalesce(${column}, '')) LIKE ? ESCAPE '\'`).join(' OR ')})`,
      ...columns.map(() => like),
    ])
  }
  if (area !== undefined) parts.push(['(event = ? OR substr(event, 1, ?) = ?)', area, area.length + 1, `${area}.`])
  if (connectionId !== undefined) parts.push(['connection_id = ?', connectionId])
  if (outcome !== undefined) parts.push(['outcome = ?', outcome])
  if (mark !== undefined) parts.push(['mark = ?', mark])
  if (changeRequest !== undefined) {
    parts.push([
      `(request = ? OR (event LIKE 'changeRequest.%' AND subject LIKE ?) OR (outcome = 'requested' AND reason LIKE ?))`,
      `request ${changeRequest}`,
      `${changeRequest} %`,
      `Sent for approval as change request ${changeRequest}.%`,
    ])
  }
  if (from !== undefined) parts.push(['at >= ?', from])
  if (to !== undefined) parts.push(['at <= ?', to])
  if (before !== undefined) parts.push(['seq < ?', before])
  return { where: parts.map(([sql]) => sql).join(' AND '), args: parts.flatMap(([, ...args]) => args) }
}
