/** Change requests in the database. Every change of a state names the state that it starts from, so that of two only one happens. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  changeRequestEvents,
  changeRequestStates,
  type ChangeRequestEvent,
  type ChangeRequestEventKind,
  type ChangeRequestState,
  type RequestedOutcome,
  type RequestedPlan,
} from '#contract/changeRequests.ts'
import type { Need } from '#contract/consoleRoles.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { PlanStep } from '#domain/records/plan.ts'
import type { Statements } from '#node/database/statements.ts'
import { type OwnWrites, ownerHasEnded } from '../consoles/ownWrites.ts'
import type { Database, Row, Statement } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import { openText, sealText } from '../approvals/sealedText.ts'
import type { HeldRun } from '../approvals/holder.ts'

/** A write of the contract that waits. */
export interface HeldWrite {
  /** Names the write within its request. */
  key: string
  resource: string
  verb: string
  params: Record<string, string>
  query?: string | undefined
  /** JSON text, as it will be sent. */
  body?: string | undefined
  name: string
  /** The record when the write was asked for; undefined if it changes none. */
  asked?: unknown
}

/** What waits for approval. `deployment`: `Place.deployment` of what it was planned for. */
export type Content =
  | { kind: 'writes'; deployment: string; writes: HeldWrite[] }
  | { kind: 'run'; deployment: string; run: HeldRun['kind']; steps: readonly PlanStep[]; details: HeldRun['details'] }
  /** The end of four eyes on the connection. */
  | { kind: 'setting' }

type Origin = 'writes' | HeldRun['kind'] | 'setting'

export type RequestNeed = Extract<Need, 'write' | 'administrate'>

export interface StoredRequest {
  id: string
  number: number
  connectionId: string
  state: ChangeRequestState
  origin: Origin
  title: string
  reason: string
  requesterId: string
  requester: string
  /** `Access.by` of the requester. */
  requesterBy: string
  /** What approving it needs on the connection. */
  need: RequestNeed
  changes: number
  openedAt: string
  expiresAt: string
  decidedAt: string | undefined
  decidedBy: string | undefined
  deciderId: string | undefined
  runId: string | undefined
  /** Of the plan that was last shown. */
  digest: string | undefined
  /** Counts the changes of its content. */
  revision: number
}

export type NewRequest = Pick<
  StoredRequest,
  'connectionId' | 'title' | 'reason' | 'requesterId' | 'requester' | 'requesterBy' | 'need' | 'expiresAt'
> & { content: Content }

const columns = `id, number, connection_id, state, origin, title, reason, requester_id, requester, requester_by, need, changes,
  opened_at, expires_at, decided_at, decided_by, decider_id, run_id, digest, revision`
const text = z.string().nullable()
const requestRow = z.object({
  id: z.string(),
  number: z.coerce.number(),
  connection_id: z.string(),
  state: z.enum(changeRequestStates),
  origin: z.enum(['writes', 'promotion', 'restore', 'undo', 'fileImport', 'setting']),
  title: z.string(),
  reason: z.string(),
  requester_id: z.string(),
  requester: z.string(),
  requester_by: z.string(),
  need: z.enum(['write', 'administrate']),
  changes: z.coerce.number(),
  opened_at: z.string(),
  expires_at: z.string(),
  decided_at: text,
  decided_by: text,
  decider_id: text,
  run_id: text,
  digest: text,
  revision: z.coerce.number(),
})
const eventRow = z.object({ kind: z.enum(changeRequestEvents), at: z.string(), actor: text, body: text })
const outcomeRow = z.object({
  change_key: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'skipped', 'unknown']),
  reason: text,
})

/** Requests that are kept, with their comments. */
const maxKept = 5_000

interface EventFacts {
  actor?: string
  text?: string
  /** Default: now. */
  at?: string | undefined
}

export interface ListFilter {
  states?: readonly ChangeRequestState[] | undefined
  connectionId?: string | undefined
  requesterId?: string | undefined
  before?: number | undefined
  limit: number
}

/** What belongs to a change of a request and is stored with it, such as its notification. */
export type Also = (request: StoredRequest, transaction: Statements) => Promise<void>

const nothing: Also = async () => {}

export class RequestStore {
  private readonly database: Database

  constructor(
    private readonly own: OwnWrites,
    private readonly sealed: SealedJson,
    private readonly now: () => number = Date.now,
  ) {
    this.database = own.database
  }

