import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { sortedLegend, type LegendColumn, type LegendRow, legendColumns } from './legend.ts'
import { byGroup } from './series.ts'
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

const cell = { py: 0, px: 2.5, height: 28, textAlign: 'right', whiteSpace: 'nowrap' } as const

/** The series with their numbers. A click shows one alone, Ctrl or Cmd click (or Space) turns one on and off. */
export function SeriesLegend({ rows, unit, onIsolate, onToggle }: SeriesLegendProps) {
  const [sort, setSort] = useState<{ column: LegendColumn; down: boolean } | null>(null)
  const [all, setAll] = useState(false)
  const sorted = sort ? sortedLegend(rows, sort.column, sort.down) : rows
  const groups = byGroup(sorted)
  const listed = groups.map(({ name, rows }) => ({ name, rows: all ? rows : rows.slice(0, firstRows) }))
  const rest = listed.reduce((left, group) => left - group.rows.length, sorted.length)
  const sortBy = (column: LegendColumn) =>
    setSort((before) => ({ column, down: before?.column === column ? !before.down : column !== 'label' }))
  return (
    <Box sx={{ overflow: 'auto', maxHeight: 320 }}>
      <Box component="table" aria-label="Legend" sx={{ width: '100%', borderCollapse: 'collapse', fontSize: 12 }}>
        <Box component="thead" sx={{ position: 'sticky', top: 0, bgcolor: 'background.paper', zIndex: 1 }}>
          <tr>
            {legendColumns.map(({ column, title }) => (
              <Box
                key={column}
                component="th"
                scope="col"
                aria-sort={sort?.column === column ? (sort.down ? 'descending' : 'ascending') : 'none'}
                sx={{
                  ...cell,
                  textAlign: column === 'label' ? 'left' : 'right',
                  fontWeight: 450,
                  color: 'text.secondary',
                }}
              >
                <HeaderButton
                  title={title}
                  active={sort?.column === column}
                  down={sort?.down ?? true}
                  onClick={() => sortBy(column)}
                />
              </Box>
            ))}
          </tr>
        </Box>
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
    <Box
      component="button"
      type="button"
      onClick={onClick}
      sx={{ all: 'unset', cursor: 'pointer', lineHeight: '24px', minWidth: 24, '&:focus-visible': { outline: 2 } }}
    >
      {title}
      <span aria-hidden>{active ? (down ? ' ↓' : ' ↑') : ''}</span>
    </Box>
  )
}

function GroupLine({ name }: { name: string }) {
  return (
    <Box component="tr" sx={{ borderTop: 1, borderColor: 'divider' }}>
      <Box
        component="th"
        scope="rowgroup"
        colSpan={legendColumns.length}
        sx={{ ...cell, textAlign: 'left', fontWeight: 600 }}
      >
        {name || 'Others'}
      </Box>
    </Box>
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
    <Box
      component="tr"
      sx={{
        color: hidden || beyond ? 'text.secondary' : undefined,
        borderTop: 1,
        borderColor: 'divider',
        '&:hover': { bgcolor: 'action.hover' },
      }}
    >
      <Box component="td" sx={{ ...cell, textAlign: 'left', whiteSpace: 'normal', width: '60%' }}>
        <Box
          component="button"
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
          sx={{
            all: 'unset',
            display: 'flex',
            alignItems: 'center',
            gap: 2,
            minHeight: 24,
            width: '100%',
            cursor: 'pointer',
            overflowWrap: 'anywhere',
            textDecoration: hidden ? 'line-through' : 'none',
            '&:focus-visible': { outline: 2, outlineColor: 'primary.main', borderRadius: '3px' },
          }}
        >
          <Swatch style={style} ghost={series.ghost === true || hidden || beyond} overlay={series.overlay} />
          {series.label}
          {beyond && <Box component="small">not drawn</Box>}
        </Box>
      </Box>
      <Box component="td" sx={cell}>
        {value(stats?.min)}
      </Box>
      <Box component="td" sx={cell}>
        {value(stats?.max)}
      </Box>
      <Box component="td" sx={cell}>
        {value(stats?.mean)}
      </Box>
      <Box component="td" sx={cell}>
        {value(stats?.last)}
      </Box>
    </Box>
  )
}
