import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReadWindows } from '#console/telemetry/watched/useWatchedWindows.ts'
import { formatValue } from '#console/ui/units.ts'
import type { BacktestWarning } from '#domain/alerting/backtestWarnings.ts'
import type { FlatRegion } from '#domain/alerting/sweep.ts'
import type { BacktestFields } from './backtestFields.ts'
import { isInformation, warningText } from './backtestText.ts'
import { ViewEvents } from './ViewEvents.tsx'

interface WarningsProps {
  fields: BacktestFields
  read: ReadWindows
  warnings: readonly BacktestWarning[]
  flat: FlatRegion | null
}

/** What is worth knowing before the alert is saved, each with what can be done. */
export function Warnings({ warnings, ...rest }: WarningsProps) {
  if (warnings.length === 0) return null
  return (
    <Box component="ul" aria-label="Warnings" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {warnings.map((warning) => (
        <Box component="li" key={warning.kind} sx={rowSx}>
          <Box sx={{ display: 'flex', color: isInformation(warning) ? 'text.secondary' : 'warning.main' }}>
            {isInformation(warning) ? <Info size={15} aria-hidden /> : <TriangleAlert size={15} aria-hidden />}
          </Box>
          <Box sx={{ flexGrow: 1, minWidth: 0 }}>{warningText(warning)}</Box>
          <Action warning={warning} {...rest} />
        </Box>
      ))}
    </Box>
  )
}

const rowSx = {
  display: 'flex',
  alignItems: 'center',
  gap: 2,
  px: 3.5,
  py: 1.5,
  minHeight: 36,
  borderTop: 1,
  borderColor: 'divider',
} as const

function Action({ warning, fields, read, flat }: Omit<WarningsProps, 'warnings'> & { warning: BacktestWarning }) {
  const set = (field: 'threshold' | 'numConsecutiveWindows', value: number): ReactNode => (
    <Button size="small" sx={{ flexShrink: 0 }} onClick={() => fields.setNumber(field, value)}>
      Use {formatValue(value)}
      {field === 'numConsecutiveWindows' && ' windows'}
    </Button>
  )
  switch (warning.kind) {
    case 'neverFires':
    case 'alwaysFires':
    case 'edge':
      return flat && set('threshold', flat.suggested)
    case 'flaps':
      return warning.calmer && set('numConsecutiveWindows', warning.calmer.windows)
    case 'misaligned':
      return (
        <Button size="small" sx={{ flexShrink: 0 }} onClick={fields.removeOffset}>
          Remove offset
        </Button>
      )
    case 'heldBack':
      return <ViewEvents read={read} from={warning.start} to={warning.end} group={warning.groupKey} />
    default:
      return null
  }
}
