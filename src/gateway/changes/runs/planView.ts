/** A plan as the page shows it: without secrets, and identified by a digest. */
import { createHash } from 'node:crypto'
import { stringifyJson } from '#contract/wire/json.ts'
import type { MappingEntryView, PlanStepView, TargetPlan } from '#contract/console/runs.ts'
import type { FieldChange } from '#domain/json/diff.ts'
import type { Plan, PlanStep } from '#domain/records/plan.ts'
import { unreturnedFields } from '#domain/records/unreturned.ts'
import type { BudgetState } from '#contract/wire/gatewayWire.ts'
import { defaultRules } from '#node/upstream/requestBudget.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { maskedField } from '../../resources/maskedField.ts'

/** Changed fields of one step that are shown. */
const maxChanges = 100

export function planView(
  target: UpstreamTarget,
  plan: Plan,
  mapping: readonly MappingEntryView[],
  budget: BudgetState,
): TargetPlan {
  return {
    connectionId: target.connectionId,
    mapping: [...mapping],
    steps: plan.steps.map(stepView),
    counts: plan.counts,
    requests: plan.requests,
    seconds: secondsFor(plan.requests, target, budget),
    ready: plan.ready,
    digest: digestOf(plan),
  }
}

/** No plan, because the deployment could not be read. */
export function noPlan(connectionId: string, problem: string): TargetPlan {
  const counts = { create: 0, update: 0, delete: 0, same: 0 }
  return { connectionId, problem, mapping: [], steps: [], counts, requests: 0, seconds: 0, ready: false, digest: '' }
}

/** Equal for two plans exactly if they send the same. */
function digestOf({ steps }: Plan): string {
  const hash = createHash('sha256')
  for (const { key, action, id, before, after } of steps) hash.update(stringifyJson([key, action, id, before, after]))
  return hash.digest('base64url')
}

/** @throws conflict if a plan is not the one that was shown; invalid if something is left to decide */
export function refuseOther(plan: Plan, shown: string | undefined): void {
  if (shown !== digestOf(plan)) {
    throw failure(
      'conflict',
      'The connection changed after the plan was made. Nothing was started. Review the new plan.',
    )
  }
  if (!plan.ready) throw failure('invalid', 'Something is left to decide. Nothing was started.')
}

function stepView(step: PlanStep): PlanStepView {
  const { key, kind, name, action, id, changes, conflicts, undecided, kept, missing, blocked, refusals, requests } =
    step
  return {
    key,
    kind,
    name,
    action,
    id,
    changes: action === 'update' ? changes.slice(0, maxChanges).map((change) => maskedChange(step, change)) : [],
    changeCount: changes.length,
    conflicts: conflicts.map(({ key: field, path, base, mine, theirs }) => ({
      key: field,
      path: [...path],
      base: maskedField(step.kind, path, base),
      mine: maskedField(step.kind, path, mine),
      theirs: maskedField(step.kind, path, theirs),
    })),
    undecided,
    kept,
    missing: missing.map(({ kind: needed, value, dashboard }) => ({ kind: needed, name: value, dashboard })),
    ...(blocked !== undefined && { blocked }),
    refusals,
    unreturned: unreturnedFields(step),
    requests,
  }
}

function maskedChange(step: PlanStep, { path, before, after }: FieldChange) {
  return { path: [...path], before: maskedField(step.kind, path, before), after: maskedField(step.kind, path, after) }
}

/** Seconds of a request, where the limit does not matter. */
const requestSeconds = 0.1
/** The share of the limit that runs use. */
const share = 0.8

/** How long requests take at the rate limit of a key, from now on. */
export function secondsFor(
  requests: number,
  { variant }: UpstreamTarget,
  { limit, remaining, next }: BudgetState,
): number {
  const plain = requests * requestSeconds
  if (!Number.isFinite(limit)) return plain
  const beyond = Math.max(0, requests - remaining * share)
  const wait = requests > 0 ? next : 0
  return Math.ceil(Math.max(plain, wait, (beyond * defaultRules[variant].window) / 1000 / (limit * share)))
}
