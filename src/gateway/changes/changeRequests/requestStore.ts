/** Change requests in the database. Every change of a state names the state that it starts from, so that of two only one happens. */
import { randomBytes } from 'node:crypto'
import type { ChangeRequestState, RequestedPlan } from '#contract/console/changeRequests.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { openText, sealText, type SealedJson } from '../../database/sealedJson.ts'
import type { Statements } from '#node/database/statements.ts'
import { ownerHasEnded, type OwnWrites } from '../../cluster/ownWrites.ts'
import { StoredRows } from '../../database/storedRows.ts'
import { RequestEvents, RequestOutcomes } from './requestEvents.ts'
import {
  changesIn,
  requestColumns,
  requestOf,
  type Content,
  type NewRequest,
  type RequestNeed,
  type StoredRequest,
} from './storedRequest.ts'

/** Requests that are kept, with their comments. */
const maxKept = 5_000

export interface ListFilter {
  states?: readonly ChangeRequestState[] | undefined
  connectionId?: string | undefined
  requesterId?: string | undefined
  before?: number | undefined
  limit: number
}

/** Data stored together with a change of a request, such as its notification. */
type Also = (request: StoredRequest, transaction: Statements) => Promise<void>

const nothing: Also = async () => {}

export class RequestStore {
  readonly events: RequestEvents
  readonly outcomes: RequestOutcomes
  readonly #stored: StoredRows
  readonly #contents: StoredRows
  readonly #plans: StoredRows
  readonly #own: OwnWrites
  readonly #sealed: SealedJson
  readonly #now: () => number

  constructor(own: OwnWrites, sealed: SealedJson, now: () => number = currentTime) {
    this.#own = own
    this.#sealed = sealed
    this.#now = now
    this.#stored = new StoredRows(own, 'change_requests')
    this.#contents = new StoredRows(own, 'change_requests', 'content')
    this.#plans = new StoredRows(own, 'change_requests', 'approved plan')
    this.events = new RequestEvents(own, now)
    this.outcomes = new RequestOutcomes(own)
  }

  /** The connection of a request; undefined for one that does not exist. */
  async placeOf(id: string): Promise<string | undefined> {
    return (await this.get(id))?.connectionId
  }

