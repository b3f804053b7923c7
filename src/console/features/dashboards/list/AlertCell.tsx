import { StatusChip, type ChipTone } from '#console/ui/StatusChip.tsx'
import { stateWord } from '../model/alertStates.ts'
import type { DashboardRow } from './rows.ts'

const tones: Record<string, ChipTone> = { ALERT: 'bad', PENDING: 'warn', OK: 'ok' }

/** How many alerts a dashboard has, and the worst of their states. */
export function AlertCell({ row }: { row: DashboardRow }) {
  if (row.alerts.length === 0 || row.worst === undefined) return null
  return (
    <StatusChip tone={tones[row.worst] ?? 'neutral'}>
      {row.alerts.length} · {stateWord(row.worst)}
    </StatusChip>
  )
}
