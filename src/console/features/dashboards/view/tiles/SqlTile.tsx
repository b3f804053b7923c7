import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useImperativeHandle, useMemo, useRef, type Ref } from 'react'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { asFailure } from '#console/api/failure.ts'
import { useOrigin } from '#console/api/offers/offers.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { queryKey } from '#console/api/queryClient.ts'
import { useChartMarkers } from '#console/charting/markers/useChartMarkers.tsx'
import { QueryWait } from '#console/charting/progress/QueryWait.tsx'
import { sqlChart, sqlTotal } from '#console/charting/tiles/sqlTile.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { Chart } from '#console/ui/chart/Chart.tsx'
import type { ChartHandle } from '#console/ui/chart/TimeSeriesChart.tsx'
import { ErrorState } from '#console/ui/ErrorState.tsx'
import { frameLines } from '#console/ui/series/csv.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import { sql, type SqlResult, type SqlTileRead } from '#contract/stack/sql.ts'
import { alignedRange, type AlignedRange } from '#domain/series/bucketAlignment.ts'
import { same } from '#domain/json/json.ts'
import type { Span } from '#domain/time/span.ts'
import type { TileScope } from '#console/charting/tiles/tileQuery.ts'
import type { TileData } from '../../model/dataScope.ts'
import { chartLook } from './chartLook.ts'
import * as css from '../dashboardView.module.css'
import { DefinitionTile } from './DefinitionTile.tsx'
import { NoData } from './NoData.tsx'
import { SqlTable } from './SqlTable.tsx'
import type { TileExport } from './tileExport.ts'
import { TotalView } from './TotalDrawing.tsx'

interface SqlTileProps {
  config: TileConfig
  label: string
  data: TileData
  near: boolean
  view: 'chart' | 'table'
  syncId?: string | undefined
  onZoom: (span: Span) => void
  onState?: ((state: { loading: boolean; notes: readonly string[] }) => void) | undefined
  drawn?: Ref<TileExport | null> | undefined
}

const noNotes: readonly string[] = []
const notOffered = 'This deployment’s API cannot run the SQL of tiles.'

/** A Raw SQL tile: the statement that is saved, run for the range of the dashboard. */
export function SqlTile(props: SqlTileProps) {
  const { config, data, near, onState } = props
  const { saved, scope, reason } = data
  const tileId = useMemo(
    () => saved.dashboard.tiles.find((tile) => same(tile.config, config))?.id,
    [saved.dashboard.tiles, config],
  )
  const grid = useMemo(() => (scope ? gridOf(config, scope) : null), [config, scope])
  const read = grid && tileId !== undefined ? readOf(saved.dashboard.id, tileId, grid) : null
  const isOffered = useFeatureOffer({ id: saved.connectionId }, sql.tile)
  const answer = useSqlTile(saved.connectionId, read, config, near && reason === null && isOffered)
  const { isFetching } = answer
  useEffect(() => onState?.({ loading: isFetching, notes: noNotes }), [isFetching, onState])

  if (reason !== null) return <DefinitionTile config={config} reason={reason} />
  if (tileId === undefined) {
    return (
      <DefinitionTile config={config} reason="A Raw SQL tile is run as it is saved: save the dashboard to see it." />
    )
  }
  if (!isOffered && !answer.isError) return <DefinitionTile config={config} reason={notOffered} />
  if (answer.isError) return <Failed {...{ config, error: answer.error }} onRetry={() => void answer.refetch()} />
  const isStopped = near && read !== null && !isFetching && (answer.isPending || answer.isPlaceholderData)
  return (
    <>
      <QueryWait
        connectionId={saved.connectionId}
        reads={[answer.read]}
        isFetching={isFetching}
        isStopped={isStopped}
        onRun={() => void answer.refetch()}
      />
      {answer.data && grid ? (
        <Drawing
          {...props}
          result={answer.data}
          grid={grid}
          readAt={answer.dataUpdatedAt}
          stale={answer.isPlaceholderData}
        />
      ) : (
        !isStopped && <Skeleton variant="rounded" className={css.sqlSkeleton} />
      )}
    </>
  )
}

/** Which rows are behind a value is not known. */
const unexplained = { choose: () => undefined, problem: 'The values of a Raw SQL tile cannot be explained.' }

const overTime: readonly unknown[] = ['line', 'stacked_bar']

