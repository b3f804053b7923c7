import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { TriangleAlert } from 'lucide-react'
import { problemsBeside, shownState } from '#console/references/alertStatus.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Alert } from '#contract/alerts.ts'
import type { Tile } from '#contract/dashboards.ts'
import { formatAlertState, formatPending } from '#console/shell/alerts/alertStates.ts'

/** The state of an alert, with a mark for problems of its last run. */
export function AlertState({ alert, tile }: { alert: Alert; tile: Tile | undefined }) {
  const state = shownState(alert, tile)
  const { label, tone } = formatAlertState(state)
  const problems = problemsBeside(alert, tile).join(' ')
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
      <StatusChip tone={tone}>{state === 'PENDING' ? formatPending(alert) : label}</StatusChip>
      {problems && (
        <Tooltip title={problems}>
          <Box component="span" role="img" aria-label={problems} sx={{ display: 'inline-flex', color: 'warning.main' }}>
            <TriangleAlert size={14} aria-hidden />
          </Box>
        </Tooltip>
      )}
    </Box>
  )
}
