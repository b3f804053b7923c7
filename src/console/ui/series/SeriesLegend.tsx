import { useState } from 'react'
import { changesOf, sortedLegend, type LegendColumn, type LegendRow, type LegendSort, legendColumns } from './legend.ts'
import type { ChartEvents } from './chartEvents.ts'
import { type LegendActions, LegendButton, useLegendKeys, usePointedSeries, ViewEventsButton } from './LegendButton.tsx'
import { groupRows, type Series } from './series.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './series.module.css'

interface SeriesLegendProps extends LegendActions {
  rows: readonly LegendRow[]
  unit: Unit
  sort: LegendSort | null
  onSort: (sort: LegendSort) => void
  /** The groups; those of the series by default. */
  groupOf?: ((series: Series) => string) | undefined
  events?: ChartEvents | undefined
}

/** Rows of a group that are listed before "Show all". */
const firstRows = 50

/** The series with their numbers, sorted by any column. */
export function SeriesLegend({ rows, unit, sort, onSort, groupOf, events, ...actions }: SeriesLegendProps) {
  const [all, setAll] = useState(false)
  const { pointed, handlers } = usePointedSeries(events !== undefined)
  const sorted = sort ? sortedLegend(rows, sort.column, sort.down) : rows
  const groups = groupRows(sorted, groupOf)
  const changes = changesOf(rows)
  const columns = legendColumns.length + (changes.size > 0 ? 1 : 0)
  const listed = groups.map(({ name, rows }) => ({ name, rows: all ? rows : rows.slice(0, firstRows) }))
  const { tabIndexOf, keys } = useLegendKeys(
    listed.flatMap(({ rows }) => rows.map(({ series }) => series.id)),
    handlers,
  )
  const hasMore = listed.reduce((sum, group) => sum + group.rows.length, 0) < sorted.length
  const sortBy = (column: LegendColumn) =>
    onSort({ column, down: sort?.column === column ? !sort.down : column !== 'label' })
  return (
    <div className={css.seriesLegend} {...handlers} {...keys}>
      <table aria-label="Legend" className={css.seriesLegendTable}>
        <thead>
          <tr>
            {legendColumns.map(({ column, title }) => {
              const order = sort?.column !== column ? 'none' : sort.down ? 'descending' : 'ascending'
              return (
                <th key={column} scope="col" aria-sort={order}>
                  <button type="button" onClick={() => sortBy(column)}>
                    {title}
                    <span aria-hidden>{sortArrows[order]}</span>
                  </button>
                </th>
              )
            })}
            {changes.size > 0 && <th scope="col">Change</th>}
          </tr>
        </thead>
        {listed.map((group) => (
          <tbody key={group.name}>
            {groups.length > 1 && (
              <tr>
                <th scope="rowgroup" colSpan={columns}>
                  {group.name || 'Others'}
                </th>
              </tr>
            )}
            {group.rows.map((row) => (
              <tr
                key={row.series.id}
                data-series={row.series.id}
                data-off={row.hidden || row.overLimit ? '' : undefined}
              >
                <td>
                  <div className={css.named}>
                    <LegendButton row={row} tabIndex={tabIndexOf(row.series.id)} {...actions}>
                      {row.series.label}
                      {row.overLimit && <small>not drawn</small>}
                    </LegendButton>
                    {events && pointed === row.series.id && <ViewEventsButton events={events} series={row.series} />}
                  </div>
                </td>
                {statColumns.map((column) => (
                  <td key={column}>{formatValue(row.stats?.[column], row.series.unit ?? unit)}</td>
                ))}
                {changes.size > 0 && <td>{changes.get(row.series.id) ?? ''}</td>}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {hasMore && (
        <Button variant="text" onClick={() => setAll(true)} className={css.showAllButton}>
          Show all {sorted.length} series
        </Button>
      )}
    </div>
  )
}

const sortArrows = { none: '', ascending: ' ↑', descending: ' ↓' }
const statColumns = ['min', 'max', 'mean', 'last'] as const
