/** The connections that records can be copied to, and the choices that are made for each of them. */
import type { Connection } from '#contract/console/connections.ts'
import { sharesRecords } from '#contract/console/deployments.ts'
import { noDecisions, type Decisions } from '#console/records/runs/decisions.ts'
import type { MappingEntryView, TargetPlan } from '#contract/console/runs.ts'

export interface OtherConnections {
  /** Connections to another deployment. */
  targets: Connection[]
  /** Connections to the deployment whose records would be copied. */
  same: Connection[]
}

export function otherConnections(connections: readonly Connection[], from: Connection | undefined): OtherConnections {
  const others = connections.filter(({ id }) => id !== from?.id)
  const isSame = (connection: Connection) => from !== undefined && sharesRecords(from, connection)
  return { targets: others.filter((other) => !isSame(other)), same: others.filter(isSame) }
}

/**
 * The IDs of the targets. Until somebody chooses, it is the only one there is.
 * @param chosen undefined until somebody chose. IDs of connections that are no targets are left out.
 */
export function targetsOf(chosen: readonly string[] | undefined, targets: readonly Connection[]): string[] {
  const ids = targets.map(({ id }) => id)
  if (chosen !== undefined) return chosen.filter((id) => ids.includes(id))
  return ids.length === 1 ? ids : []
}

export type MappingChoice = NonNullable<MappingEntryView['choice']>

interface TargetChoices extends Decisions {
  mapping: Record<string, MappingChoice>
}

/**
 * A person's decisions for a promotion, by connection: the replacement of a record, and whose value a conflict keeps.
 */
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
