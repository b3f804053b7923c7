/** Runs that wait for approval: their plan worked out again, against what the target has now. */
import { api } from '#contract/index.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import { differences } from '#domain/records/comparable.ts'
import { recordKey } from '#domain/records/directory.ts'
import type { Inventory } from '#domain/records/inventory.ts'
import { formatRecordName } from '#contract/wire/naming.ts'
import { planningChanges, type Plan, type PlanStep, type WantedRecord } from '#domain/records/plan.ts'
import { inSlices } from '#node/files/slices.ts'
import { fieldsOf, type PlannedChange } from './plannedChange.ts'

/**
 * The plan that gives the target what was asked for. What others changed since stays, but for the fields that were asked
 * for: there the request wins, and people see both values before they approve.
 * @param asked the steps as they were planned when the request was opened
 */
export async function plannedAgain(asked: readonly PlanStep[], inventory: Inventory): Promise<Plan> {
  const wanted = asked.flatMap((step): WantedRecord[] => {
    const { kind, name, after, before, id, original } = step
    if (after === null || step.action === 'same') return []
    return [
      { kind, name, document: after, original, ...(id !== null && { id }), ...(before !== null && { base: before }) },
    ]
  })
  const removals = asked.flatMap(({ action, kind, id }) =>
    action === 'delete' && id !== null ? [recordKey(kind, id)] : [],
  )
  const plan = await inSlices(planningChanges({ wanted, target: inventory, removals: new Set(removals) }))
  const first = new Map(asked.map((step) => [step.key, step]))
  const steps = plan.steps.map((step): PlanStep => {
    const before = first.get(step.key)
    // Without a choice, a conflict keeps what was asked for. The base of the next promotion is what the source has.
    return { ...step, undecided: 0, base: before?.base, nextBase: before?.nextBase ?? before?.after ?? undefined }
  })
  const ready = steps.every(({ action, missing, blocked }) => action === 'same' || (missing.length === 0 && !blocked))
  return { ...plan, steps, ready }
}

/** A step as people see it. @param asked the same step when the request was opened */
export function plannedStep(step: PlanStep, asked: PlanStep | undefined): PlannedChange {
  const { key, kind, name, action, id, before, after, missing, blocked } = step
  const atRequest = asked?.before ?? undefined
  const hasMoved = asked !== undefined && differences(asked.before ?? {}, before ?? {}).length > 0
  const [needed] = missing
  const problem =
    blocked ??
    (needed &&
      `It needs the ${needed.kind === 'tiles' ? 'tile' : formatRecordName(needed.kind)} ${needed.value}, which is not there.`)
  return {
    identity: stringifyJson([key, action, id, before, after]),
    view: {
      key,
      kind,
      name,
      action: action === 'same' ? 'update' : action,
      recordId: id,
      ...fieldsOf(api[kind].list, action === 'delete' ? [] : step.changes, atRequest),
      changedSince: hasMoved,
      ...(problem !== undefined && { problem }),
    },
  }
}
