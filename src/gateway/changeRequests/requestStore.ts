/** Change requests in the database. Every change of a state names the state that it starts from, so that of two only one happens. */
import { randomBytes } from 'node:crypto'
import type { ChangeRequestState, RequestedPlan } from '#contract/changeRequests.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { openText, sealText } from '../approvals/sealedText.ts'
import type { Database } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
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

/** Tries to take the next number while other processes take theirs. */
const maxTries = 20

export interface ListFilter {
  states?: readonly ChangeRequestState[] | undefined
  connectionId?: string | undefined
  requesterId?: string | undefined
  before?: number | undefined
  limit: number
}

export class RequestStore {
  readonly events: RequestEvents
  readonly outcomes: RequestOutcomes

  constructor(
    private readonly database: Database,
    private readonly sealed: SealedJson,
    private readonly now: () => number = Date.now,
  ) {
    this.events = new RequestEvents(database, now)
    this.outcomes = new RequestOutcomes(database)
  }

  async create(given: NewRequest): Promise<StoredRequest> {
    const id = randomBytes(9).toString('hex')
    const at = this.iso()
    const { content } = given
    for (let tries = 1; ; tries++) {
      const rows = await this.database.rows(
        `INSERT INTO change_requests (id, number, connection_id, state, origin, title, reason, requester_id, requester,
            requester_by, need, changes, opened_at, expires_at, revision, touched_at, sealed)
          VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM change_requests), ?, 'waiting', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
          ON CONFLICT (number) DO NOTHING RETURNING ${requestColumns}`,
        [
          id,
          given.connectionId,
          content.kind === 'run' ? content.run : content.kind,
          given.title,
          given.reason,
          given.requesterId,
          given.requester,
          given.requesterBy,
          given.need,
          changesIn(content),
          at,
          given.expiresAt,
          at,
          sealText(this.sealed, contextOf(id), content),
        ],
      )
      const [row] = rows
      if (row) {
        await this.removeOld()
        return requestOf(row)
      }
      if (tries === maxTries) throw new Error('No number was free for a change request.')
    }
  }

  async get(id: string): Promise<StoredRequest | undefined> {
    const [row] = await this.database.rows(`SELECT ${requestColumns} FROM change_requests WHERE id = ?`, [id])
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
      `SELECT ${requestColumns} FROM change_requests WHERE ${parts.map(([sql]) => sql).join(' AND ')} ORDER BY number DESC LIMIT ?`,
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
    const rows = await this.database.rows(
      `UPDATE change_requests SET state = 'carryingOut', decided_at = ?, decided_by = ?, decider_id = ?, run_id = ?, touched_at = ?,
          approved = ?, digest = ? WHERE id = ? AND revision = ? AND state = 'waiting' AND expires_at > ? RETURNING id`,
      [
        at,
        by.actor,
        by.personId,
        runId,
        at,
        sealText(this.sealed, approvedContext(id), plan),
        plan.digest,
        id,
        revision,
        at,
      ],
    )
    return rows.length > 0
  }

  /** An approval that could not be followed by anything: the request waits again. */
  async takeBack(id: string): Promise<boolean> {
    const sql = `UPDATE change_requests SET state = 'waiting', decided_at = NULL, decided_by = NULL, decider_id = NULL, run_id = NULL,
      approved = NULL WHERE id = ? AND state = 'carryingOut' RETURNING id`
    return (await this.database.rows(sql, [id])).length > 0
  }

  /** Ends a request that waits. @returns whether it happened: not if somebody else was first */
  async end(
    id: string,
    state: 'declined' | 'withdrawn',
    by: { actor: string; personId: string | null },
  ): Promise<boolean> {
    const sql = `UPDATE change_requests SET state = ?, decided_at = ?, decided_by = ?, decider_id = ?, sealed = ''
      WHERE id = ? AND state = 'waiting' AND expires_at > ? RETURNING id`
    const at = this.iso()
    return (await this.database.rows(sql, [state, at, by.actor, by.personId, id, at])).length > 0
  }

  /** Ends the requests whose time is over. @returns each of them once, whoever asks */
  async expire(): Promise<StoredRequest[]> {
    const at = this.iso()
    const sql = `UPDATE change_requests SET state = 'expired', decided_at = expires_at, sealed = ''
      WHERE state = 'waiting' AND expires_at <= ? RETURNING ${requestColumns}`
    return (await this.database.rows(sql, [at])).map(requestOf)
  }

  async setState(id: string, from: ChangeRequestState, to: ChangeRequestState): Promise<boolean> {
    // What it sends is kept no longer than it is needed: it may contain secrets.
    const forgets = to === 'carryingOut' ? '' : ", sealed = ''"
    const sql = `UPDATE change_requests SET state = ?${forgets} WHERE id = ? AND state = ? RETURNING id`
    return (await this.database.rows(sql, [to, id, from])).length > 0
  }

  /** The process that carries it out still runs. */
  async touch(id: string): Promise<void> {
    await this.database.write({
      sql: 'UPDATE change_requests SET touched_at = ? WHERE id = ?',
      args: [this.iso(), id],
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

  /** Those that were decided long ago. */
  private async removeOld(): Promise<void> {
    await this.database.write({
      sql: `DELETE FROM change_requests WHERE state NOT IN ('waiting', 'carryingOut')
        AND number <= (SELECT max(number) FROM change_requests) - ?`,
      args: [maxKept],
    })
  }

  private iso(): string {
    return new Date(this.now()).toISOString()
  }
}

function contextOf(id: string): string {
  return `change request ${id}`
}

function approvedContext(id: string): string {
  return `approved plan ${id}`
}
