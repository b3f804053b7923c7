import { useImperativeHandle, type Ref } from 'react'
import * as charting from '#console/charting/charting.module.css'
import { csvLines, textOf } from '#console/charting/sqlResult/resultFiles.ts'
import { kindOf, numberIn } from '#console/charting/sqlResult/resultSeries.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { unitOf } from '#console/charting/tiles/sqlTile.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import type { SqlResult } from '#contract/stack/sql.ts'
import { formatValue } from '#domain/charts/units.ts'
import type { Zone } from '#domain/time/zone.ts'
import { NoData } from './NoData.tsx'
import type { TileExport } from './tileExport.ts'
import * as css from './tiles.module.css'

/** Rows that are drawn. */
const maxRows = 200

interface SqlTableProps {
  config: TileConfig
  label: string
  result: Pick<SqlResult, 'columns' | 'rows' | 'isTruncated'>
  zone: Zone
  drawn: Ref<TileExport | null> | undefined
}

/** The rows of a statement in their order. Numbers have the format of the tile, if it has one. */
export function SqlTable({ config, label, result, zone, drawn }: SqlTableProps) {
  const { columns, rows, isTruncated } = result
  useImperativeHandle(drawn, () => ({ lines: () => csvLines(result) }))
  const shownAs = (type: string, value: unknown): string => {
    const kind = kindOf(type)
    if (value === null) return 'NULL'
    if (kind === 'time') return timeText(value, zone)
    const isFormatted = kind === 'number' && config.numberFormat !== undefined
    return isFormatted ? formatValue(numberIn(value), unitOf(config)) : textOf(value)
  }
  if (rows.length === 0) return <NoData />
  return (
    // Without a tab stop the arrow keys would have nothing to scroll.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.totalTable} tabIndex={0} role="region" aria-label={label}>
      <table className={charting.compactTable}>
        <thead>
          <tr>
            {columns.map(({ name, type }, at) => (
              // Columns may share a name.
              // oxlint-disable-next-line react/no-array-index-key
              <th key={at} scope="col" className={kindOf(type) === 'number' ? charting.compactTableNumber : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map((row, place) => (
            // Rows have no identity besides their place.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={place}>
              {columns.map(({ type }, at) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td
                  key={at}
                  className={kindOf(type) === 'number' ? charting.compactTableNumber : css.totalTableGroupName}
                >
                  {shownAs(type, row[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {(rows.length > maxRows || isTruncated) && (
        <div className={css.tileTableNote}>
          Showing the first {Math.min(rows.length, maxRows)} of {isTruncated ? 'more than ' : ''}
          {rows.length.toLocaleString('en')} rows.
        </div>
      )}
    </div>
  )
}

/** Days have no zone: they stay as they are. */
function timeText(value: unknown, zone: Zone): string {
  const time = Date.parse(String(value))
  return Number.isNaN(time) || !String(value).includes('T') ? textOf(value) : formatMoment(time, zone)
}
