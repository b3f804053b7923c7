/** The history of change requests: their events with comments, and the outcome of each of their changes. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  changeRequestEvents,
  type ChangeRequestEvent,
  type ChangeRequestEventKind,
  type RequestedOutcome,
} from '#contract/console/changeRequests.ts'
import type { Row, Statements } from '#node/database/statements.ts'
import type { OwnWrites } from '../../cluster/ownWrites.ts'
import { StoredRows } from '../../database/storedRows.ts'

const text = z.string().nullable()
const eventRow = z.object({ kind: z.enum(changeRequestEvents), at: z.string(), actor: text, body: text })
const outcomeRow = z.object({
  change_key: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'skipped', 'unknown']),
  reason: text,
})

interface EventFacts {
  actor?: string
  text?: string
  /** Default: now. */
  at?: string | undefined
}

/** Stores and lists the events of requests. Their order is kept even within a millisecond. */
export class RequestEvents {
  #counter = 0
  readonly #stored: StoredRows
  readonly #own: OwnWrites
  readonly #now: () => number

  constructor(own: OwnWrites, now: () => number) {
    this.#own = own
    this.#now = now
    this.#stored = new StoredRows(own, 'change_request_events')
  }

  async add(requestId: string, kind: ChangeRequestEventKind, facts: EventFacts = {}): Promise<void> {
    await this.#own.transact((transaction) => this.addIn(transaction, requestId, kind, facts))
  }

  /** Stores an event in the transaction of the change that it describes. */
  async addIn(
    { run }: Statements,
    requestId: string,
    kind: ChangeRequestEventKind,
    { actor, text: body, at = new Date(this.#now()).toISOString() }: EventFacts = {},
  ): Promise<void> {
    await run('INSERT INTO change_request_events (id, request_id, kind, at, actor, body) VALUES (?, ?, ?, ?, ?, ?)', [
      this.#nextId(),
      requestId,
      kind,
      at,
      actor ?? null,
      body ?? null,
    ])
  }

  async of(requestId: string): Promise<ChangeRequestEvent[]> {
    const rows = await this.#own.rows(
      'SELECT id, kind, at, actor, body FROM change_request_events WHERE request_id = ? ORDER BY at, id',
      [requestId],
    )
    return this.#stored.each(rows, (row) => {
      const { kind, at, actor, body } = eventRow.parse(row)
      return { kind, at, ...(actor !== null && { actor }), ...(body !== null && { text: body }) }
    })
  }

  #nextId(): string {
    this.#counter += 1
    return `${String(this.#counter).padStart(12, '0')}${randomBytes(6).toString('hex')}`
  }
}

export class RequestOutcomes {
  readonly #stored: StoredRows
  readonly #own: OwnWrites

  constructor(own: OwnWrites) {
    this.#own = own
    this.#stored = new StoredRows(own, 'change_request_outcomes')
  }

  async set(requestId: string, key: string, state: RequestedOutcome['state'], reason?: string): Promise<void> {
    await this.#own.write({
      sql: `INSERT INTO change_request_outcomes (request_id, change_key, state, reason) VALUES (?, ?, ?, ?)
        ON CONFLICT (request_id, change_key) DO UPDATE SET state = excluded.state, reason = excluded.reason`,
      args: [requestId, key, state, reason ?? null],
    })
  }

  /** The outcomes of a request. A damaged one counts as unknown: its change may have been sent, and is not sent again. */
  async of(requestId: string): Promise<RequestedOutcome[]> {
    const sql = 'SELECT request_id, change_key, state, reason FROM change_request_outcomes WHERE request_id = ?'
    return (await this.#own.rows(sql, [requestId])).map(
      (row) => this.#stored.ifReadable(row, outcomeOf) ?? damagedOutcome(String(row['change_key'])),
    )
  }
}

function outcomeOf(row: Row): RequestedOutcome {
  const { change_key: key, state, reason } = outcomeRow.parse(row)
  return { key, state, ...(reason !== null && { reason }) }
}

function damagedOutcome(key: string): RequestedOutcome {
  return { key, state: 'unknown', reason: 'The outcome is damaged and cannot be read. Check the record.' }
}
