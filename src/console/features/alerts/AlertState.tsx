import { TriangleAlert, UserCheck } from 'lucide-react'
import { hint } from '#console/ui/hint/hint.ts'
import { problemsBeside, shownState } from '#console/usages/alertStatus.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Alert } from '#contract/stack/alerts.ts'
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import { formatAcknowledged, formatAlertState, formatPending } from '#console/records/alerts/alertStates.ts'
import { useUnevaluatedLabel } from './list/evaluationQuery.ts'
import * as css from './alerts.module.css'

interface AlertStateProps {
  alert: Alert
  tile: Tile | undefined
  /** Deployments call an alert OK that they have not evaluated yet. */
  isUnevaluated?: boolean
}

/** The state of an alert, with marks for problems of its last run, and for somebody who takes care of it. */
export function AlertState({ alert, tile, isUnevaluated = false }: AlertStateProps) {
  const state = shownState(alert, tile)
  const unevaluated = useUnevaluatedLabel()
  const { label, tone } =
    isUnevaluated && state === 'OK' ? ({ label: unevaluated, tone: 'neutral' } as const) : formatAlertState(state)
  const acknowledged = formatAcknowledged(alert)
  const problems = problemsBeside(alert, tile).join(' ')
  return (
    <span className={css.alertState}>
      <StatusChip tone={tone}>{state === 'PENDING' ? formatPending(alert) : label}</StatusChip>
      {acknowledged && (
        <span {...hint(acknowledged)} role="img" aria-label={acknowledged} className={css.acknowledged}>
          <UserCheck size={14} aria-hidden />
        </span>
      )}
      {problems && (
        <span {...hint(problems)} role="img" aria-label={problems} className={css.problems}>
          <TriangleAlert size={14} aria-hidden />
        </span>
      )}
    </span>
  )
}
