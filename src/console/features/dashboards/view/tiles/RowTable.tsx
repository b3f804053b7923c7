import type { ReactNode } from 'react'
import * as charting from '#console/charting/charting.module.css'
import type { ResultColumn, ResultRow } from '#console/charting/rows/columns.ts'
import { severityTone } from '#console/charting/rows/rowFormat.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { formatClock, formatMoment } from '#console/ui/time/formatTime.ts'
import { formatNanoseconds } from '#domain/charts/units.ts'
import type { Span } from '#domain/time/span.ts'
import type { Zone } from '#domain/time/zone.ts'
import * as css from './tiles.module.css'

const day = 86_400_000

interface RowTableProps {
  columns: readonly ResultColumn[]
  /** With unique keys. */
  rows: readonly ResultRow[]
  /** The range of the rows. Times have dates if it is longer than a day. */
  span: Span
  zone: Zone
  /** The cell of the time of a row, such as a link to it; the text alone, if absent. */
  renderTime?: (row: ResultRow, text: string) => ReactNode
}

/** Rows with their time and columns, in an element with the class `tile`. */
export function RowTable({ columns, rows, span, zone, renderTime = (_, text) => text }: RowTableProps) {
  const formatTime = span.to - span.from > day ? formatMoment : formatClock
  return (
    <table className={charting.compactTable}>
      <thead>
        <tr>
          {['Time', ...columns.map(({ expression }) => expression)].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <td>{renderTime(row, Number.isNaN(row.at) ? row.time : formatTime(row.at, zone, 'millisecond'))}</td>
            {columns.map((column, place) => (
              <td key={column.expression} className={column.wide ? css.rowsWide : ''}>
                <RowCell column={column} value={row.values[place] ?? ''} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RowCell({ column: { role }, value }: { column: ResultColumn; value: string }) {
  if (role === 'severity' && value !== '') return <StatusChip tone={severityTone(value)}>{value}</StatusChip>
  return role === 'duration' ? formatNanoseconds(value) : value
}
