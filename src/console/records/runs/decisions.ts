/** A person's decisions and entries for a plan before it is started. */
import type { UndoInput } from '#contract/console/runs.ts'

type Side = 'mine' | 'theirs'

export type Entered = NonNullable<UndoInput['entered']>[string]

export interface Decisions {
  /** By step and field. */
  sides: Record<string, Record<string, Side>>
  /** By step. */
  entered: Record<string, Entered>
}

export const noDecisions: Decisions = { sides: {}, entered: {} }

export function withSide(decisions: Decisions, step: string, field: string, side: Side): Decisions {
  const { sides } = decisions
  return { ...decisions, sides: { ...sides, [step]: { ...sides[step], [field]: side } } }
}

/** @param fields replace those that were entered before */
export function withFields(decisions: Decisions, step: string, fields: Entered): Decisions {
  const { entered } = decisions
  return { ...decisions, entered: { ...entered, [step]: { ...entered[step], ...fields } } }
}

/** Lines of "name: value". @returns null if a line is something else */
export function pairsOf(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line))
  if (pairs.includes(null)) return null
  return Object.fromEntries(pairs.map((match) => [match?.[1] ?? '', match?.[2] ?? '']))
}
