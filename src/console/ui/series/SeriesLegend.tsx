import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { sortedLegend, type LegendColumn, type LegendRow, type LegendSort, legendColumns } from './legend.ts'
import type { ChartEvents } from './chartEvents.ts'
import { type LegendActions, LegendButton } from './LegendButton.tsx'
import { usePointedSeries } from './usePointedSeries.ts'
import { ViewEventsButton } from './ViewEventsButton.tsx'
import { groupRows } from './series.ts'
import { formatValue, type Unit } from '../units.ts'

interface SeriesLegendProps extends LegendActions {
  rows: readonly LegendRow[]
  unit: Unit
  sort: LegendSort | null
  onSort: (sort: LegendSort) => void
  events?: ChartEvents | undefined
}

/** Rows of a group that are listed before "Show all". */
const firstRows = 50

/** One style for the whole table: a style for each cell of fifty rows costs more than to draw the chart. */
const tableSx = {
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: 12,
  '& th, & td': { py: 0, px: 2.5, height: 28, textAlign: 'right', whiteSpace: 'nowrap' },
  '& th:first-of-type, & td:first-of-type': { textAlign: 'left' },
  '& thead': { position: 'sticky', top: 0, bgcolor: 'background.paper', zIndex: 1 },
  '& thead th': { fontWeight: 450, color: 'text.secondary' },
  '& thead button': { all: 'unset', cursor: 'pointer', lineHeight: '24px', minWidth: 24 },
  '& thead button:focus-visible': { outline: 2 },
  '& tbody tr': { borderTop: 1, borderColor: 'divider' },
  '& tbody th': { fontWeight: 600 },
  '& tr[data-off]': { color: 'text.secondary' },
  '& tr:has(td):hover': { bgcolor: 'action.hover' },
  '& td:first-of-type': { whiteSpace: 'normal', width: '60%' },
  '& td button': {
    all: 'unset',
    display: 'flex',
    alignItems: 'center',
    gap: 2,
    minHeight: 24,
    width: '100%',
    cursor: 'pointer',
    overflowWrap: 'anywhere',
  },
  '& .named': { display: 'flex', alignItems: 'center' },
  '& td button.events': { width: 24, justifyContent: 'center', color: 'text.secondary' },
  '& td button[aria-pressed=false]': { textDecoration: 'line-through' },
  '& td button:focus-visible': { outline: 2, outlineColor: 'primary.main', borderRadius: '3px' },
} as const

/** The series with their numbers, sorted by any column. */
export function SeriesLegend({ rows, unit, sort, onSort, events, ...actions }: SeriesLegendProps) {
  const [all, setAll] = useState(false)
  const { pointed, handlers } = usePointedSeries(events !== undefined)
  const sorted = sort ? sortedLegend(rows, sort.column, sort.down) : rows
  const groups = groupRows(sorted)
  const listed = groups.map(({ name, rows }) => ({ name, rows: all ? rows : rows.slice(0, firstRows) }))
  const hasMore = listed.reduce((sum, group) => sum + group.rows.length, 0) < sorted.length
  const sortBy = (column: LegendColumn) =>
    onSort({ column, down: sort?.column === column ? !sort.down : column !== 'label' })
  return (
    <Box sx={{ overflow: 'auto', maxHeight: 320 }} {...handlers}>
      <Box component="table" aria-label="Legend" sx={tableSx}>
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
          </tr>
        </thead>
        {listed.map((group) => (
          <tbody key={group.name}>
            {groups.length > 1 && (
              <tr>
                <th scope="rowgroup" colSpan={legendColumns.length}>
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
                  <div className="named">
                    <LegendButton row={row} {...actions}>
                      {row.series.label}
                      {row.overLimit && <small>not drawn</small>}
                    </LegendButton>
                    {events && pointed === row.series.id && <ViewEventsButton events={events} series={row.series} />}
                  </div>
                </td>
                {statColumns.map((column) => (
                  <td key={column}>{formatValue(row.stats?.[column], row.series.unit ?? unit)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </Box>
      {hasMore && (
        <Button variant="text" onClick={() => setAll(true)} sx={{ m: 1 }}>
          Show all {sorted.length} series
        </Button>
      )}
    </Box>
  )
}

const sortArrows = { none: '', ascending: ' ↑', descending: ' ↓' }
const statColumns = ['min', 'max', 'mean', 'last'] as const
