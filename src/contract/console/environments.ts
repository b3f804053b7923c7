/**
 * The API between console and gateway that looks at several connections: what each of them has, what differs from another one,
 * and names of records of all of them. Deployments do not have it.
 */
import { z } from 'zod'
import type { Alert } from '../stack/alerts.ts'
import type { Change } from './history.ts'
import { recordKinds } from '../stack/recordKinds.ts'
import { pathId } from '../wire/kernel.ts'

const kind = z.enum(recordKinds)

/** Why records of a kind are not known; null if they were read. */
const unread = z.object({ state: z.enum(['notOffered', 'failed']), reason: z.string() }).nullable()

/**
 * Which states are asked for. What is known is returned at once, the rest by further requests with the cursor of the last one,
 * each of which waits until there is something new.
 */
export const statesQuery = z.object({
  /** Only states that are newer than those of the response with this cursor. */
  since: z.string().max(100).optional(),
  /** The connection with which the others are compared, where that is little work. */
  baseline: pathId.optional(),
  /** `open` reads what is old, `poll` what is old for a page that stays open, `fresh` everything; `follow` begins to read nothing. */
  reading: z.enum(['open', 'poll', 'fresh', 'follow']).default('open'),
})

const budget = z.object({
  /** Null without a limit. */
  limit: z.number().nullable(),
  remaining: z.number().nullable(),
})

/** How many records differ. */
export const drift = z.object({ differences: z.number(), notComparable: z.number() })

/** The records of one connection. */
export const connectionState = z.object({
  connectionId: pathId,
  readAt: z.string(),
  /** Why nothing could be read. */
  problem: z.string().optional(),
  /** Milliseconds that the quickest list took, without what it waited for within the console; absent if it is not known. */
  latency: z.number().optional(),
  /** Whether it was read before the start of the console, and not again since. */
  isRestored: z.boolean().optional(),
  budget,
  /** The number of records of each kind, where they could be read. */
  counts: z.partialRecord(kind, z.number()),
  /** The alerts that fire; absent if it is not known. */
  firing: z.array(z.custom<ListedAlert>()).optional(),
  /** Why it is not known which alerts fire. */
  firingUnknown: z.string().optional(),
  /** Against the baseline that was asked for; absent where it is not known or was much work. */
  drift: drift.optional(),
})
export type ConnectionState = z.infer<typeof connectionState>

/** The states of the connections that the caller sees. */
const statePage = z.object({
  states: z.array(connectionState),
  /** Connections that are being read. */
  reading: z.array(pathId),
  /** For the next request. */
  cursor: z.string(),
})
export type StatePage = z.infer<typeof statePage>

/** The fields of an alert that name it and say who looks after it. */
export const listedAlertFields = [
  'id',
  'name',
  'source',
  'dashboardId',
  'tileId',
  'savedSearchId',
  'state',
  'acknowledged',
  'silenced',
] as const satisfies readonly (keyof Alert)[]
export type ListedAlert = Pick<Alert, (typeof listedAlertFields)[number]>

/** The last changes of the connections to one deployment, the newest first. */
export interface RecentChanges {
  connectionIds: string[]
  changes: Change[]
}

export const comparisonQuery = z.object({ baseline: pathId })

const comparisonStates = ['same', 'differs', 'missing', 'onlyHere', 'unknown', 'notOffered'] as const
const comparedRecord = z.object({
  kind,
  name: z.string(),
  /** Against the baseline: `missing` is only there, `onlyHere` only here. */
  state: z.enum(comparisonStates),
  id: z.string().optional(),
  baselineId: z.string().optional(),
  /** When it was changed, where the deployment says so. */
  updatedAt: z.string().optional(),
  fields: z.number().optional(),
  /** The first of those fields. */
  changed: z.array(z.string()).optional(),
  reason: z.string().optional(),
  /** Whether a person matched it. */
  byHand: z.boolean().optional(),
})
export type ComparedRecordView = z.infer<typeof comparedRecord>

/** The records of a connection beside those of the baseline. */
const comparison = z.object({
  connectionId: pathId,
  baseline: pathId,
  readAt: z.string(),
  kinds: z.record(kind, unread),
  rows: z.array(comparedRecord),
})
export type Comparison = z.infer<typeof comparison>

/** A comparison as a list: it leaves out rows that are equal on both sides and were matched by name. */
export const listedComparison = comparison.extend({
  /** Equal for comparisons with the same rows of the baseline. With others, it is unknown which rows it leaves out. */
  baselineRows: z.string(),
})
export type ListedComparison = z.infer<typeof listedComparison>

/** Like the states of connections, known comparisons are returned at once, the rest by further requests with the cursor of the last one. */
export const comparisonsQuery = z.object({ since: z.string().max(100).optional() })

/** The connections that the caller sees beside the baseline, as many as one response has. */
const comparisonPage = z.object({
  /** The comparison of the baseline with itself has all of its rows. */
  comparisons: z.array(listedComparison),
  /** Connections that are being read or compared. */
  comparing: z.array(pathId),
  /** Whether more is known already, for the next request. */
  isCut: z.boolean(),
  cursor: z.string(),
})
export type ComparisonPage = z.infer<typeof comparisonPage>

export const fieldsQuery = z.object({ baseline: pathId, kind, name: z.string().min(1).max(2_000) })

/** Field by field, a record of the baseline and its counterpart. Secrets are masked. */
const fieldComparison = z.object({
  /** At most 200. */
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  changeCount: z.number(),
  same: z.number(),
  notCounted: z.array(z.string()),
  reason: z.string().optional(),
})
export type FieldComparisonView = z.infer<typeof fieldComparison>

const placedRecord = z.object({ connectionId: pathId, id: pathId })

/** Two records that are the same one, whatever they are called. */
export const matchInput = z.object({
  kind,
  /** The name of the row if the baseline does not have it. */
  name: z.string().min(1).max(2_000),
  records: z.tuple([placedRecord, placedRecord]),
})
export type MatchInput = z.infer<typeof matchInput>

/** A record that is matched by its own name again. */
export const matchRemoval = placedRecord.extend({ kind })

export const recordSearchQuery = z.object({
  q: z.string().trim().min(1).max(200),
  /** A connection whose records the caller knows already. */
  without: pathId.optional(),
})
export const recordName = z.object({ kind, id: z.string(), name: z.string() })
const recordSearch = z.object({
  /** The best of them. */
  records: z.array(recordName.extend({ connectionId: pathId })),
  /** Connections whose records are being read. */
  reading: z.array(pathId),
})
export type RecordSearch = z.infer<typeof recordSearch>