  /** Opens a request. */
  async create(given: NewRequest, also = nothing): Promise<StoredRequest> {
    const id = randomBytes(9).toString('hex')
    const at = this.iso()
    const { content, requester: actor, reason } = given
    return this.own.transact(async (transaction) => {
      const [row] = await transaction.rows(
        `INSERT INTO change_requests (id, number, connection_id, state, origin, title, reason, requester_id, requester,
            requester_by, need, changes, opened_at, expires_at, revision, sealed)
          VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM change_requests), ?, 'waiting', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)
          RETURNING ${columns}`,
        [
          id,
          given.connectionId,
          content.kind === 'run' ? content.run : content.kind,
          given.title,
          reason,
          given.requesterId,
          given.requester,
          given.requesterBy,
          given.need,
          changesIn(content),
          at,
          given.expiresAt,
          sealText(this.sealed, contextOf(id), content),
        ],
      )
      const request = requestOf(row!) // the row of the insertion
      await carryOut(transaction, this.event(id, 'opened', { actor, at, ...(reason !== '' && { text: reason }) }))
      await also(request, transaction)
      await transaction.run(
        `DELETE FROM change_requests WHERE state NOT IN ('waiting', 'carryingOut')
          AND number <= (SELECT max(number) FROM change_requests) - ?`,
        [maxKept],
      )
      return request
    })
  }

  async get(id: string): Promise<StoredRequest | undefined> {
    const [row] = await this.database.rows(`SELECT ${columns} FROM change_requests WHERE id = ?`, [id])
    return row && requestOf(row)
  }

  /** @throws conflict for a request that ended meanwhile: what it sends is forgotten then */
  async content({ id }: StoredRequest): Promise<Content> {
    const [row] = await this.database.rows('SELECT sealed FROM change_requests WHERE id = ?', [id])
    const sealed = String(row?.['sealed'] ?? '')
    if (sealed === '') throw failure('conflict', 'The change request was decided meanwhile. Reload it.')
    // What this class sealed itself.
    return openText(this.sealed, contextOf(id), sealed) as Content
  }

  /** The newest first. */
  async list({ states, connectionId, requesterId, before, limit }: ListFilter): Promise<StoredRequest[]> {
    const parts: [string, ...(string | number)[]][] = [['1 = 1']]
    if (states) parts.push([`state IN (${states.map(() => '?').join(', ')})`, ...states])
    if (connectionId !== undefined) parts.push(['connection_id = ?', connectionId])
    if (requesterId !== undefined) parts.push(['requester_id = ?', requesterId])
    if (before !== undefined) parts.push(['number < ?', before])
    const rows = await this.database.rows(
      `SELECT ${columns} FROM change_requests WHERE ${parts.map(([sql]) => sql).join(' AND ')} ORDER BY number DESC LIMIT ?`,
      [...parts.flatMap(([, ...args]) => args), limit],
    )
    return rows.map(requestOf)
  }

  /** The number of requests that wait, by connection. */
  async waiting(): Promise<Map<string, number>> {
    const rows = await this.database.rows(
      "SELECT connection_id, count(*) AS n FROM change_requests WHERE state = 'waiting' AND expires_at > ? GROUP BY connection_id",
      [this.iso()],
    )
    return new Map(rows.map((row) => [String(row['connection_id']), Number(row['n'])]))
  }

  /** Replaces the content of a request that waits. @returns whether it was still the one that was read */
  async setContent({ id, revision }: StoredRequest, content: Content, need: RequestNeed): Promise<boolean> {
    const sql = `UPDATE change_requests SET sealed = ?, changes = ?, need = ?, digest = NULL, revision = revision + 1
      WHERE id = ? AND revision = ? AND state = 'waiting' RETURNING id`
    const args = [sealText(this.sealed, contextOf(id), content), changesIn(content), need, id, revision]
    return (await this.database.rows(sql, args)).length > 0
  }

  /** Of all processes that see another plan than the last one, only one gets true. */
  async noteDigest({ id, digest }: StoredRequest, seen: string): Promise<boolean> {
    const sql = `UPDATE change_requests SET digest = ? WHERE id = ? AND coalesce(digest, '') = ? AND state = 'waiting' RETURNING id`
    return (await this.database.rows(sql, [seen, id, digest ?? ''])).length > 0
  }

