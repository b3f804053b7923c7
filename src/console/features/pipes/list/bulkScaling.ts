/** Plans one scaling change for many pipes: each gets the parameters that apply to its source type. */
import { pipeKind } from '#contract/cloud/pipeKinds.ts'
import { formatCost, pipeSizeOf } from '../scaling/cost.ts'
import { applyDraft, draftChanges, changedValues, type Draft } from '../scaling/draft.ts'
import { effectiveValues, parametersFor, requestedValues } from '../model/scalingParameters.ts'
import type { PipeRow } from './usePipes.ts'

interface PlannedScaling {
  row: PipeRow
  /** The values that are sent. Empty if nothing changes. */
  values: Record<string, number>
  changes: ReturnType<typeof draftChanges>
  /** Why the pipe is skipped. */
  reason: string | null
}

/** The values for each pipe. Null in the draft means unchanged. */
export function planBulkScaling(rows: readonly PipeRow[], draft: Draft): PlannedScaling[] {
  return rows.map((row) => {
    const { applicable } = parametersFor(pipeKind(row))
    const fields = new Set(applicable.map(({ field }) => field))
    const current = requestedValues(row)
    const applied = Object.fromEntries(Object.entries(draft).filter(([field]) => fields.has(field)))
    const values = changedValues(applied, current)
    return {
      row,
      values,
      changes: draftChanges(applicable, values, current),
      reason: reasonOf(applicable.length, applied, values),
    }
  })
}

/** The total cost of the pipes that have a size. Null if there is none or a size is unknown. */
export function bulkCost(plan: readonly PlannedScaling[], rate: number): string | null {
  const sized = plan.filter(({ row }) => pipeKind(row) !== 'objectStorage')
  if (sized.length === 0) return null
  const now = sized.map(({ row }) => effectiveValues(row))
  const planned = sized.map(({ values }, at) => applyDraft(values, now[at] ?? {}))
  return formatCost(now.map(pipeSizeOf), planned.map(pipeSizeOf), rate)
}

function reasonOf(parameters: number, applied: Draft, values: Record<string, number>): string | null {
  if (parameters === 0) return 'database pipes of a service share one size'
  if (Object.values(applied).every((value) => value === null)) return 'these settings don’t apply to this pipe type'
  return Object.keys(values).length === 0 ? 'already has these values' : null
}
