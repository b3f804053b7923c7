/** A change request as it is stored, and what it sends once it is approved. */
import { z } from 'zod'
import { changeRequestStates, type ChangeRequestState } from '#contract/console/changeRequests.ts'
import type { Need } from '#contract/console/consoleRoles.ts'
import type { PlanStep } from '#domain/records/plan.ts'
import type { HeldRun } from '../../approvals/approvalQueue.ts'
import type { Row } from '../../database/database.ts'

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

/** The content of a change request. `deployment`: `Place.deployment` of what it was planned for. */
export type Content =
  | { kind: 'writes'; deployment: string; writes: HeldWrite[] }
  | { kind: 'run'; deployment: string; run: HeldRun['kind']; steps: readonly PlanStep[]; details: HeldRun['details'] }
  /** The end of two-person approval on the connection. */
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
  /** The principal of the requester. */
  requesterBy: string
  /** The agent that asked for it with a token of the requester. */
  agent: string | undefined
  /** The role that approving it needs on the connection. */
  need: RequestNeed
  changes: number
  openedAt: string
  expiresAt: string
  decidedAt: string | undefined
  decidedBy: string | undefined
  deciderId: string | undefined
  runId: string | undefined
  /** The digest of the plan that was last shown. */
  digest: string | undefined
  /** Counts the changes of its content. */
  revision: number
}

export type NewRequest = Pick<
  StoredRequest,
  'connectionId' | 'title' | 'reason' | 'requesterId' | 'requester' | 'requesterBy' | 'need' | 'expiresAt'
> & { content: Content; agent?: string | undefined }

/** The columns of a request. What it sends is read apart. */
export const requestColumns = `id, number, connection_id, state, origin, title, reason, requester_id, requester, requester_by, need, changes,
  opened_at, expires_at, decided_at, decided_by, decider_id, run_id, digest, revision, agent`
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
  agent: text,
})

/** How many changes a request asks for. */
export function changesIn(content: Content): number {
  if (content.kind === 'setting') return 1
  return content.kind === 'writes' ? content.writes.length : content.steps.length
}

/** @param row with `requestColumns` */
export function requestOf(row: Row): StoredRequest {
  const stored = requestRow.parse(row)
  return {
    id: stored.id,
    number: stored.number,
    connectionId: stored.connection_id,
    state: stored.state,
    origin: stored.origin,
    title: stored.title,
    reason: stored.reason,
    requesterId: stored.requester_id,
    requester: stored.requester,
    requesterBy: stored.requester_by,
    need: stored.need,
    changes: stored.changes,
    openedAt: stored.opened_at,
    expiresAt: stored.expires_at,
    decidedAt: stored.decided_at ?? undefined,
    decidedBy: stored.decided_by ?? undefined,
    deciderId: stored.decider_id ?? undefined,
    runId: stored.run_id ?? undefined,
    digest: stored.digest ?? undefined,
    revision: stored.revision,
    agent: stored.agent ?? undefined,
  }
}
