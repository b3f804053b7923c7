import { StatusChip, type ChipTone } from '#console/ui/StatusChip.tsx'
import { lastRunFailed, neverEvaluated } from '#console/usages/alertStatus.ts'
import { formatAlerts, type DashboardRow } from './rows.ts'

const tones: Record<string, ChipTone> = {
  ALERT: 'bad',
  PENDING: 'warn',
  [lastRunFailed]: 'warn',
  [neverEvaluated]: 'warn',
  OK: 'ok',
}

/** How many alerts a dashboard has, and the worst of their states. */
export function AlertCell({ row }: { row: DashboardRow }) {
  const words = formatAlerts(row)
  return words && <StatusChip tone={tones[row.worst ?? ''] ?? 'neutral'}>{words}</StatusChip>
}