  /**
   * Approves a request that waits, with the plan that was approved.
   * @returns whether it happened: not if somebody else was first, or something was added since
   */
  async approve(
    { id, revision }: StoredRequest,
    by: { actor: string; personId: string },
    plan: RequestedPlan,
    runId: string | null,
  ): Promise<boolean> {
    const at = this.iso()
    const rows = await this.own.returned(
      `UPDATE change_requests SET state = 'carryingOut', decided_at = ?, decided_by = ?, decider_id = ?, run_id = ?, owner = ?,
          approved = ?, digest = ? WHERE id = ? AND revision = ? AND state = 'waiting' AND expires_at > ? RETURNING id`,
      [
        at,
        by.actor,
        by.personId,
        runId,
        this.own.owner,
        sealText(this.sealed, approvedContext(id), plan),
        plan.digest,
        id,
        revision,
        at,
      ],
    )
    return rows.length > 0
  }

  /** That it was approved, once: at its own time, because a short change is carried out before. */
  async noteApproved(request: StoredRequest, also: Also): Promise<void> {
    const { id, decidedBy: actor = '', decidedAt: at } = request
    await this.own.transact(async (transaction) => {
      const known = "SELECT 1 FROM change_request_events WHERE request_id = ? AND kind = 'approved' AND at = ?"
      if ((await transaction.rows(known, [id, at ?? ''])).length > 0) return
      await carryOut(transaction, this.event(id, 'approved', { actor, at }))
      await also(request, transaction)
    })
  }

  /**
   * Makes a request that is being carried out one of this console, if its console has ended. Of several consoles, one
   * gets true.
   */
  async takeOver(id: string): Promise<boolean> {
    const left = `id = ? AND state = 'carryingOut' AND ${ownerHasEnded}`
    if ((await this.database.rows(`SELECT 1 FROM change_requests WHERE ${left}`, [id])).length === 0) return false
    const sql = `UPDATE change_requests SET owner = ? WHERE ${left} RETURNING id`
    return (await this.own.returned(sql, [this.own.owner, id])).length > 0
  }

  /** An approval that could not be followed by anything: the request waits again. */
  async takeBack(id: string): Promise<boolean> {
    const sql = `UPDATE change_requests SET state = 'waiting', decided_at = NULL, decided_by = NULL, decider_id = NULL, run_id = NULL,
      approved = NULL, owner = NULL WHERE id = ? AND state = 'carryingOut' RETURNING id`
    return (await this.own.returned(sql, [id])).length > 0
  }

  /** Ends a request that waits. @returns whether it happened: not if somebody else was first */
  async end(
    id: string,
    state: 'declined' | 'withdrawn',
    { actor, personId, text }: { actor: string; personId: string | null; text?: string | undefined },
    also = nothing,
  ): Promise<boolean> {
    const sql = `UPDATE change_requests SET state = ?, decided_at = ?, decided_by = ?, decider_id = ?, sealed = ''
      WHERE id = ? AND state = 'waiting' AND expires_at > ? RETURNING ${columns}`
    const at = this.iso()
    return this.own.transact(async (transaction) => {
      const [row] = await transaction.rows(sql, [state, at, actor, personId, id, at])
      if (!row) return false
      await carryOut(transaction, this.event(id, state, { actor, ...(text !== undefined && { text }) }))
      await also(requestOf(row), transaction)
      return true
    })
  }

  /** Ends the requests whose time is over, each of them once, whoever asks. */
  async expire(also: Also): Promise<void> {
    const at = this.iso()
    const isOver = "state = 'waiting' AND expires_at <= ?"
    if ((await this.database.rows(`SELECT 1 FROM change_requests WHERE ${isOver} LIMIT 1`, [at])).length === 0) return
    const sql = `UPDATE change_requests SET state = 'expired', decided_at = expires_at, sealed = ''
      WHERE ${isOver} RETURNING ${columns}`
    await this.own.transact(async (transaction) => {
      for (const row of await transaction.rows(sql, [at])) {
        const request = requestOf(row)
        await carryOut(transaction, this.event(request.id, 'expired', {}))
        await also(request, transaction)
      }
    })
  }

