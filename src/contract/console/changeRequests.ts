/** The API between console and gateway for change requests: changes that wait for approval by a second person. Deployments do not have it. */
import { z } from 'zod'
import { givenName } from '../wire/givenNames.ts'
import { expiryHours } from './changeRequestPaths.ts'
import { pathId } from '../wire/kernel.ts'

const title = givenName(120, 'Enter a title')
const text = z.string().trim().max(2_000)

/** A person's comment on a change that needs approval. Everything has a default. */
export const changeRequestDraft = z.object({
  title: title.optional(),
  reason: text.default(''),
  hours: z
    .number()
    .int()
    .min(expiryHours.least, `must be at least ${expiryHours.least} hour`)
    .max(expiryHours.most, `must be at most ${expiryHours.most} hours`)
    .default(expiryHours.default),
  /** An open request of the same person, to which the change is added. */
  addTo: pathId.optional(),
})
export type ChangeRequestDraft = z.input<typeof changeRequestDraft>

export const changeRequestStates = [
  'waiting',
  'carryingOut',
  'carriedOut',
  'carriedOutWithFailures',
  'declined',
  'withdrawn',
  'expired',
] as const
export type ChangeRequestState = (typeof changeRequestStates)[number]

export const changeRequestQuery = z.object({
  state: z.enum(['open', 'closed', ...changeRequestStates]).optional(),
  connectionId: pathId.optional(),
  /** `mine`: opened by the caller. `forMe`: the caller may approve it. */
  who: z.enum(['mine', 'forMe']).optional(),
  /** Only requests with a lower number, for the next page. */
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type ChangeRequestQuery = z.input<typeof changeRequestQuery>

export interface ChangeRequest {
  id: string
  /** Counts up, for people. */
  number: number
  connectionId: string
  title: string
  reason: string
  state: ChangeRequestState
  /** The kinds of requests: single writes, a run, or the end of two-person approval itself. */
  origin: 'writes' | 'promotion' | 'restore' | 'undo' | 'fileImport' | 'setting'
  requester: string
  isMine: boolean
  /** The agent that asked for it with a token of the requester. */
  agent?: string
  openedAt: string
  expiresAt: string
  decidedAt?: string
  /** Who approved or declined it. */
  decidedBy?: string
  /** Records that it changes. */
  changes: number
}

export interface ChangeRequestPage {
  items: ChangeRequest[]
  hasMore: boolean
}

export interface ChangeRequestCounts {
  /** By connection: requests that wait for approval. */
  waiting: Record<string, number>
}

/** A field that a change sets. Secrets are masked. */
interface RequestedField {
  path: unknown[]
  /** The current record of the deployment. */
  before?: unknown
  after?: unknown
  /** Whether `before` was another value when the request was opened: `asked`. */
  moved?: true
  asked?: unknown
}

/** The change of one record. */
export interface RequestedChange {
  key: string
  /** The resource of the contract, such as `alerts`. */
  kind: string
  name: string
  action: 'create' | 'update' | 'delete' | 'operate'
  /** The operation of the contract, for those that are no edit, such as `scale`. */
  verb?: string
  /** Null for a record to be created. */
  recordId: string | null
  /** At most 200 of them; `fieldCount` has all. */
  fields: RequestedField[]
  fieldCount: number
  /** Whether the record has changed since the request was opened. */
  changedSince: boolean
  /** Who changed it since, as far as the history knows. */
  changedBy?: { actor: string; at: string }
  /** Why it cannot be carried out as it is now. */
  problem?: string
}

/** The current effect of the request. */
export interface RequestedPlan {
  changes: RequestedChange[]
  requests: number
  /** How long it takes at the rate limit of the key. */
  seconds: number
  /** Whether it can be carried out. */
  ready: boolean
  /** Names the plan: an approval holds for the plan that was shown, and for no other. */
  digest: string
}

export const changeRequestEvents = [
  'opened',
  'added',
  'commented',
  'targetChanged',
  'approved',
  'declined',
  'withdrawn',
  'expired',
  'carriedOut',
  'carriedOutWithFailures',
] as const
export type ChangeRequestEventKind = (typeof changeRequestEvents)[number]

export interface ChangeRequestEvent {
  kind: ChangeRequestEventKind
  at: string
  /** Absent for what nobody did, such as the expiry. */
  actor?: string
  text?: string
}

/** The outcome of one change. */
export interface RequestedOutcome {
  key: string
  state: 'waiting' | 'running' | 'done' | 'failed' | 'skipped' | 'unknown'
  reason?: string
}

/** The caller's permitted actions, and why others are not permitted. */
interface ChangeRequestRights {
  approve: boolean
  decline: boolean
  withdraw: boolean
  /** Why the caller may not approve. */
  reason?: string
  /** Who may approve, in words. */
  approvers: string
}

export interface ChangeRequestDetail extends ChangeRequest {
  /** While it waits; absent if the deployment cannot be read: `planProblem`. */
  plan?: RequestedPlan
  planProblem?: string
  /** The approved plan; absent while it waits. */
  approved?: RequestedPlan
  outcomes: RequestedOutcome[]
  /** The run that carries it out. */
  runId?: string
  events: ChangeRequestEvent[]
  rights: ChangeRequestRights
  /** Whether a webhook is notified. */
  isNotified: boolean
}

/** The digest of the plan that was shown. */
export const approval = z.object({ digest: z.string().min(1).max(100) })
export const declining = z.object({ reason: text.min(1, 'Say why') })
export const comment = z.object({ text: text.min(1, 'Write a comment') })
