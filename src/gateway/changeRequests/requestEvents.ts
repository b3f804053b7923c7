/** What happened to change requests: their events with comments, and the outcome of each of their changes. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  changeRequestEvents,
  type ChangeRequestEvent,
  type ChangeRequestEventKind,
  type RequestedOutcome,
} from '#contract/changeRequests.ts'
import type { Statements } from '#node/database/statements.ts'
import type { OwnWrites } from '../consoles/ownWrites.ts'

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

/** In the order in which they happen, also within a millisecond. */
export class RequestEvents {
  private counter = 0

  constructor(
    private readonly own: OwnWrites,
    private readonly now: () => number,
  ) {}

  async add(requestId: string, kind: ChangeRequestEventKind, facts: EventFacts = {}): Promise<void> {
    await this.own.transact((transaction) => this.addIn(transaction, requestId, kind, facts))
  }

  /** Within the transaction of what happens. */
  async addIn(
    { run }: Statements,
    requestId: string,
    kind: ChangeRequestEventKind,
    { actor, text: body, at = new Date(this.now()).toISOString() }: EventFacts = {},
  ): Promise<void> {
    await run('INSERT INTO change_request_events (id, request_id, kind, at, actor, body) VALUES (?, ?, ?, ?, ?, ?)', [
      this.nextId(),
      requestId,
      kind,
      at,
      actor ?? null,
      body ?? null,
    ])
  }

  async of(requestId: string): Promise<ChangeRequestEvent[]> {
    const rows = await this.own.rows(
      'SELECT kind, at, actor, body FROM change_request_events WHERE request_id = ? ORDER BY at, id',
      [requestId],
    )
    return rows.map((row) => {
      const { kind, at, actor, body } = eventRow.parse(row)
      return { kind, at, ...(actor !== null && { actor }), ...(body !== null && { text: body }) }
    })
  }

  private nextId(): string {
    this.counter += 1
    return `${String(this.counter).padStart(12, '0')}${randomBytes(6).toString('hex')}`
  }
}

export class RequestOutcomes {
  constructor(private readonly own: OwnWrites) {}

  async set(requestId: string, key: string, state: RequestedOutcome['state'], reason?: string): Promise<void> {
    await this.own.write({
      sql: `INSERT INTO change_request_outcomes (request_id, change_key, state, reason) VALUES (?, ?, ?, ?)
        ON CONFLICT (request_id, change_key) DO UPDATE SET state = excluded.state, reason = excluded.reason`,
      args: [requestId, key, state, reason ?? null],
    })
  }

  async of(requestId: string): Promise<RequestedOutcome[]> {
    const sql = 'SELECT change_key, state, reason FROM change_request_outcomes WHERE request_id = ?'
    return (await this.own.rows(sql, [requestId])).map((row) => {
      const { change_key: key, state, reason } = outcomeRow.parse(row)
      return { key, state, ...(reason !== null && { reason }) }
    })
  }
}
