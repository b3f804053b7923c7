/** The state of the history page in its address. */
import { z } from 'zod'
import { changeCauses, changeOutcomes } from '#contract/console/history.ts'
import type { ChangeFilter } from '#console/api/gateway/history.ts'

const text = z.string().optional().catch(undefined)

export const historyState = z.object({
  view: z.enum(['changes', 'deleted']).catch('changes'),
  kind: text,
  /** Only the changes of one record. */
  record: text,
  /** The deleted record to bring back: its kind and ID, as in `alerts/1`. */
  back: text,
  cause: z.enum(changeCauses).optional().catch(undefined),
  outcome: z.enum(changeOutcomes).optional().catch(undefined),
  actor: text,
  /** Only changes of a range. */
  from: z.iso.datetime().optional().catch(undefined),
  to: z.iso.datetime().optional().catch(undefined),
  /** The selected change. */
  change: z.coerce.number().int().positive().optional().catch(undefined),
  /** The moment to restore to. */
  at: z.iso.datetime().optional().catch(undefined),
  /** The run that was started from here. */
  run: text,
  /** The dialog for files that is open. */
  files: z.enum(['export', 'import']).optional().catch(undefined),
})
export type HistoryState = z.output<typeof historyState>

export function filterOf({ kind, record, cause, outcome, actor, from, to }: HistoryState): ChangeFilter {
  return { kind, recordId: record, cause, outcome, actor, from, to }
}
