import { useState, type MouseEvent } from 'react'
import * as charting from '#console/charting/charting.module.css'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { formatClock, formatMoment } from '#console/ui/time/formatTime.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import type { HeatmapCells, HeatmapScale } from '#domain/series/heatmap.ts'
import { formatShort, formatValue, type Unit } from '#domain/charts/units.ts'
import type { Span } from '#domain/time/span.ts'
import type { Zone } from '#domain/time/zone.ts'
import * as css from '../dashboardView.module.css'

interface HeatmapDrawingProps {
  scale: HeatmapScale
  cells: HeatmapCells
  span: Span
  /** Milliseconds. */
  bucketMs: number
  unit: Unit
  zone: Zone
  label: string
  isStale: boolean
}

/** Cells over time and values, or the rows of the scale as a table. */
export function HeatmapDrawing({ view, ...drawing }: HeatmapDrawingProps & { view: 'chart' | 'table' }) {
  return view === 'table' ? <HeatmapTable {...drawing} /> : <HeatmapPlot {...drawing} />
}

interface Cell {
  row: number
  time: number
  count: number
}

/** Pixels of the plot between two labels of the axis of values. */
const tickDistance = 44

function HeatmapPlot({ scale, cells, span, bucketMs, unit, zone, label, isStale }: HeatmapDrawingProps) {
  const { edges } = scale
  const [ref, { width, height }] = useElementSize()
  const [pointed, setPointed] = useState<Cell | null>(null)
  const largest = Math.max(...cells.flatMap((row) => [...row.values()]), 1)
  const length = span.to - span.from
  const x = (time: number) => Math.min(Math.max((time - span.from) / length, 0), 1)
  const step = Math.max(1, Math.ceil((tickDistance * edges.length) / Math.max(height, 1)))
  const formatTime = length > 86_400_000 ? formatMoment : formatClock
  const point = ({ clientX, clientY, currentTarget }: MouseEvent<SVGSVGElement>) => {
    const box = currentTarget.getBoundingClientRect()
    const row = cells.length - 1 - Math.floor(((clientY - box.top) / box.height) * cells.length)
    const at = span.from + ((clientX - box.left) / box.width) * length
    const time = [...(cells[row]?.keys() ?? [])].find((start) => at >= start && at < start + bucketMs)
    setPointed(time === undefined ? null : { row, time, count: cells[row]?.get(time) ?? 0 })
  }
  return (
    <div className={css.heatmap} data-stale={isStale}>
      <div className={css.values} aria-hidden>
        {edges.map((edge, at) =>
          at % step === 0 ? (
            // Edges have no identity besides their place.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={at} style={{ bottom: `${(at / cells.length) * 100}%` }}>
              {formatShort(edge, unit)}
            </span>
          ) : null,
        )}
      </div>
      <div ref={ref} className={css.heatmapPlot}>
        {/* The table has the same counts. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <svg
          role="img"
          aria-label={`${label}: ${summary(scale, cells, unit)}`}
          viewBox={`0 0 1 ${cells.length}`}
          preserveAspectRatio="none"
          width={width}
          height={height}
          onMouseMove={point}
          onMouseLeave={() => setPointed(null)}
        >
          {cells.flatMap((row, place) =>
            [...row].map(([time, count]) => (
              <rect
                key={`${place} ${time}`}
                x={x(time)}
                y={cells.length - 1 - place}
                width={x(time + bucketMs) - x(time)}
                height="1"
                opacity={0.15 + (0.85 * Math.log1p(count)) / Math.log1p(largest)}
                data-pointed={pointed?.row === place && pointed.time === time}
              />
            )),
          )}
        </svg>
      </div>
      <div className={css.times}>
        {pointed ? (
          <span>
            {formatTime(pointed.time, zone)} · {rangeText(scale, pointed.row, unit)}: {formatValue(pointed.count)} rows
          </span>
        ) : (
          <>
            <span>{formatTime(span.from, zone)}</span>
            <span>up to {formatValue(largest)} rows in a cell</span>
            <span>{formatTime(span.to, zone)}</span>
          </>
        )}
      </div>
    </div>
  )
}

/** The values of a row: `120 ms to 180 ms`, `up to 1 ms`. */
function rangeText({ edges, hasLower }: HeatmapScale, row: number, unit: Unit): string {
  const [from, to] = [edges[row] ?? 0, edges[row + 1] ?? 0].map((edge) => formatShort(edge, unit))
  if (row === 0 && hasLower) return `up to ${to}`
  return from === to ? `${from}` : `${from} to ${to}`
}

const totalOf = (row: ReadonlyMap<number, number>) => [...row.values()].reduce((sum, count) => sum + count, 0)

/** Where most of the values are, for those who do not see it. */
function summary(scale: HeatmapScale, cells: HeatmapCells, unit: Unit): string {
  const totals = cells.map(totalOf)
  const commonest = totals.indexOf(Math.max(...totals))
  const highest = formatShort(scale.edges.at(-1) ?? 0, unit)
  const lowest = formatShort(scale.edges[0] ?? 0, unit)
  const all = scale.hasLower ? `values up to ${highest}` : `values from ${lowest} to ${highest}`
  return `${all}, most often ${rangeText(scale, commonest, unit)}`
}

/** The rows of the scale with values, the greatest first. */
function HeatmapTable({ scale, cells, unit, label, isStale }: HeatmapDrawingProps) {
  return (
    <ScrollRegion as="div" label={`${label}, rows by value`} className={css.heatmapScroller}>
      <table className={charting.compactTable} data-stale={isStale}>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col" className={charting.compactTableNumber}>
              Rows
            </th>
          </tr>
        </thead>
        <tbody>
          {cells
            .map((row, at) => ({ range: rangeText(scale, at, unit), total: totalOf(row), at }))
            .toReversed()
            .filter(({ total }) => total > 0)
            .map(({ range, total, at }) => (
              <tr key={at}>
                <td>{range}</td>
                <td className={charting.compactTableNumber}>{formatValue(total)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
