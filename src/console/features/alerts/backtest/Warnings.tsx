import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReadWindows } from '#console/charting/watched/useWatchedWindows.ts'
import { formatValue } from '#domain/charts/units.ts'
import type { BacktestWarning } from '#domain/alerting/backtestWarnings.ts'
import type { FlatRegion } from '#domain/alerting/sweep.ts'
import { Button } from '#console/ui/base/Button.tsx'
import type { BacktestFields } from './backtestFields.ts'
import { isInformation, warningText } from './backtestText.ts'
import { ViewEvents } from './FiringsTable.tsx'
import * as css from '../alerts.module.css'

interface WarningsProps {
  fields: BacktestFields
  read: ReadWindows
  warnings: readonly BacktestWarning[]
  flat: FlatRegion | null
}

/** Warnings before the alert is saved, each with its remedy. */
export function Warnings({ warnings, ...rest }: WarningsProps) {
  if (warnings.length === 0) return null
  return (
    <ul aria-label="Warnings" className={css.warnings}>
      {warnings.map((warning) => (
        <li key={warning.kind} className={css.warning}>
          <div className={css.warningsIcon} data-tone={isInformation(warning) ? undefined : 'warning'}>
            {isInformation(warning) ? <Info size={15} aria-hidden /> : <TriangleAlert size={15} aria-hidden />}
          </div>
          <div className={css.warningsText}>{warningText(warning, rest.read.unit)}</div>
          <Action warning={warning} {...rest} />
        </li>
      ))}
    </ul>
  )
}

function Action({ warning, fields, read, flat }: Omit<WarningsProps, 'warnings'> & { warning: BacktestWarning }) {
  const set = (field: 'threshold' | 'numConsecutiveWindows', value: number): ReactNode => (
    <Button size="small" className={css.warningsAction} onClick={() => fields.setNumber(field, value)}>
      Use {field === 'threshold' ? formatValue(value, read.unit) : `${formatValue(value)} windows`}
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
        <Button size="small" className={css.warningsAction} onClick={fields.removeOffset}>
          Remove offset
        </Button>
      )
    case 'heldBack':
      return <ViewEvents read={read} from={warning.start} to={warning.end} group={warning.groupKey} />
    default:
      return null
  }
}
