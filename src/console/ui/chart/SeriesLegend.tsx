import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { sortedLegend, type LegendColumn, type LegendRow, legendColumns } from './legend.ts'
import { groupRows } from './series.ts'
import { Swatch } from './Swatch.tsx'
import { formatValue, type Unit } from './units.ts'

interface SeriesLegendProps {
  rows: readonly LegendRow[]
  unit: Unit
  onIsolate: (id: string) => void
  onToggle: (id: string) => void
}

/** Rows of a group that are shown before "Show all": a screenful of series is what a person compares. */
const firstRows = 50

/** One style for the whole table: a style for each cell of fifty rows costs more than drawing the chart. */
const table = {
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
  '& td button[aria-pressed=false]': { textDecoration: 'line-through' },
  '& td button:focus-visible': { outline: 2, outlineColor: 'primary.main', borderRadius: '3px' },
} as const

/** The series with their numbers. A click shows one alone, Ctrl or Cmd click (or Space) turns one on and off. */
export function SeriesLegend({ rows, unit, onIsolate, onToggle }: SeriesLegendProps) {
  const [sort, setSort] = useState<{ column: LegendColumn; down: boolean } | null>(null)
  const [all, setAll] = useState(false)
  const sorted = sort ? sortedLegend(rows, sort.column, sort.down) : rows
  const groups = groupRows(sorted)
  const listed = groups.map(({ name, rows }) => ({ name, rows: all ? rows : rows.slice(0, firstRows) }))
  const rest = listed.reduce((left, group) => left - group.rows.length, sorted.length)
  const sortBy = (column: LegendColumn) =>
    setSort((before) => ({ column, down: before?.column === column ? !before.down : column !== 'label' }))
  return (
    <Box sx={{ overflow: 'auto', maxHeight: 320 }}>
      <Box component="table" aria-label="Legend" sx={table}>
        <thead>
          <tr>
            {legendColumns.map(({ column, title }) => (
              <th
                key={column}
                scope="col"
                aria-sort={sort?.column === column ? (sort.down ? 'descending' : 'ascending') : 'none'}
              >
                <HeaderButton
                  title={title}
                  active={sort?.column === column}
                  down={sort?.down ?? true}
                  onClick={() => sortBy(column)}
                />
              </th>
            ))}
          </tr>
        </thead>
        {listed.map((group) => (
          <tbody key={group.name}>
            {groups.length > 1 && <GroupLine name={group.name} />}
            {group.rows.map((row) => (
              <LegendLine key={row.series.id} row={row} unit={unit} onIsolate={onIsolate} onToggle={onToggle} />
            ))}
          </tbody>
        ))}
      </Box>
      {rest > 0 && (
        <Button variant="text" onClick={() => setAll(true)} sx={{ m: 1 }}>
          Show all {sorted.length} series
        </Button>
      )}
    </Box>
  )
}

interface HeaderButtonProps {
  title: string
  active: boolean
  down: boolean
  onClick: () => void
}

function HeaderButton({ title, active, down, onClick }: HeaderButtonProps) {
  return (
    <button type="button" onClick={onClick}>
      {title}
      <span aria-hidden>{active ? (down ? ' ↓' : ' ↑') : ''}</span>
    </button>
  )
}

function GroupLine({ name }: { name: string }) {
  return (
    <tr>
      <th scope="rowgroup" colSpan={legendColumns.length}>
        {name || 'Others'}
      </th>
    </tr>
  )
}

interface LegendLineProps {
  row: LegendRow
  unit: Unit
  onIsolate: (id: string) => void
  onToggle: (id: string) => void
}

function LegendLine({ row, unit, onIsolate, onToggle }: LegendLineProps) {
  const { series, style, stats, hidden, beyond } = row
  const value = (number: number | undefined) => formatValue(number, series.unit ?? unit)
  return (
    <tr data-off={hidden || beyond ? '' : undefined}>
      <td>
        <button
          type="button"
          aria-pressed={!hidden}
          title={
            beyond
              ? 'Not drawn: beyond the limit. Click to draw it alone.'
              : 'Click: only this. Ctrl or Cmd click: on or off.'
          }
          onClick={(event) => (event.ctrlKey || event.metaKey ? onToggle(series.id) : onIsolate(series.id))}
          onKeyDown={(event) => {
            if (event.key !== ' ') return
            event.preventDefault()
            onToggle(series.id)
          }}
        >
          <Swatch style={style} ghost={series.ghost === true || hidden || beyond} overlay={series.overlay} />
          {series.label}
          {beyond && <small>not drawn</small>}
        </button>
      </td>
      <td>{value(stats?.min)}</td>
      <td>{value(stats?.max)}</td>
      <td>{value(stats?.mean)}</td>
      <td>{value(stats?.last)}</td>
    </tr>
  )
}
