import { useImperativeHandle, useMemo, useState, type MouseEvent, type Ref } from 'react'
import { formatError } from '#console/api/errors.ts'
import {
  boundsConfig,
  distributionConfig,
  heatmapCells,
  heatmapScale,
  type HeatmapScale,
} from '#console/telemetry/tiles/heatmap.ts'
import { type AutomaticUnit, tileLines, tileTotal } from '#console/telemetry/tiles/tileData.ts'
import type { TileConfig } from '#console/telemetry/tiles/tileConfig.ts'
import { planTile, type QueryPlan } from '#console/telemetry/tiles/tileQuery.ts'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { ErrorState } from '#console/ui/ErrorState.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { formatClock, formatMoment } from '#console/ui/time/formatTime.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import { formatShort, formatValue, type Unit } from '#domain/charts/units.ts'
import type { Zone } from '#domain/time/zone.ts'
import type { TileData } from '../../model/dataScope.ts'
import { DefinitionTile } from './DefinitionTile.tsx'
import { NoData } from './NoData.tsx'
import type { TileExport } from './tileExport.ts'
import { useTileData, type TileAnswers } from './useTileData.ts'
import css from './HeatmapTile.module.css'

interface HeatmapTileProps {
  config: TileConfig
  label: string
  /** The bounds of its values. */
  answers: TileAnswers
  automatic: AutomaticUnit
  data: TileData
  near: boolean
  view: 'chart' | 'table'
  drawn: Ref<TileExport | null> | undefined
}

/** How the values of rows are distributed over time: the darker a cell, the more rows have such a value then. */
export function HeatmapTile(props: HeatmapTileProps) {
  const { config, label, answers, automatic, data, near, view, drawn } = props
  const { scope } = data
  const bounds = tileTotal(boundsConfig(config), answers.plan, answers.points, answers.plan.span, automatic)
  const [low, high] = bounds.rows[0]?.values ?? []
  const unit = bounds.columns[0]?.unit ?? 'number'
  const scale = useMemo(
    () => (typeof low === 'number' && typeof high === 'number' ? heatmapScale(config, { low, high }) : null),
    [config, low, high],
  )
  const counted = useMemo(() => scale && distributionConfig(config, scale), [config, scale])
  const plan = counted && scope ? planTile(counted, scope) : null
  const counts = useTileData(data.connectionId ?? '', plan?.kind === 'query' ? plan : null, near, data.sources)
  const cells = useMemo(
    () =>
      scale && counted && counts.data
        ? heatmapCells(tileLines(counted, counts.data.plan, counts.data.points), scale.edges.length - 1)
        : null,
    [scale, counted, counts.data],
  )
  useImperativeHandle<TileExport | null, TileExport | null>(drawn, () =>
    scale && cells ? { lines: () => csvLines(scale, cells) } : null,
  )
  if (!scale) return <NoData />
  if (plan?.kind === 'none') return <DefinitionTile config={config} reason={plan.reason} />
  if (counts.isError) {
    return <ErrorState error={formatError(counts.error, location.pathname)} onRetry={() => void counts.refetch()} />
  }
  if (!cells || !counts.data) return <Skeleton variant="rounded" className={css.skeleton} />
  const drawing = { scale, cells, unit, zone: data.zone, label, plan: counts.data.plan }
  return view === 'table' ? <HeatmapTable {...drawing} /> : <HeatmapPlot {...drawing} />
}

type Cells = readonly ReadonlyMap<number, number>[]

interface DrawingProps {
  scale: HeatmapScale
  cells: Cells
  unit: Unit
  zone: Zone
  label: string
  plan: QueryPlan
}

interface Cell {
  row: number
  time: number
  count: number
}

/** Pixels of the plot between two labels of the axis of values. */
const tickDistance = 44

function HeatmapPlot({ scale: { edges }, cells, unit, zone, label, plan: { span, bucketMs } }: DrawingProps) {
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
    <div className={css.heatmap}>
      <div className={css.values} aria-hidden>
        {edges.map((edge, at) =>
          at % step === 0 ? (
            <span key={edge} style={{ bottom: `${(at / cells.length) * 100}%` }}>
              {formatShort(edge, unit)}
            </span>
          ) : null,
        )}
      </div>
      <div ref={ref} className={css.plot}>
        {/* The table has the same counts. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <svg
          role="img"
          aria-label={`${label}: ${summary({ edges, cells, unit })}`}
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
            {formatTime(pointed.time, zone)} · {rangeText(edges, pointed.row, unit)}: {formatValue(pointed.count)} rows
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

const rangeText = (edges: readonly number[], row: number, unit: Unit) =>
  `${formatShort(edges[row] ?? 0, unit)} to ${formatShort(edges[row + 1] ?? edges[row] ?? 0, unit)}`

const totalOf = (row: ReadonlyMap<number, number>) => [...row.values()].reduce((sum, count) => sum + count, 0)

/** Where most of the values are, for those who do not see it. */
function summary({ edges, cells, unit }: { edges: readonly number[]; cells: Cells; unit: Unit }): string {
  const totals = cells.map(totalOf)
  const commonest = totals.indexOf(Math.max(...totals))
  return `values from ${formatShort(edges[0] ?? 0, unit)} to ${formatShort(edges.at(-1) ?? 0, unit)}, most of them ${rangeText(edges, commonest, unit)}`
}

/** The rows of the scale with values, the greatest first. */
function HeatmapTable({ scale: { edges }, cells, unit, label }: DrawingProps) {
  return (
    <ScrollRegion as="div" label={label} className={css.scroller}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Rows</th>
          </tr>
        </thead>
        <tbody>
          {cells
            .map((row, at) => ({ range: rangeText(edges, at, unit), total: totalOf(row), at }))
            .toReversed()
            .filter(({ total }) => total > 0)
            .map(({ range, total, at }) => (
              <tr key={at}>
                <td>{range}</td>
                <td>{formatValue(total)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function csvLines({ edges }: HeatmapScale, cells: Cells): string[][] {
  const lines = cells.flatMap((row, at) =>
    [...row].map(([time, count]) => [
      new Date(time).toISOString(),
      String(edges[at] ?? ''),
      String(edges[at + 1] ?? ''),
      String(count),
    ]),
  )
  return [['Time', 'From', 'To', 'Rows'], ...lines.toSorted(([a = ''], [b = '']) => a.localeCompare(b))]
}
