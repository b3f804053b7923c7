import { useContext, useImperativeHandle, useMemo, useState, type ReactNode, type Ref } from 'react'
import { formatError } from '#console/api/errors.ts'
import { explainedChart } from '#console/charting/explanation/explainedChart.ts'
import { useChartExplain } from '#console/charting/explanation/useChartExplain.ts'
import { useViewEvents } from '#console/charting/search/useViewEvents.ts'
import { boundsConfig, itemOf } from '#console/charting/tiles/heatmap.ts'
import { distributionConfig, scaleKind } from '#console/charting/tiles/heatmapCounts.ts'
import { type AutomaticUnit, tileTotal } from '#console/charting/tiles/tileData.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { planTile, type QueryPlan } from '#console/charting/tiles/tileQuery.ts'
import { useLast } from '#console/ui/useLast.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { ErrorState } from '#console/ui/ErrorState.tsx'
import type { Unit } from '#domain/charts/units.ts'
import { heatmapCells, heatmapScale, type HeatmapCells, type HeatmapScale } from '#domain/series/heatmap.ts'
import type { TileData } from '../../model/dataScope.ts'
import { TileFilters } from '../../model/tileFilters.ts'
import { DefinitionTile } from '../tiles/DefinitionTile.tsx'
import { NoData } from '../tiles/NoData.tsx'
import type { TileExport } from '../tiles/tileExport.ts'
import { useTileData, type TileAnswers } from '../tiles/useTileData.ts'
import { HeatmapDrawing } from './HeatmapDrawing.tsx'
import { rangeText, timesOf, bucketStarts, valuesOf, type Area, type Part } from './heatmapPart.ts'
import * as css from './heatmap.module.css'

const TileExplanation = lazyComponent(async () => (await import('../tiles/TileExplanation.tsx')).TileExplanation)

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
  /** Shown instead of the heatmap, whose bounds are the last ones then. */
  failed: ReactNode
}

interface Drawing {
  scale: HeatmapScale
  /** The least value. */
  low: number
  cells: HeatmapCells
  plan: QueryPlan
}

/** How the values of rows are distributed over time: the darker a cell, the more rows have such a value then. */
export function HeatmapTile(props: HeatmapTileProps) {
  const { config, label, answers, automatic, data, near, view, drawn, failed } = props
  const { scope } = data
  const filters = useContext(TileFilters)
  const maps = useMemo(() => scope?.mapsOf?.(scope.sourceId(config.sourceId ?? '') ?? '') ?? [], [scope, config])
  const { low, high, unit } = boundsOf(config, answers, maps, automatic)
  const scale = useMemo(
    () => (low !== null && high !== null ? heatmapScale(scaleKind(config), { low, high }) : null),
    [config, low, high],
  )
  const counted = useMemo(() => scale && distributionConfig(config, scale, maps), [config, scale, maps])
  const plan = counted && scope ? planTile(counted, scope) : null
  const counts = useTileData(data.connectionId ?? '', plan?.kind === 'query' ? plan : null, near, data.sources)
  const found = counts.isPlaceholderData ? undefined : counts.data
  const current = useMemo<Drawing | null>(() => {
    if (!scale || low === null || !counted || !found) return null
    const cells = heatmapCells(found.points.flat(), scale.edges.length - 1)
    return { scale, low, cells, plan: found.plan }
  }, [scale, low, counted, found])
  // Counts belong to the scale that they were read for: until those of a new one are there, both stay.
  const shown = useLast(current)
  const explanation = useHeatmapExplain(shown, props, unit)
  useImperativeHandle<TileExport | null, TileExport | null>(drawn, () =>
    shown && !failed ? { lines: () => csvLines(shown.scale, shown.cells), explain: explanation.state } : null,
  )
  const { state, explain, explained } = explanation
  const content = () => {
    if (failed) return failed
    if (!scale) return <NoData />
    if (plan?.kind === 'none') return <DefinitionTile config={config} reason={plan.reason} />
    if (counts.isError) {
      return <ErrorState error={formatError(counts.error, location.pathname)} onRetry={() => void counts.refetch()} />
    }
    if (!shown) return <Skeleton variant="rounded" className={css.heatmapSkeleton} />
    const { span, bucketMs } = shown.plan
    const drawing = { scale: shown.scale, cells: shown.cells, span, bucketMs, isStale: !current }
    return <HeatmapDrawing {...{ ...drawing, unit, label, view, explain, explained }} zone={data.zone} />
  }
  // The explanation stays while the tile has no values or fails.
  return (
    <div className={css.explainedTile} data-explained>
      {(state.choosing || state.asked) && data.connectionId !== null && (
        <TileExplanation
          inFlow
          connectionId={data.connectionId}
          zone={data.zone}
          explanation={state}
          filters={filters}
        />
      )}
      {content()}
    </div>
  )
}

/** "Explain this" of a part of the heatmap, a range of time and of values. */
function useHeatmapExplain(shown: Drawing | undefined, { config, answers, data }: HeatmapTileProps, unit: Unit) {
  const { problem } = useViewEvents(data.connectionId, data.zone)
  const [area, setArea] = useState<Area | null>(null)
  const state = useChartExplain(
    useMemo(() => {
      const queries = shown?.plan.requests.map(({ query }) => query)
      return queries && explainedChart({ queries, labels: [], sources: data.sources, noSearch: problem })
    }, [shown, data.sources, problem]),
  )
  // The number as the bounds are read, with the values of variables.
  const [bounds] = answers.plan.requests[0]?.query.series ?? []
  const text = /^toFloat64OrNull\((.*)\)$/s.exec(bounds?.field ?? '')?.[1]
  const run = (selected: Part) => {
    if (!shown || text === undefined) return
    const { scale, cells, low } = shown
    const { span, bucketMs } = shown.plan
    const named = itemOf(config).valueExpression?.trim() ?? ''
    const times = timesOf(selected, bucketStarts(cells, span, bucketMs), span, bucketMs)
    const values = valuesOf(selected, scale)
    setArea({ span: times, values })
    state.ask(times, {
      text,
      column: /^\w+$/.test(named) ? named : undefined,
      lowest: low,
      ...values,
      label: rangeText(scale, selected.first.row, selected.last.row, unit),
    })
  }
  const explain = state.explain && { choosing: state.choosing, run, cancel: state.explain.cancel }
  return { state, explain, explained: state.asked ? area : null }
}

/** The least and the greatest value, and the unit of what the tile names. */
function boundsOf(
  config: TileConfig,
  { plan, points }: TileAnswers,
  maps: readonly string[],
  automatic: AutomaticUnit,
) {
  const named = Array.isArray(config.select) ? config.select[0]?.valueExpression : undefined
  const unitOf: AutomaticUnit = (item) => automatic({ ...item, valueExpression: named })
  const { rows, columns } = tileTotal(boundsConfig(config, maps), plan, points, plan.span, unitOf)
  const [low = null, high = null] = rows[0]?.values ?? []
  return { low, high, unit: columns[0]?.unit ?? 'number' }
}

function csvLines({ edges }: HeatmapScale, cells: HeatmapCells): string[][] {
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