  /** @returns whether it happened: not if somebody else was first. An end is one of its events. */
  async setState(id: string, from: ChangeRequestState, to: ChangeRequestState, also = nothing): Promise<boolean> {
    // What it sends is kept no longer than it is needed: it may contain secrets.
    const forgets = to === 'carryingOut' ? '' : ", sealed = ''"
    const sql = `UPDATE change_requests SET state = ?${forgets} WHERE id = ? AND state = ? RETURNING ${columns}`
    return this.own.transact(async (transaction) => {
      const [row] = await transaction.rows(sql, [to, id, from])
      if (!row) return false
      await also(requestOf(row), transaction)
      if (to === 'carriedOut' || to === 'carriedOutWithFailures') await carryOut(transaction, this.event(id, to, {}))
      return true
    })
  }

  /** The plan that was approved. */
  async approved({ id }: StoredRequest): Promise<RequestedPlan | undefined> {
    const [row] = await this.database.rows('SELECT approved FROM change_requests WHERE id = ?', [id])
    const sealed = row?.['approved']
    // What `approve` sealed.
    return typeof sealed === 'string'
      ? (openText(this.sealed, approvedContext(id), sealed) as RequestedPlan)
      : undefined
  }

  async addEvent(requestId: string, kind: ChangeRequestEventKind, more: EventFacts = {}) {
    await this.database.write(this.event(requestId, kind, more))
  }

  async events(requestId: string): Promise<ChangeRequestEvent[]> {
    const rows = await this.database.rows(
      'SELECT kind, at, actor, body FROM change_request_events WHERE request_id = ? ORDER BY at, id',
      [requestId],
    )
    return rows.map((row) => {
      const { kind, at, actor, body } = eventRow.parse(row)
      return { kind, at, ...(actor !== null && { actor }), ...(body !== null && { text: body }) }
    })
  }

  async setOutcome(requestId: string, key: string, state: RequestedOutcome['state'], reason?: string): Promise<void> {
    await this.own.write({
      sql: `INSERT INTO change_request_outcomes (request_id, change_key, state, reason) VALUES (?, ?, ?, ?)
        ON CONFLICT (request_id, change_key) DO UPDATE SET state = excluded.state, reason = excluded.reason`,
      args: [requestId, key, state, reason ?? null],
    })
  }

  async outcomes(requestId: string): Promise<RequestedOutcome[]> {
    const sql = 'SELECT change_key, state, reason FROM change_request_outcomes WHERE request_id = ?'
    return (await this.database.rows(sql, [requestId])).map((row) => {
      const { change_key: key, state, reason } = outcomeRow.parse(row)
      return { key, state, ...(reason !== null && { reason }) }
    })
  }

  private event(
    requestId: string,
    kind: ChangeRequestEventKind,
    { actor, text: body, at = this.iso() }: EventFacts,
  ): Statement {
    return {
      sql: 'INSERT INTO change_request_events (id, request_id, kind, at, actor, body) VALUES (?, ?, ?, ?, ?, ?)',
      // In the order in which they happen, also within a millisecond.
      args: [eventId(), requestId, kind, at, actor ?? null, body ?? null],
    }
  }

  private iso(): string {
    return new Date(this.now()).toISOString()
  }
}

async function carryOut({ run }: Statements, { sql, args }: Statement): Promise<void> {
  await run(sql, args)
}

let counter = 0
function eventId(): string {
  counter += 1
  return `${String(counter).padStart(12, '0')}${randomBytes(6).toString('hex')}`
}

function changesIn(content: Content): number {
  if (content.kind === 'setting') return 1
  return content.kind === 'writes' ? content.writes.length : content.steps.length
}

function contextOf(id: string): string {
  return `change request ${id}`
}

function approvedContext(id: string): string {
  return `approved plan ${id}`
}

function requestOf(row: Row): StoredRequest {
  const one = requestRow.parse(row)
  return {
    id: one.id,
    number: one.number,
    connectionId: one.connection_id,
    state: one.state,
    origin: one.origin,
    title: one.title,
    reason: one.reason,
    requesterId: one.requester_id,
    requester: one.requester,
    requesterBy: one.requester_by,
    need: one.need,
    changes: one.changes,
    openedAt: one.opened_at,
    expiresAt: one.expires_at,
    decidedAt: one.decided_at ?? undefined,
    decidedBy: one.decided_by ?? undefined,
    deciderId: one.decider_id ?? undefined,
    runId: one.run_id ?? undefined,
    digest: one.digest ?? undefined,
    revision: one.revision,
  }
}
