import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { ScrollRegion } from '../ScrollRegion.tsx'
import type { Zone } from '../time/zone.ts'
import type { Frame } from './series.ts'
import { bucketLabel } from './ticks.ts'
import { formatValue, type Unit } from './units.ts'

interface SeriesTableProps {
  frame: Frame
  bucketMs: number
  zone: Zone
  unit: Unit
  label: string
  isComplete: (time: number) => boolean
}

/** Rows of one page: a browser and a screen reader both walk this many with ease. */
const pageRows = 100

const cell = {
  py: 1,
  px: 2.5,
  textAlign: 'right',
  whiteSpace: 'nowrap',
  borderBottom: 1,
  borderColor: 'divider',
} as const

/** The chart as a table: one row a bucket, one column a series, in pages. */
export function SeriesTable({ frame, bucketMs, zone, unit, label, isComplete }: SeriesTableProps) {
  const [page, setPage] = useState(0)
  const pages = Math.max(1, Math.ceil(frame.times.length / pageRows))
  // Fewer rows than before may have come in.
  const current = Math.min(page, pages - 1)
  const start = current * pageRows
  const times = frame.times.slice(start, start + pageRows)
  return (
    <>
      <ScrollRegion label={`Values of ${label}`} sx={{ maxHeight: 480 }}>
        <Box component="table" sx={{ borderCollapse: 'separate', borderSpacing: 0, fontSize: 12, minWidth: '100%' }}>
          <caption style={{ position: 'absolute', clipPath: 'inset(50%)' }}>{label}</caption>
          <Box component="thead" sx={{ position: 'sticky', top: 0, bgcolor: 'background.paper', zIndex: 1 }}>
            <tr>
              <Box
                component="th"
                scope="col"
                sx={{ ...cell, textAlign: 'left', fontWeight: 450, color: 'text.secondary' }}
              >
                Time
              </Box>
              {frame.rows.map(({ series }) => (
                <Box
                  key={series.id}
                  component="th"
                  scope="col"
                  sx={{ ...cell, fontWeight: 450, color: 'text.secondary' }}
                >
                  {series.label}
                </Box>
              ))}
            </tr>
          </Box>
          <tbody>
            {times.map((time, at) => (
              <tr key={time}>
                <Box component="th" scope="row" sx={{ ...cell, textAlign: 'left', fontWeight: 450 }}>
                  {bucketLabel(time, bucketMs, zone)}
                  {!isComplete(time) && <span> (not complete)</span>}
                </Box>
                {frame.rows.map(({ series, values }) => (
                  <Box key={series.id} component="td" sx={cell}>
                    {formatValue(values[start + at], series.unit ?? unit)}
                  </Box>
                ))}
              </tr>
            ))}
          </tbody>
        </Box>
      </ScrollRegion>
      {pages > 1 && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, pt: 2 }}>
          <Button disabled={current === 0} onClick={() => setPage(current - 1)}>
            Earlier
          </Button>
          <Button disabled={current === pages - 1} onClick={() => setPage(current + 1)}>
            Later
          </Button>
          <span aria-live="polite">
            Rows {start + 1} to {start + times.length} of {frame.times.length}
          </span>
        </Box>
      )}
    </>
  )
}
