/** The API between console and gateway for the audit log: who did what, from where, and with which outcome. */
import { z } from 'zod'
import { pathId } from '../wire/kernel.ts'

export const auditPaths = {
  entries: '/api/audit',
  /** All entries as JSON lines, the oldest first, as they are hashed. */
  export: '/api/audit/export',
  verification: '/api/audit/verification',
} as const

/**
 * `begun` is entered before anything is done, and followed by one of the others, unless the process ended. `requested`: nothing
 * was done, because it waits for approval.
 */
export const auditOutcomes = ['begun', 'done', 'requested', 'refused', 'failed', 'unknown'] as const

/** Actions within a break-glass: carried out without the approval that they need. */
export const auditMarks = ['break-glass'] as const

/** A record that an action changed. Versions are those of the history. */
const auditChange = z.object({
  kind: z.string(),
  recordId: z.string().nullable(),
  name: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
})
export type AuditChange = z.infer<typeof auditChange>

/** The hashed content: every field but the hash itself, in this order. */
export const auditFacts = z.object({
  /** Counts from 1, without gaps. */
  seq: z.number(),
  at: z.string(),
  /** Who: a person, a token, or the browser of a session without a person. */
  actor: z.string(),
  /** The network address; null for what a run does. */
  address: z.string().nullable(),
  /** The event: resource and verb, such as `alerts.update`. */
  event: z.string(),
  connectionId: z.string().nullable(),
  /** The name or ID of what it is about. */
  subject: z.string().nullable(),
  outcome: z.enum(auditOutcomes),
  /** HTTP status of the gateway's response. */
  status: z.number().nullable(),
  /** Why it was refused or failed. */
  reason: z.string().nullable(),
  /** The ID of the request, or of the run. */
  request: z.string(),
  /** The entry that was made before it began. */
  begun: z.number().nullable(),
  changes: z.array(auditChange),
  /** The hash of the entry before; of zeros for the first. */
  previous: z.string(),
  /** Absent for all but those of a break-glass. */
  mark: z.enum(auditMarks).optional(),
  /** The ID of the person, whose name may change or be given to others. Absent without an account, and in earlier entries. */
  personId: z.string().optional(),
})
export type AuditFacts = z.infer<typeof auditFacts>

const auditEntry = auditFacts.extend({
  hash: z.string(),
  /** The stored entry is damaged: only its number is certain. */
  damaged: z.literal(true).optional(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditQuery = z.object({
  /** Part of the actor, the address, the event or the subject. */
  text: z.string().max(200).optional(),
  /** The resource of the event, such as `session`. */
  area: z.string().max(60).optional(),
  connectionId: pathId.optional(),
  outcome: z.enum(auditOutcomes).optional(),
  mark: z.enum(auditMarks).optional(),
  /** The number of a change request: what asked for it, decided about it and carried it out. */
  changeRequest: z.coerce.number().int().positive().optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  /** Only entries before this one, for the next page. */
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})
export type AuditQuery = z.input<typeof auditQuery>

export interface AuditPage {
  /** The newest first. Of two entries of one action, the one with its outcome. */
  entries: AuditEntry[]
  hasMore: boolean
  /** The areas that entries have. */
  areas: string[]
}

export interface AuditVerification {
  entries: number
  /** The hash of the newest entry. */
  head: string | null
  verifiedAt: string
  /** The first entry that is not as it was written, or that is missing. */
  fault?: { seq: number; problem: string }
}
