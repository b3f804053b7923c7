/** Fields that deployments take and never return (docs/DEPLOYMENTS.md#webhooks): a record that is created again has lost them. */
import type { JsonObject } from '../json/json.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import type { Plan, PlanStep } from './plan.ts'

const fieldNames = ['headers', 'queryParams'] as const
type UnreturnedField = (typeof fieldNames)[number]

/** The fields that somebody may have to enter for a step. */
export function unreturnedFields({ kind, action, after }: PlanStep): UnreturnedField[] {
  // Slack refuses them.
  const takesThem = kind === 'webhooks' && action === 'create' && after?.['service'] !== 'slack'
  return takesThem ? [...fieldNames] : []
}

/** The plan with the fields that somebody entered. @param entered by the key of the step; others are ignored */
export function withEntered(plan: Plan, entered: Readonly<Record<string, JsonObject>>): Plan {
  const steps = plan.steps.map((step) => {
    const fields = unreturnedFields(step).flatMap((name) => {
      const value = entered[step.key]?.[name]
      return value === undefined ? [] : [[name, value] as const]
    })
    return fields.length > 0 ? { ...step, after: { ...step.after, ...Object.fromEntries(fields) } } : step
  })
  return { ...plan, steps }
}

/** A document as the deployment returns it. */
export function asDeploymentReturns(kind: RecordKind, document: JsonObject): JsonObject {
  if (kind !== 'webhooks') return document
  const names: readonly string[] = fieldNames
  return Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)))
}
