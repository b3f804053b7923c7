/**
 * The API between console and gateway for plans and their runs: promotions to other connections, restores, and undoing
 * either. Deployments do not have it.
 */
import { z } from 'zod'
import { heldChange, pathId } from '../wire/kernel.ts'
import { recordKinds } from '../stack/recordKinds.ts'
import { webhookFields } from '../stack/webhooks.ts'

const kind = z.enum(recordKinds)

const recordId = z.object({ kind, id: pathId })

/** Names of records may be long. */
const label = z.string().min(1).max(20_000)

/** The replacement of a source, webhook or data connection on the target. */
export const mappingChoice = z.union([
  z.object({ to: label }),
  z.object({ create: z.literal(true) }),
  z.object({ emailRecipients: z.array(z.email()).min(1).max(20) }),
])

/** Fields that deployments never return, for records that are created: the `unreturned` of the step. */
export const entered = z
  .record(label, z.strictObject({ headers: webhookFields.headers, queryParams: webhookFields.queryParams }))
  .default({})

/** A person's decisions and entries for a plan, by step. */
const decisions = {
  /** The side whose value a conflict keeps, by field. */
  sides: z.record(label, z.record(label, z.enum(['mine', 'theirs']))).default({}),
  entered,
}

/** Choices for one target: by `kind/label`, and the sides of conflicts by step and field. */
const targetChoices = z.object({
  connectionId: pathId,
  mapping: z.record(label, mappingChoice).default({}),
  ...decisions,
})

export const promotionInput = z.object({
  from: pathId,
  records: z.array(recordId).min(1, 'Choose at least one record').max(5_000),
  targets: z.array(targetChoices).min(1, 'Choose at least one connection').max(20),
})
export type PromotionInput = z.input<typeof promotionInput>

export const startedPlan = {
  /** The `digest` of the plan of each connection that was shown, by connection. What has no other digest now is started. */
  digests: z.record(pathId, z.string()),
  /** Whether further steps are carried out after one has failed. Steps that need the failed one are skipped. */
  continueOnFailure: z.boolean().default(false),
}
export const promotionStart = promotionInput.extend(startedPlan)
export type PromotionStart = z.input<typeof promotionStart>

const fieldChange = z.object({ path: z.array(z.unknown()), before: z.unknown(), after: z.unknown() })
const reference = z.object({ kind: z.string(), name: z.string(), dashboard: z.string().optional() })

const planStep = z.object({
  key: z.string(),
  kind,
  name: z.string(),
  action: z.enum(['create', 'update', 'delete', 'same']),
  /** The target's record; null for one to be created. */
  id: z.string().nullable(),
  /** At most 100 of them; `changeCount` has all. */
  changes: z.array(fieldChange),
  changeCount: z.number(),
  conflicts: z.array(
    z.object({
      key: z.string(),
      path: z.array(z.unknown()),
      base: z.unknown(),
      mine: z.unknown(),
      theirs: z.unknown(),
    }),
  ),
  /** Conflicts without a chosen side. */
  undecided: z.number(),
  /** Fields that the target changed since the last promotion, which stay. */
  kept: z.number(),
  /** References that neither the target nor the plan has. */
  missing: z.array(reference),
  blocked: z.string().optional(),
  /** Why the deployment will refuse it, one sentence each. */
  refusals: z.array(z.string()),
  /** Fields that the record had perhaps, but that deployments never return: somebody may enter them. */
  unreturned: z.array(z.enum(['headers', 'queryParams'])),
  requests: z.number(),
})
export type PlanStepView = z.infer<typeof planStep>

const mappingEntry = z.object({
  kind: z.enum(['sources', 'webhooks', 'dataConnections']),
  from: z.string(),
  choice: mappingChoice.nullable(),
  by: z.enum(['chosen', 'remembered', 'name', 'table', 'only']).nullable(),
  candidates: z.array(z.string()),
  neededBy: z.array(z.string()),
})
export type MappingEntryView = z.infer<typeof mappingEntry>

/** The plan for one connection. */
const targetPlan = z.object({
  connectionId: pathId,
  /** Why there is no plan: the deployment could not be read. */
  problem: z.string().optional(),
  mapping: z.array(mappingEntry),
  steps: z.array(planStep),
  counts: z.object({ create: z.number(), update: z.number(), delete: z.number(), same: z.number() }),
  requests: z.number(),
  /** How long it takes at the rate limit of the key. */
  seconds: z.number(),
  /** Whether nothing is left to decide. */
  ready: z.boolean(),
  digest: z.string(),
})
export type TargetPlan = z.infer<typeof targetPlan>

const promotionPlan = z.object({
  /** Records that are copied because chosen ones refer to them. */
  needed: z.array(recordId.extend({ name: z.string() })),
  /** Chosen records that no longer exist. */
  gone: z.array(recordId),
  targets: z.array(targetPlan),
})
export type PromotionPlan = z.infer<typeof promotionPlan>

/** Taking back a run. */
export const undoInput = z.object(decisions)
export type UndoInput = z.input<typeof undoInput>
export const undoStart = undoInput.extend({ digest: z.string(), continueOnFailure: z.boolean().default(false) })

/** A connection as it was at a time, or single records of it. */
export const restoreInput = z.object({
  time: z.iso.datetime().optional(),
  /** Versions of single records instead of a time. */
  versions: z
    .array(recordId.extend({ version: z.string() }))
    .max(5_000)
    .optional(),
  /** Only these records. Default: all that changed since. */
  records: z.array(recordId).max(5_000).optional(),
  ...decisions,
})
export type RestoreInput = z.input<typeof restoreInput>
export const restoreStart = restoreInput.extend(startedPlan)

/** The response to a start: the IDs of the runs, and the change requests that took the place of runs. */
const startedRuns = z.object({ runs: z.array(pathId), held: z.array(heldChange) })
export type Started = z.infer<typeof startedRuns>

export const runStates = ['running', 'stopping', 'stopped', 'interrupted', 'failed', 'done'] as const

const runStep = z.object({
  key: z.string(),
  kind,
  name: z.string(),
  action: z.enum(['create', 'update', 'delete', 'same']),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'skipped']),
  /** Why it failed or was skipped. */
  reason: z.string().optional(),
  id: z.string().nullable(),
  /** The deployment already had it, or the response was lost and a check found it. */
  found: z.boolean(),
  /** Paths of the fields that were sent and that the deployment did not keep. */
  notKept: z.array(z.string()).optional(),
})

const run = z.object({
  id: pathId,
  /** Counts up, for people. */
  number: z.number(),
  kind: z.enum(['promotion', 'restore', 'undo', 'fileImport']),
  state: z.enum(runStates),
  connectionId: pathId,
  /** The connection that a promotion copies from. */
  from: pathId.optional(),
  /** The run that an undo reverts. */
  undoes: pathId.optional(),
  /** The run that undid this one. */
  undoneBy: pathId.optional(),
  actor: z.string(),
  startedAt: z.string(),
  finishedAt: z.string().optional(),
  counts: z.object({ steps: z.number(), done: z.number(), failed: z.number(), skipped: z.number() }),
})
export type Run = z.infer<typeof run>

const runDetail = run.extend({
  /** Requests of the steps that are left. */
  requestsLeft: z.number(),
  /** How long they take at the rate limit of the key. */
  secondsLeft: z.number(),
  steps: z.array(runStep),
  /** Sentences about steps that cannot be read. Such a run can neither be resumed nor undone. */
  damaged: z.array(z.string()).optional(),
})
export type RunDetail = z.infer<typeof runDetail>
