import type { ResultColumn } from '#console/telemetry/rows/columns.ts'
import { severityTone } from '#console/telemetry/rows/rowFormat.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { formatNanoseconds } from '#domain/charts/units.ts'

/** A value of a row. */
export function RowCell({ column: { role }, value }: { column: ResultColumn; value: string }) {
  if (role === 'severity' && value !== '') return <StatusChip tone={severityTone(value)}>{value}</StatusChip>
  return role === 'duration' ? formatNanoseconds(value) : value
}
