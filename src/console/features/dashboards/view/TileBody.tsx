import { memo, useCallback, useEffect, useMemo, useState, type Ref } from 'react'
import { formatError } from '#console/api/errors.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import { QueryWait } from '#console/charting/progress/QueryWait.tsx'
import { useViewEvents } from '#console/charting/search/useViewEvents.ts'
import { searchProblem } from '#console/charting/search/eventsLink.ts'
import { useMetricUnits } from '#console/charting/useMetricUnits.ts'
import { automaticUnit } from '#domain/series/seriesUnits.ts'
import { type AutomaticUnit, firstTotal } from '#console/charting/tiles/tileData.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { isTotal, planTile, previousPlan, type QueryPlan } from '#console/charting/tiles/tileQuery.ts'
import { ErrorState } from '#console/ui/ErrorState.tsx'
import type { Span } from '#domain/time/span.ts'
import { ChartTile } from './tiles/ChartTile.tsx'
import { DefinitionTile } from './tiles/DefinitionTile.tsx'
import { MarkdownTile } from './tiles/MarkdownTile.tsx'
import type { TileExport } from './tiles/tileExport.ts'
import { TotalDrawing, type TotalDrawingProps } from './tiles/TotalDrawing.tsx'
import type { TileData } from '../model/dataScope.ts'
import { tileQueryOptions, useTileData } from './tiles/useTileData.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { useLast } from '#console/ui/useLast.ts'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import * as css from './dashboardView.module.css'

const HeatmapTile = lazyComponent(async () => (await import('./heatmap/HeatmapTile.tsx')).HeatmapTile)
const SqlTile = lazyComponent(async () => (await import('./tiles/SqlTile.tsx')).SqlTile)
const RowsTile = lazyComponent(async () => (await import('./tiles/RowsTile.tsx')).RowsTile)

interface TileBodyProps {
  config: TileConfig | undefined
  /** Name of the tile for assistive technology. */
  label: string
  data: TileData
  /** Whether the tile is near the viewport: only then it sends its query. */
  near: boolean
  view: 'chart' | 'table'
  syncId?: string | undefined
  onZoom: (span: Span) => void
  /** Reports to the card that the tile is loading, and which conditions the result does not include. */
  onState?: (state: { loading: boolean; notes: readonly string[] }) => void
  /** Holds what is drawn, to save it as a file. */
  drawn?: Ref<TileExport | null>
}

const noNotes: readonly string[] = []

/** A tile’s data, or its definition and the reason why there is no data. Moving a tile does not render it again. */
export const TileBody = memo(function TileBody(props: TileBodyProps) {
  const { config } = props
  return config?.configType === 'sql' ? <SqlTile {...props} config={config} /> : <PlannedTile {...props} />
})

/** A tile whose queries the page plans. */
function PlannedTile(props: TileBodyProps) {
  const { config, label, data, near, view, syncId, onZoom, onState, drawn } = props
  const plan = data.scope ? planTile(config, data.scope) : null
  const query = plan?.kind === 'query' && data.connectionId !== null ? plan : null
  const listed = useListedRows(query, data)
  const request = listed ? null : query
  const answer = useTileData(data.connectionId ?? '', request, near, data.sources)
  const automatic = useAutomaticUnit(config, data, near)
  // An open explanation stays in place while the tile fails to reload.
  const last = useLast(answer.data)
  const [isListing, setListing] = useState(false)
  const loading = listed ? isListing : answer.isFetching
  const notes = [...(query?.notes ?? []), ...(request?.rows ? [countedRows] : [])].join('\n')

  useEffect(() => {
    onState?.({ loading, notes: notes ? notes.split('\n') : noNotes })
  }, [loading, notes, onState])

  if (config?.displayType === 'markdown' && config.configType === undefined) {
    return <MarkdownTile text={config.markdown ?? ''} />
  }
  if (data.reason !== null) return <DefinitionTile config={config} reason={data.reason} />
  if (plan?.kind === 'none') return <DefinitionTile config={config} reason={plan.reason} />
  if (listed) return <RowsTile {...listed} near={near} label={label} drawn={drawn} onBusy={setListing} />
  const failed = answer.isError ? (
    <Failed error={answer.error} conditions={request?.conditions ?? []} onRetry={() => void answer.refetch()} />
  ) : undefined
  const answers = answer.isError ? last : answer.data
  const isExplained = config?.displayType === 'heatmap' || (config !== undefined && !isTotal(config))
  const isStopped = near && request !== null && !answer.isFetching && (answer.isPending || answer.isPlaceholderData)
  const wait = data.connectionId !== null && (
    <QueryWait
      connectionId={data.connectionId}
      reads={[tileQueryOptions(data.connectionId, request, data.sources).queryKey]}
      isFetching={answer.isFetching}
      isStopped={isStopped}
      onRun={() => void answer.refetch()}
    />
  )
  if (failed && !(answers && isExplained)) {
    return (
      <>
        {wait}
        {failed}
      </>
    )
  }
  if (!config || !answers || !data.scope) {
    return (
      <>
        {wait}
        {!isStopped && <TileSkeleton />}
      </>
    )
  }
  const shared = { config, label, view, answers, automatic, stale: answer.isPlaceholderData, drawn }
  if (config.displayType === 'heatmap') {
    return (
      <>
        {wait}
        <HeatmapTile {...{ config, label, view, near, data, automatic, drawn, answers, failed }} />
      </>
    )
  }
  return (
    <>
      {wait}
      {isTotal(config) ? (
        <TotalTile {...shared} data={data} near={near} span={data.scope.span} />
      ) : (
        <ChartTile {...shared} data={data} syncId={syncId} onZoom={onZoom} failed={failed} />
      )}
    </>
  )
}

