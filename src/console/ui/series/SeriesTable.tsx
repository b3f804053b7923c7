import { useState } from 'react'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import type { Zone } from '#domain/time/zone.ts'
import { ScrollRegion } from '../layout/ScrollRegion.tsx'
import type { Frame } from './series.ts'
import { formatBucket } from '../time/formatRangeTime.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './series.module.css'

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
      <ScrollRegion label={`Values of ${label}`} className={css.seriesTable}>
        <table className={css.seriesTableRows}>
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
        </table>
      </ScrollRegion>
      {pages > 1 && (
        <div className={css.pager}>
          <Button disabled={current === 0} onClick={() => setPage(current - 1)}>
            Earlier
          </Button>
          <Button disabled={current === pages - 1} onClick={() => setPage(current + 1)}>
            Later
          </Button>
          <span aria-live="polite">
            Rows {start + 1} to {start + times.length} of {frame.times.length}
          </span>
        </div>
      )}
    </>
  )
}
