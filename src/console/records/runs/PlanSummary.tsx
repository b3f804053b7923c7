import type { TargetPlan } from '#contract/console/runs.ts'
import { counted } from '#domain/text/words.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { formatEstimate } from '#console/ui/time/formatLength.ts'
import { actionTones } from './PlanTable.tsx'
import * as css from './runs.module.css'

/** "1 create, 11 update; 117 unchanged; 41 requests, about 1 min". */
export function PlanSummary({ plan }: { plan: TargetPlan }) {
  const { counts, requests, seconds } = plan
  const actions = (['create', 'update', 'delete'] as const).filter((action) => counts[action] > 0)
  return (
    <span className={css.planSummary}>
      {actions.map((action) => (
        <StatusChip key={action} tone={actionTones[action]}>
          {counts[action]} {action}
        </StatusChip>
      ))}
      <span>
        {counts.same} unchanged
        {requests > 0 && ` · ${counted(requests, 'request')}, ${formatEstimate(seconds)}`}
      </span>
    </span>
  )
}