function gridOf(config: TileConfig, { span, granularity = 'auto', zone }: TileScope): AlignedRange {
  const hasBuckets = overTime.includes(config.displayType) && config['alignDateRangeToGranularity'] !== false
  return alignedRange({ kind: hasBuckets ? 'buckets' : 'none', granularity, zone }, span)
}

const readOf = (dashboardId: string, tileId: string, { span, bucketMs }: AlignedRange): SqlTileRead => ({
  dashboardId,
  tileId,
  startTime: span.from,
  endTime: span.to,
  intervalSeconds: Math.max(1, Math.round(bucketMs / 1000)),
})

function useSqlTile(connectionId: string, body: SqlTileRead | null, config: TileConfig, enabled: boolean) {
  // Saving another statement in the tile runs it.
  const read = queryKey(connectionId, sql.tile, [body, config.sqlTemplate, config.sourceId, config['connectionId']])
  const answer = useQuery({
    queryKey: read,
    queryFn: ({ signal }) => call(connectionId, sql.tile, { body: body! }, { signal, read }), // no query without a body
    enabled: enabled && body !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return { ...answer, read }
}

interface FailedProps {
  config: TileConfig
  error: Error
  onRetry: () => void
}

/** A statement that may not be run here, or that is wrong, is shown with the reason. */
function Failed({ config, error, onRetry }: FailedProps) {
  const { code, message, detail = '' } = asFailure(error)
  if (code === 'notOffered') {
    return <DefinitionTile config={config} reason={`${notOffered} ${detail}`} />
  }
  if (code === 'blocked' || code === 'forbidden') return <DefinitionTile config={config} reason={message} />
  if (code === 'invalid') {
    // Places are those of the statement with its macros filled, which nobody sees.
    const problem = message.replace(/\.?$/, '').replace(/ \(at \d+\)$/, '')
    return <DefinitionTile config={config} reason={`The SQL cannot be run: ${problem}. Edit the tile to change it.`} />
  }
  return (
    <div className={css.sqlError}>
      <ErrorState error={formatError(error, location.pathname)} onRetry={onRetry} />
    </div>
  )
}

interface DrawingProps extends SqlTileProps {
  result: SqlResult
  grid: AlignedRange
  readAt: number
  stale: boolean
}

function Drawing(props: DrawingProps) {
  const { data, result } = props
  const origin = useOrigin({ id: data.saved.connectionId }, sql.tile)
  const unfiltered = (data.scope?.conditions.length ?? 0) > 0 && 'Without the filters of the dashboard.'
  const notes = [unfiltered, origin].filter(Boolean).join(' ')
  return (
    <>
      <Drawn {...props} result={result} />
      {notes && <p className={css.sqlNote}>{notes}</p>}
    </>
  )
}

function Drawn(props: DrawingProps) {
  const { config, label, data, view, result, grid, stale, drawn } = props
  if (config.displayType === 'table') return <SqlTable {...{ config, label, result, drawn }} zone={data.zone} />
  if (overTime.includes(config.displayType)) return <OverTime {...props} />
  const total = sqlTotal(config, result)
  if ('refused' in total) return <DefinitionTile config={config} reason={total.refused} />
  return <TotalView {...total} {...{ config, label, view, stale, drawn }} span={grid.span} before={undefined} />
}

function OverTime({ config, label, data, view, syncId, onZoom, result, grid, readAt, stale, drawn }: DrawingProps) {
  const [ref, { height }] = useElementSize()
  const handle = useRef<ChartHandle>(null)
  const marks = useChartMarkers({ connectionId: data.saved.connectionId, dense: true })
  const chart = useMemo(() => sqlChart(config, result, grid), [config, result, grid])
  const isDrawn = !('refused' in chart) && chart.series.length > 0
  useImperativeHandle<TileExport | null, TileExport | null>(drawn, () => {
    const snapshot = () => handle.current?.snapshot()
    const lines = () => {
      const now = snapshot()
      return now && frameLines(now.frame)
    }
    return isDrawn ? { lines, snapshot, explain: unexplained } : null
  })
  if ('refused' in chart) return <DefinitionTile config={config} reason={chart.refused} />
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
          zone={data.zone}
          label={label}
          view={view}
          stale={stale}
          {...(syncId !== undefined && { syncId })}
          onZoom={onZoom}
          marks={marks}
        />
      )}
    </div>
  )
}
