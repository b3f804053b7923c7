/** One change of scaling for many pipes: each gets the part that its kind has. */
import { pipeKind } from '#contract/pipeKinds.ts'
import { formatCost, pipeSizeOf } from '../scaling/cost.ts'
import { applyDraft, draftChanges, changedValues, type Draft } from '../scaling/draft.ts'
import { effectiveValues, parametersFor, requestedValues } from '../model/scalingParameters.ts'
import type { PipeRow } from './usePipes.ts'

export interface PlannedScaling {
  row: PipeRow
  /** What is sent; nothing where it stays as it is. */
  values: Record<string, number>
  changes: ReturnType<typeof draftChanges>
  /** Why nothing is sent. */
  reason: string | null
}

/** What each pipe would be sent. Null means unchanged. */
export function planBulkScaling(rows: readonly PipeRow[], draft: Draft): PlannedScaling[] {
  return rows.map((row) => {
    const { applicable } = parametersFor(pipeKind(row))
    const fields = new Set(applicable.map(({ field }) => field))
    const current = requestedValues(row)
    const own = Object.fromEntries(Object.entries(draft).filter(([field]) => fields.has(field)))
    const values = changedValues(own, current)
    return {
      row,
      values,
      changes: draftChanges(applicable, values, current),
      reason: reasonOf(applicable.length, own, values),
    }
  })
}

/** What the pipes that are sized will cost together; null where there is none, or the size of one is not known. */
export function bulkCost(plan: readonly PlannedScaling[], rate: number): string | null {
  const sized = plan.filter(({ row }) => pipeKind(row) !== 'objectStorage')
  if (sized.length === 0) return null
  const now = sized.map(({ row }) => effectiveValues(row))
  const then = sized.map(({ values }, at) => applyDraft(values, now[at] ?? {}))
  return formatCost(now.map(pipeSizeOf), then.map(pipeSizeOf), rate)
}

function reasonOf(parameters: number, own: Draft, values: Record<string, number>): string | null {
  if (parameters === 0) return 'database pipes of a service share one size'
  if (Object.values(own).every((value) => value === null)) return 'these settings don’t apply to this pipe type'
  return Object.keys(values).length === 0 ? 'already has these values' : null
}
