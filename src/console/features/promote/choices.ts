/** A person's decisions for a promotion: by target, the replacement of a record, and whose value a conflict keeps. */
import { noDecisions, type Decisions } from '#console/records/runs/decisions.ts'
import type { MappingEntryView, TargetPlan } from '#contract/console/runs.ts'

type MappingChoice = NonNullable<MappingEntryView['choice']>

export interface TargetChoices extends Decisions {
  mapping: Record<string, MappingChoice>
}

/** By connection. */
export type Choices = Record<string, TargetChoices>

export const noChoices: TargetChoices = { mapping: {}, ...noDecisions }

export function withMapping(all: Choices, connectionId: string, key: string, choice: MappingChoice): Choices {
  const own = all[connectionId] ?? noChoices
  return { ...all, [connectionId]: { ...own, mapping: { ...own.mapping, [key]: choice } } }
}

export function withDecisions(all: Choices, connectionId: string, decisions: Decisions): Choices {
  return { ...all, [connectionId]: { ...(all[connectionId] ?? noChoices), ...decisions } }
}

/** The decisions that are left before a target can be written to, in words. */
export function leftToDecide(plan: TargetPlan, name: string): string[] {
  if (plan.problem !== undefined) return [`${name} could not be read`]
  const open = plan.mapping.filter(({ choice }) => choice === null).map(({ from }) => `${from} on ${name}`)
  const conflicts = plan.steps
    .filter(({ undecided }) => undecided > 0)
    .map((step) => `${step.name} on ${name}, which both sides changed`)
  const blocked = plan.steps.filter((step) => step.blocked !== undefined).map((step) => `${step.name}: ${step.blocked}`)
  return [...open, ...conflicts, ...blocked]
}
