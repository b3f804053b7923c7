/** Takes a run back: what it changed and deleted becomes as it was, what it created is deleted. */
import type { JsonObject } from '../json/json.ts'
import { recordKey } from './directory.ts'
import type { Inventory } from './inventory.ts'
import { planChangesStepwise, type Choices, type Plan, type PlanStep, type WantedRecord } from './plan.ts'
import { finish, type Work } from '../work.ts'
import type { StepOutcome } from './run.ts'

/** A step of a run, with its outcome once it was carried out. */
export interface RunStep {
  step: PlanStep
  outcome?: StepOutcome | undefined
}

/** @param steps of the run: only what was really written is taken back */
export function planUndo(steps: readonly RunStep[], target: Inventory): Plan {
  return finish(planUndoStepwise(steps, target))
}

/** Like `planUndo`. */
export function* planUndoStepwise(
  steps: readonly RunStep[],
  target: Inventory,
  choices: Choices = new Map(),
): Work<Plan> {
  const wanted: WantedRecord[] = []
  const bases = new Map<string, JsonObject>()
  const removals = new Set<string>()
  for (const { step, outcome } of steps) {
    if (outcome?.state !== 'done') continue
    if (step.before === null) {
      // A record that was there before the run is not the run's to delete.
      if (!outcome.found || step.action === 'create') removals.add(recordKey(step.kind, outcome.id))
      continue
    }
    if (step.base) bases.set(step.key, step.base)
    wanted.push({
      kind: step.kind,
      name: step.name,
      document: step.before,
      id: outcome.id,
      original: outcome.previous ?? undefined,
      // Changes by others since the run stay.
      base: step.after ?? undefined,
    })
  }
  const plan = yield* planChangesStepwise({ wanted, target, removals, choices })
  // The next promotion finds what it found before the run.
  const planned = plan.steps.map((step) => ({ ...step, nextBase: bases.get(step.key) }))
  return { ...plan, steps: planned }
}
