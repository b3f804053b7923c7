import type { TargetPlan } from '#contract/runs.ts'
import { counted } from '#console/ui/format.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { actionTones } from './PlanTable.tsx'
import css from './PlanSummary.module.css'

/** "1 create, 11 update; 117 unchanged; 41 requests, about 1 min". */
export function PlanSummary({ plan }: { plan: TargetPlan }) {
  const { counts, requests, seconds } = plan
  const actions = (['create', 'update', 'delete'] as const).filter((action) => counts[action] > 0)
  return (
    <span className={css.summary}>
      {actions.map((action) => (
        <StatusChip key={action} tone={actionTones[action]}>
          {counts[action]} {action}
        </StatusChip>
      ))}
      <span>
        {counts.same} unchanged
        {requests > 0 && ` · ${counted(requests, 'request')}, ${formatDuration(seconds)}`}
      </span>
    </span>
  )
}

/** "about 40 s", "about 3 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return 'less than a second'
  return seconds < 90 ? `about ${Math.ceil(seconds)} s` : `about ${Math.round(seconds / 60)} min`
}
