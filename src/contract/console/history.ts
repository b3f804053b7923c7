/** The API between console and gateway for the history of a connection's records. Deployments have none. */
import { z } from 'zod'
import { pathId } from '../wire/kernel.ts'

/** The known outcome of a write: `found` is a change that a read showed. */
export const changeOutcomes = ['done', 'refused', 'unknown', 'pending', 'found'] as const
/** Why a record changed: `outside` of this console, or by a person or a run here. */
export const changeCauses = ['console', 'outside', 'promotion', 'restore', 'undo', 'fileImport'] as const
export const changeActions = ['created', 'updated', 'deleted', 'operated'] as const

const version = z.string().regex(/^[\w-]{20,60}$/, 'must be the ID of a version')
const recordKind = z.string().regex(/^[a-zA-Z]+(\/[a-zA-Z]+)?$/, 'must be a kind of records')

const change = z.object({
  /** Counts up with time. */
  id: z.number(),
  at: z.string(),
  kind: z.string(),
  /** Null if a creation was refused. */
  recordId: z.string().nullable(),
  name: z.string(),
  action: z.enum(changeActions),
  cause: z.enum(changeCauses),
  /** The browser that sent it; absent for changes outside of this console. */
  actor: z.string().optional(),
  /** The connection that it was sent through, if that is another one to the same deployment. */
  connectionId: z.string().optional(),
  run: z.string().optional(),
  outcome: z.enum(changeOutcomes),
  /** IDs of versions; absent for nothing, or where it is not known. */
  before: z.string().optional(),
  after: z.string().optional(),
  /** The number of fields that differ between them. */
  fields: z.number().optional(),
  request: z.object({ method: z.string(), path: z.string() }).optional(),
  status: z.number().optional(),
  /** Milliseconds. */
  duration: z.number().optional(),
  requestId: z.string().optional(),
  /** Why it was refused, or what is known about its outcome. */
  reason: z.string().optional(),
})
export type Change = z.infer<typeof change>

export const changesQuery = z.object({
  kind: recordKind.optional(),
  recordId: pathId.optional(),
  cause: z.enum(changeCauses).optional(),
  outcome: z.enum(changeOutcomes).optional(),
  /** Only those that were made, or may have been. */
  made: z.enum(['1']).optional(),
  actor: z.string().max(300).optional(),
  run: pathId.optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  /** Only changes before this one, for the next page. */
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})
export type ChangesQuery = z.input<typeof changesQuery>

const changePage = z.object({
  items: z.array(change),
  hasMore: z.boolean(),
  /** All actors of this connection's changes. */
  actors: z.array(z.string()),
})
export type ChangePage = z.infer<typeof changePage>

const historyTotals = z.object({
  versions: z.number(),
  records: z.number(),
  /** When the first record was seen; absent without any. */
  since: z.string().optional(),
  /** The size of the history of all connections. */
  bytes: z.number(),
  keptDays: z.number(),
  /** Minutes between snapshots; 0 for none. */
  snapshotMinutes: z.number(),
  deleted: z.number(),
})
export type HistoryTotals = z.infer<typeof historyTotals>

export const stripQuery = z.object({ from: z.iso.datetime(), to: z.iso.datetime() })
/** Changes per hour: of this console, and outside. Hours without changes are left out. */
const changeStrip = z.array(z.object({ hour: z.string(), here: z.number(), outside: z.number() }))
export type ChangeStrip = z.infer<typeof changeStrip>

/** A record that no longer exists, with its last version. */
const deletedRecord = z.object({
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  version: z.string(),
  at: z.string(),
  cause: z.enum(changeCauses),
  actor: z.string().optional(),
})
export type DeletedRecord = z.infer<typeof deletedRecord>

/** The fate of a record that its page does not find. */
const goneRecord = z.object({
  name: z.string(),
  /** When it was gone. */
  at: z.string(),
  /** The ID under which it was brought back, if only one record can be meant. */
  broughtBackAs: z.string().optional(),
})
export type GoneRecord = z.infer<typeof goneRecord>

/** One version of a record. */
const recordVersion = z.object({
  version: z.string(),
  /** Counts up from the oldest that is kept. */
  number: z.number(),
  at: z.string(),
  /** Absent for the version in which the record was first seen. */
  change: change.optional(),
  isCurrent: z.boolean(),
})
export type RecordVersion = z.infer<typeof recordVersion>

export const versionParams = z.object({ connectionId: pathId, version })
/** The record of a version, without secrets. */
const versionDocument = z.object({ kind: z.string(), document: z.unknown() })
export type VersionDocument = z.infer<typeof versionDocument>

export const recordParams = z.object({ connectionId: pathId, kind: recordKind, recordId: pathId })

const snapshotMinutes = [0, 5, 15, 60] as const
export const historySettings = z.object({
  snapshotMinutes: z.union(snapshotMinutes.map((minute) => z.literal(minute))),
})
