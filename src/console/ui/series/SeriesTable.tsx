import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { ScrollRegion } from '../layout/ScrollRegion.tsx'
import type { Zone } from '../time/zone.ts'
import type { Frame } from './series.ts'
import { formatBucket } from '../time/formatTime.ts'
import { formatValue, type Unit } from '../units.ts'

interface SeriesTableProps {
  frame: Frame
  bucketMs: number
  zone: Zone
  unit: Unit
  label: string
  isComplete: (time: number) => boolean
}

/** Rows of one page. */
const pageRows = 100

/** One style for the whole table: a page of fifty series has five thousand cells. */
const tableSx = {
  borderCollapse: 'separate',
  borderSpacing: 0,
  fontSize: 12,
  minWidth: '100%',
  '& caption': { position: 'absolute', clipPath: 'inset(50%)' },
  '& thead': { position: 'sticky', top: 0, bgcolor: 'background.paper', zIndex: 1 },
  '& th, & td': {
    py: 1,
    px: 2.5,
    textAlign: 'right',
    whiteSpace: 'nowrap',
    borderBottom: 1,
    borderColor: 'divider',
  },
  '& th': { fontWeight: 450 },
  '& th:first-of-type': { textAlign: 'left' },
  '& thead th': { color: 'text.secondary' },
} as const

/** The chart as a table: one row a bucket, one column a series, in pages. */
export function SeriesTable({ frame, bucketMs, zone, unit, label, isComplete }: SeriesTableProps) {
  const [page, setPage] = useState(0)
  const pages = Math.max(1, Math.ceil(frame.times.length / pageRows))
  // There may be fewer rows than before.
  const current = Math.min(page, pages - 1)
  const start = current * pageRows
  const times = frame.times.slice(start, start + pageRows)
  return (
    <>
      <ScrollRegion label={`Values of ${label}`} sx={{ maxHeight: 480 }}>
        <Box component="table" sx={tableSx}>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {frame.rows.map(({ series }) => (
                <th key={series.id} scope="col">
                  {series.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time, at) => (
              <tr key={time}>
                <th scope="row">
                  {formatBucket(time, bucketMs, zone)}
                  {!isComplete(time) && <span> (not complete)</span>}
                </th>
                {frame.rows.map(({ series, values }) => (
                  <td key={series.id}>{formatValue(values[start + at], series.unit ?? unit)}</td>
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
