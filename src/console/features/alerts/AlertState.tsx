import { TriangleAlert } from 'lucide-react'
import { hint } from '#console/ui/hint/hint.ts'
import { problemsBeside, shownState } from '#console/references/alertStatus.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Alert } from '#contract/alerts.ts'
import type { Tile } from '#contract/dashboards.ts'
import { formatAlertState, formatPending } from '#console/shell/alerts/alertStates.ts'
import css from './AlertState.module.css'

interface AlertStateProps {
  alert: Alert
  tile: Tile | undefined
  /** Deployments call an alert OK that they have not evaluated yet. */
  isUnevaluated?: boolean
}

/** The state of an alert, with a mark for problems of its last run. */
export function AlertState({ alert, tile, isUnevaluated = false }: AlertStateProps) {
  const state = shownState(alert, tile)
  const { label, tone } =
    isUnevaluated && state === 'OK'
      ? ({ label: 'Not evaluated yet', tone: 'neutral' } as const)
      : formatAlertState(state)
  const problems = problemsBeside(alert, tile).join(' ')
  return (
    <span className={css.alertState}>
      <StatusChip tone={tone}>{state === 'PENDING' ? formatPending(alert) : label}</StatusChip>
      {problems && (
        <span {...hint(problems)} role="img" aria-label={problems} className={css.problems}>
          <TriangleAlert size={14} aria-hidden />
        </span>
      )}
    </span>
  )
}
