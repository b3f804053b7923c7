import { useContext, useImperativeHandle, useMemo, useRef, type ReactNode, type Ref, type RefObject } from 'react'
import { useChartExplain } from '#console/charting/explanation/useChartExplain.ts'
import { useChartMarkers } from '#console/charting/markers/useChartMarkers.tsx'
import { useViewEvents } from '#console/charting/search/useViewEvents.ts'
import { explainedChart } from '#console/charting/explanation/explainedChart.ts'
import { tileEvents } from '#console/charting/search/tileEvents.ts'
import { type AutomaticUnit, tileLines } from '#console/charting/tiles/tileData.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { frameLines } from '#console/ui/series/csv.ts'
import type { ChartHandle } from '#console/ui/chart/TimeSeriesChart.tsx'
import type { ChartEvents } from '#console/ui/series/chartEvents.ts'
import type { Series } from '#console/ui/series/series.ts'
import type { Span } from '#domain/time/span.ts'
import * as css from './tiles.module.css'
import { Chart } from '#console/ui/chart/Chart.tsx'
import { absoluteRange } from '#console/ui/time/range.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { TileFilters } from '../../model/tileFilters.ts'
import { chartLook, seriesOf } from './chartLook.ts'
import { NoData } from './NoData.tsx'
import { markedConnections, type TileData } from '../../model/dataScope.ts'
import type { TileExport } from './tileExport.ts'
import type { TileAnswers } from './useTileData.ts'

const TileExplanation = lazyComponent(async () => (await import('./TileExplanation.tsx')).TileExplanation)

interface ChartTileProps {
  config: TileConfig
  answers: TileAnswers
  automatic: AutomaticUnit
  data: TileData
  label: string
  stale: boolean
  view: 'chart' | 'table'
  /** Tiles of one dashboard share their cursor; a tile that fills the window has its own. */
  syncId: string | undefined
  onZoom: (span: Span) => void
  drawn: Ref<TileExport | null> | undefined
  /** Shown instead of the chart, whose answers are the last ones then. */
  failed: ReactNode
}

/** A tile over time: lines or stacked bars. */
export function ChartTile(props: ChartTileProps) {
  const { config, answers, automatic, data, label, stale, view, syncId, onZoom, drawn, failed } = props
  const { plan, points, readAt } = answers
  const [ref, { height }] = useElementSize()
  const series = useMemo(() => seriesOf(tileLines(config, plan, points, automatic)), [config, plan, points, automatic])
  const chart = useRef<ChartHandle>(null)
  const marks = useChartMarkers({ ...markedConnections(data), dense: true })
  const { problem, open } = useViewEvents(data.connectionId, data.zone)
  const events = useMemo<ChartEvents>(() => {
    const linkOf = (line: Series | null, span = data.scope?.span ?? plan.span) =>
      tileEvents(plan, line?.id ?? null, absoluteRange(span), data.sources)
    return {
      problemOf: (line) => problem ?? linkOf(line).problem,
      view: (line, span) => open(linkOf(line, span)),
    }
  }, [plan, data, problem, open])
  const explanation = useChartExplain(
    useMemo(() => {
      const queries = plan.requests.filter(({ earlier }) => earlier === 0).map(({ query }) => query)
      return explainedChart({ queries, labels: [], sources: data.sources, noSearch: problem })
    }, [plan, data.sources, problem]),
  )
  const filters = useContext(TileFilters)
  useImperativeHandle<TileExport | null, TileExport | null>(drawn, () =>
    series.length > 0 && !failed ? { ...exportOf(chart), explain: explanation } : null,
  )
  return (
    <div
      ref={ref}
      data-explained
      className={css.chart}
      data-empty={series.length === 0 || failed !== undefined}
      style={{
        overflow: view === 'table' || failed ? 'auto' : 'hidden',
        opacity: series.length === 0 && stale ? 0.45 : 1,
      }}
    >
      {failed ?? (series.length === 0 && <NoData />)}
      {height > 0 && series.length > 0 && !failed && (
        <Chart
          handle={chart}
          series={series}
          {...chartLook(config, plan, series, height)}
          readAt={readAt}
          zone={data.zone}
          label={label}
          view={view}
          stale={stale}
          {...(syncId !== undefined && { syncId })}
          onZoom={onZoom}
          events={events}
          explain={explanation.explain}
          marks={marks}
        />
      )}
      {(explanation.choosing || explanation.asked) && data.connectionId !== null && (
        <TileExplanation connectionId={data.connectionId} zone={data.zone} {...{ explanation, filters }} />
      )}
    </div>
  )
}

function exportOf(chart: RefObject<ChartHandle | null>): Omit<TileExport, 'explain'> {
  const snapshot = () => chart.current?.snapshot()
  const lines = () => {
    const now = snapshot()
    return now && frameLines(now.frame)
  }
  return { lines, snapshot }
}