  /** Opens a request. */
  create(newRequest: NewRequest, also: Also): Promise<StoredRequest> {
    const id = randomBytes(9).toString('hex')
    const at = this.#iso()
    const { content, requester: actor, reason } = newRequest
    return this.#own.transact(async (transaction) => {
      const [row] = await transaction.rows(
        `INSERT INTO change_requests (id, number, connection_id, state, origin, title, reason, requester_id, requester,
            requester_by, need, changes, opened_at, expires_at, revision, sealed, agent)
          VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM change_requests), ?, 'waiting', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
          RETURNING ${requestColumns}`,
        [
          id,
          newRequest.connectionId,
          content.kind === 'run' ? content.run : content.kind,
          newRequest.title,
          reason,
          newRequest.requesterId,
          actor,
          newRequest.requesterBy,
          newRequest.need,
          changesIn(content),
          at,
          newRequest.expiresAt,
          sealText(this.#sealed, contextOf(id), content),
          newRequest.agent ?? null,
        ],
      )
      const request = requestOf(row!) // of the insertion
      await this.events.addIn(transaction, id, 'opened', { actor, at, ...(reason !== '' && { text: reason }) })
      await also(request, transaction)
      // Requests that were decided long ago.
      await transaction.run(
        `DELETE FROM change_requests WHERE state NOT IN ('waiting', 'carryingOut')
          AND number <= (SELECT max(number) FROM change_requests) - ?`,
        [maxKept],
      )
      return request
    })
  }

  /** @throws DamagedRow */
  async get(id: string): Promise<StoredRequest | undefined> {
    const [row] = await this.#own.rows(`SELECT ${requestColumns} FROM change_requests WHERE id = ?`, [id])
    return row && this.#stored.one(row, requestOf)
  }

  /** @throws conflict for a request that ended meanwhile: what it sends is forgotten then; DamagedRow */
  async content({ id }: StoredRequest): Promise<Content> {
    const [row] = await this.#own.rows('SELECT id, sealed FROM change_requests WHERE id = ?', [id])
    const sealed = String(row?.['sealed'] ?? '')
    if (!row || sealed === '') throw failure('conflict', 'The change request was decided meanwhile. Reload it.')
    // Sealed by this class.
    return this.#contents.one(row, () => openText(this.#sealed, contextOf(id), sealed) as Content)
  }

  /** The newest first, without damaged ones. */
  list({ states, connectionId, requesterId, before, limit }: ListFilter): Promise<StoredRequest[]> {
    const parts: [string, ...(string | number)[]][] = [['1 = 1']]
    if (states) parts.push([`state IN (${states.map(() => '?').join(', ')})`, ...states])
    if (connectionId !== undefined) parts.push(['connection_id = ?', connectionId])
    if (requesterId !== undefined) parts.push(['requester_id = ?', requesterId])
    if (before !== undefined) parts.push(['number < ?', before])
    const sql = `SELECT ${requestColumns} FROM change_requests WHERE ${parts.map(([part]) => part).join(' AND ')}
      ORDER BY number DESC LIMIT ? OFFSET ?`
    const args = parts.flatMap(([, ...values]) => values)
    return this.#stored.page(limit, (wanted, offset) => this.#own.rows(sql, [...args, wanted, offset]), requestOf)
  }

  /** The number of requests that wait, by connection. */
  async waiting(): Promise<Map<string, number>> {
    const rows = await this.#own.rows(
      "SELECT connection_id, count(*) AS n FROM change_requests WHERE state = 'waiting' AND expires_at > ? GROUP BY connection_id",
      [this.#iso()],
    )
    return new Map(rows.map((row) => [String(row['connection_id']), Number(row['n'])]))
  }

  /** Replaces the content of a request that waits. @returns whether it was still the one that was read */
  async setContent({ id, revision }: StoredRequest, content: Content, need: RequestNeed): Promise<boolean> {
    const sql = `UPDATE change_requests SET sealed = ?, changes = ?, need = ?, digest = NULL, revision = revision + 1
      WHERE id = ? AND revision = ? AND state = 'waiting' RETURNING id`
    const args = [sealText(this.#sealed, contextOf(id), content), changesIn(content), need, id, revision]
    return (await this.#own.returned(sql, args)).length > 0
  }

  /** True for only one of the processes that see another plan than the last one. */
  async noteDigest({ id, digest }: StoredRequest, seen: string): Promise<boolean> {
    const sql = `UPDATE change_requests SET digest = ? WHERE id = ? AND coalesce(digest, '') = ? AND state = 'waiting' RETURNING id`
    return (await this.#own.returned(sql, [seen, id, digest ?? ''])).length > 0
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
    const at = this.#iso()
    const rows = await this.#own.returned(
      `UPDATE change_requests SET state = 'carryingOut', decided_at = ?, decided_by = ?, decider_id = ?, run_id = ?, owner = ?,
          approved = ?, digest = ? WHERE id = ? AND revision = ? AND state = 'waiting' AND expires_at > ? RETURNING id`,
      [
        at,
        by.actor,
        by.personId,
        runId,
        this.#own.owner,
        sealText(this.#sealed, approvedContext(id), plan),
        plan.digest,
        id,
        revision,
        at,
      ],
    )
    return rows.length > 0
  }

  /** Notes the approval once, at the time of the approval: a short change may be carried out before this runs. */
  async noteApproved(request: StoredRequest, also: Also): Promise<void> {
    const { id, decidedBy: actor = '', decidedAt: at } = request
    await this.#own.transact(async (transaction) => {
      const known = "SELECT 1 FROM change_request_events WHERE request_id = ? AND kind = 'approved' AND at = ?"
      if ((await transaction.rows(known, [id, at ?? ''])).length > 0) return
      await this.events.addIn(transaction, id, 'approved', { actor, at })
      await also(request, transaction)
    })
  }

  /**
   * Makes a request that is being carried out one of this console, if its console has ended. Of several consoles, one
   * gets true.
   */
  async takeOver(id: string): Promise<boolean> {
    const isLeft = `id = ? AND state = 'carryingOut' AND ${ownerHasEnded}`
    if ((await this.#own.rows(`SELECT 1 FROM change_requests WHERE ${isLeft}`, [id])).length === 0) return false
    const sql = `UPDATE change_requests SET owner = ? WHERE ${isLeft} RETURNING id`
    return (await this.#own.returned(sql, [this.#own.owner, id])).length > 0
  }

  /** An approval that could not be followed by anything: the request waits again. */
  async takeBack(id: string): Promise<boolean> {
    const sql = `UPDATE change_requests SET state = 'waiting', decided_at = NULL, decided_by = NULL, decider_id = NULL, run_id = NULL,
      approved = NULL, owner = NULL WHERE id = ? AND state = 'carryingOut' RETURNING id`
    return (await this.#own.returned(sql, [id])).length > 0
  }

  /** Ends a request that waits. @returns whether it happened: not if somebody else was first */
  end(
    id: string,
    state: 'declined' | 'withdrawn',
    { actor, personId, text }: { actor: string; personId: string | null; text: string | undefined },
    also: Also,
  ): Promise<boolean> {
    const sql = `UPDATE change_requests SET state = ?, decided_at = ?, decided_by = ?, decider_id = ?, sealed = ''
      WHERE id = ? AND state = 'waiting' AND expires_at > ? RETURNING ${requestColumns}`
    const at = this.#iso()
    return this.#own.transact(async (transaction) => {
      const [row] = await transaction.rows(sql, [state, at, actor, personId, id, at])
      if (!row) return false
      await this.events.addIn(transaction, id, state, { actor, ...(text !== undefined && { text }) })
      await also(this.#stored.one(row, requestOf), transaction)
      return true
    })
  }

  /** Ends the requests whose time is over, each of them once, whichever console notices. */
  async expire(also: Also): Promise<void> {
    const at = this.#iso()
    const isOver = "state = 'waiting' AND expires_at <= ?"
    if ((await this.#own.rows(`SELECT 1 FROM change_requests WHERE ${isOver} LIMIT 1`, [at])).length === 0) return
    const sql = `UPDATE change_requests SET state = 'expired', decided_at = expires_at, sealed = ''
      WHERE ${isOver} RETURNING ${requestColumns}`
    await this.#own.transact(async (transaction) => {
      for (const request of this.#stored.each(await transaction.rows(sql, [at]), requestOf)) {
        await this.events.addIn(transaction, request.id, 'expired')
        await also(request, transaction)
      }
    })
  }

  /** @returns whether it happened: not if somebody else was first. An end is one of its events. */
  setState(id: string, from: ChangeRequestState, to: ChangeRequestState, also = nothing): Promise<boolean> {
    // Its body is kept no longer than needed: it may contain secrets.
    const forgets = to === 'carryingOut' ? '' : ", sealed = ''"
    const sql = `UPDATE change_requests SET state = ?${forgets} WHERE id = ? AND state = ? RETURNING ${requestColumns}`
    return this.#own.transact(async (transaction) => {
      const [row] = await transaction.rows(sql, [to, id, from])
      if (!row) return false
      if (to === 'carriedOut' || to === 'carriedOutWithFailures') await this.events.addIn(transaction, id, to)
      await also(this.#stored.one(row, requestOf), transaction)
      return true
    })
  }

  /** The plan that was approved. @throws DamagedRow */
  async approved({ id }: StoredRequest): Promise<RequestedPlan | undefined> {
    const [row] = await this.#own.rows('SELECT id, approved FROM change_requests WHERE id = ?', [id])
    const sealed = row?.['approved']
    if (!row || typeof sealed !== 'string') return undefined
    // Sealed by `approve`.
    return this.#plans.one(row, () => openText(this.#sealed, approvedContext(id), sealed) as RequestedPlan)
  }

  #iso(): string {
    return new Date(this.#now()).toISOString()
  }
}

function contextOf(id: string): string {
  return `change request ${id}`
}

function approvedContext(id: string): string {
  return `approved plan ${id}`
}