interface FailedProps {
  error: ApiFailure
  conditions: readonly string[]
  onRetry: () => void
}

function Failed({ error, conditions, onRetry }: FailedProps) {
  return (
    <div className={css.tileError}>
      <ErrorState error={formatError(error, location.pathname)} onRetry={onRetry} />
      {conditions.length > 0 && (
        <Text variant="caption" color="textSecondary" className={css.conditions}>
          Queried with {conditions.join(', ')}. If a filter does not fit this tile’s source, limit it to other sources
          in the settings.
        </Text>
      )}
    </div>
  )
}

const countedRows = 'Showing the number of matching rows: this deployment does not return the rows themselves.'

/** The rows that a tile lists, where the deployment has a search. */
function useListedRows(plan: QueryPlan | null, { connectionId, scope, sources, zone }: TileData) {
  const { problem } = useViewEvents(connectionId, zone)
  const sourceId = plan?.requests[0]?.query.series[0]?.sourceId
  const source = sources.find(({ id }) => id === sourceId)
  if (!plan?.rows || !source || !scope || connectionId === null) return null
  if (problem !== undefined || searchProblem(source.id, sources) !== undefined) return null
  return { connectionId, source, plan, rows: plan.rows, span: scope.span, zone }
}

/** The units of series without a number format, by what they read. */
function useAutomaticUnit(config: TileConfig | undefined, data: TileData, near: boolean): AutomaticUnit {
  const { connectionId, sources, scope } = data
  const sourceId = scope?.sourceId(config?.sourceId ?? '')
  const source = sources.find(({ id }) => id === sourceId)
  // A format of the whole tile leaves no series without one.
  const needed = near && source?.kind === 'metric' && config?.numberFormat === undefined
  const units = useMetricUnits(connectionId, needed ? source : undefined)
  return useCallback<AutomaticUnit>((item) => automaticUnit(item, source, units), [source, units])
}

interface TotalTileProps extends Omit<TotalDrawingProps, 'before'> {
  data: TileData
  near: boolean
}

function TotalTile({ data, near, ...shown }: TotalTileProps) {
  const { config, answers, stale } = shown
  const isNumber = config.displayType === 'number'
  const before = useValueBefore({ config, answers, data }, isNumber && near && !stale)
  return <TotalDrawing {...shown} before={before} />
}

/** The value of the range before, which is read after the tile's own. */
function useValueBefore(
  { config, answers, data }: Pick<TotalTileProps, 'config' | 'answers' | 'data'>,
  enabled: boolean,
): number | null | undefined {
  const plan = useMemo(() => (enabled ? previousPlan(answers.plan) : null), [enabled, answers.plan])
  const before = useTileData(data.connectionId ?? '', plan, enabled, data.sources)
  if (!before.data || before.isPlaceholderData) return undefined
  return firstTotal(config, before.data.plan, before.data.points)
}

/** The outline of a tile; shown only if the response takes a moment. */
function TileSkeleton() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div aria-busy className={css.tileSkeleton}>
      {late && <Skeleton variant="rounded" className={css.tileBodySkeleton} />}
    </div>
  )
}
