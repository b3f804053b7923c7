import Box from '@mui/material/Box'
import { hint } from '#console/ui/hint/hint.ts'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import type { Alert } from '#contract/alerts.ts'
import { formatRecentStates, lastChange, type RecentState } from './recentStates.ts'
import { useRecentStates } from './useRecentStates.ts'

/** Windows that are drawn. */
const shown = 24

const looks = {
  ok: { bgcolor: 'tone.okSoft', borderColor: 'tone.okSoft' },
  empty: { borderColor: 'success.main', opacity: 0.6 },
  pending: { bgcolor: 'warning.main', borderColor: 'warning.main' },
  firing: { bgcolor: 'error.main', borderColor: 'error.main' },
  unread: {
    borderColor: 'text.secondary',
    background: 'repeating-linear-gradient(135deg, transparent 0 2px, currentColor 2px 3px)',
  },
} as const satisfies Record<RecentState, object>

/** The newest windows of all rows are below each other. */
const stripSx = {
  display: 'inline-flex',
  justifyContent: 'flex-end',
  gap: '1px',
  width: shown * 6,
  verticalAlign: 'middle',
  color: 'text.secondary',
} as const

/** The states of the last windows, oldest first. */
export function StateStrip({ alert }: { alert: Alert }) {
  const { states, failed } = useRecentStates(useConnection().id, alert)
  if (!states) return failed ? <Unknown /> : null
  const windows = states.windows.slice(0, shown)
  const text = formatRecentStates(windows)
  if (windows.length === 0) return <Quiet>{text}</Quiet>
  return (
    <Box component="span" role="img" aria-label={text} {...hint(text)} sx={stripSx}>
      {windows.toReversed().map(({ end, state }) => (
        <Box
          component="span"
          key={end}
          sx={{ width: 5, height: 14, border: 1, borderRadius: '1.5px', boxSizing: 'border-box', ...looks[state] }}
        />
      ))}
    </Box>
  )
}

/** When the state last changed, as far as the windows that were read reach. */
export function LastChange({ alert }: { alert: Alert }) {
  const { states, failed } = useRecentStates(useConnection().id, alert)
  if (alert.paused?.at) return <Timestamp iso={alert.paused.at} />
  if (!states) return failed ? <Unknown /> : null
  const change = lastChange(states)
  if (!change) return <Quiet>None yet</Quiet>
  if (!change.earlier) return <Timestamp iso={change.at} />
  return (
    <span {...hint('The state did not change in the windows that were read.')}>
      over <Timestamp iso={change.at} />
    </span>
  )
}

function Unknown() {
  return <span {...hint('The evaluations of this alert could not be read.')}>unknown</span>
}

function Quiet({ children }: { children: string }) {
  return (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {children}
    </Box>
  )
}
