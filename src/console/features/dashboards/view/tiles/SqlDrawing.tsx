import { useImperativeHandle, useMemo, useRef, type ReactNode, type Ref } from 'react'
import { isOverTime, sqlChart, sqlTotal } from '#console/charting/tiles/sqlTile.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { Chart } from '#console/ui/chart/Chart.tsx'
import type { ChartHandle, TimeSeriesChartProps } from '#console/ui/chart/TimeSeriesChart.tsx'
import { frameLines } from '#console/ui/series/csv.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import type { SqlResult } from '#contract/stack/sql.ts'
import type { Span } from '#domain/time/span.ts'
import type { Zone } from '#domain/time/zone.ts'
import * as css from './tiles.module.css'
import { chartLook } from './chartLook.ts'
import { NoData } from './NoData.tsx'
import { SqlTable } from './SqlTable.tsx'
import type { TileExport } from './tileExport.ts'
import { TotalView } from './TotalDrawing.tsx'

interface SqlDrawingProps {
  config: TileConfig
  label: string
  result: Pick<SqlResult, 'columns' | 'rows' | 'isTruncated'>
  /** Whether the statement makes the buckets of the range. */
  usesInterval: boolean
  /** The range that was read. */
  grid: { span: Span; bucketMs: number }
  zone: Zone
  view: 'chart' | 'table'
  readAt: number
  stale: boolean
  syncId?: string | undefined
  onZoom?: (span: Span) => void
  marks?: TimeSeriesChartProps['marks']
  drawn?: Ref<TileExport | null> | undefined
  /** In place of a drawing: why there is none. */
  renderRefused: (reason: string) => ReactNode
}

/** The rows of a Raw SQL tile, as its kind draws them: the same on its dashboard and by a shared link. */
export function SqlDrawing(props: SqlDrawingProps) {
  const { config, label, view, result, grid, zone, stale, drawn, renderRefused } = props
  if (config.displayType === 'table') return <SqlTable {...{ config, label, result, drawn, zone }} />
  if (isOverTime(config)) return <OverTime {...props} />
  const total = sqlTotal(config, result)
  if ('refused' in total) return renderRefused(total.refused)
  return <TotalView {...total} {...{ config, label, view, stale, drawn }} span={grid.span} before={undefined} />
}

/** No explanation: the rows behind a value are not known. */
const unexplained = { choose: () => undefined, problem: 'The values of a Raw SQL tile cannot be explained.' }

function OverTime(props: SqlDrawingProps) {
  const { config, label, zone, view, syncId, onZoom, result, usesInterval, grid, readAt, stale, drawn, marks } = props
  const [ref, { height }] = useElementSize()
  const handle = useRef<ChartHandle>(null)
  const { bucketMs: gridMs } = grid
  const chart = useMemo(
    () => sqlChart(config, result, { bucketMs: gridMs, usesInterval }),
    [config, result, gridMs, usesInterval],
  )
  const isDrawn = !('refused' in chart) && chart.series.length > 0
  useImperativeHandle<TileExport | null, TileExport | null>(drawn, () => {
    const snapshot = () => handle.current?.snapshot()
    const lines = () => {
      const now = snapshot()
      return now && frameLines(now.frame)
    }
    return isDrawn ? { lines, snapshot, explain: unexplained } : null
  })
  if ('refused' in chart) return props.renderRefused(chart.refused)
  const { series, bucketMs, missing } = chart
  return (
    <div
      ref={ref}
      className={css.chart}
      data-empty={series.length === 0}
      style={{ overflow: view === 'table' ? 'auto' : 'hidden' }}
    >
      {series.length === 0 && <NoData />}
      {height > 0 && series.length > 0 && (
        <Chart
          handle={handle}
          {...chartLook(config, { span: grid.span, bucketMs, aggFns: [] }, series, height)}
          missing={missing}
          series={series}
          readAt={readAt}
          zone={zone}
          label={label}
          view={view}
          stale={stale}
          {...(syncId !== undefined && { syncId })}
          {...(onZoom && { onZoom })}
          {...(marks && { marks })}
        />
      )}
    </div>
  )
}
