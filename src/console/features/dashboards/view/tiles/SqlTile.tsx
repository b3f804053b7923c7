import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, type Ref } from 'react'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { asFailure } from '#console/api/failure.ts'
import { useOrigin } from '#console/api/offers/offers.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { queryKey } from '#console/api/queryClient.ts'
import { useChartMarkers } from '#console/charting/markers/useChartMarkers.tsx'
import { QueryWait } from '#console/charting/progress/QueryWait.tsx'
import { sqlAlignment } from '#console/charting/tiles/sqlTile.ts'
import { sqlTileFilters } from '#console/charting/tiles/sqlTileFilters.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { ErrorState } from '#console/ui/ErrorState.tsx'
import { sql, type SqlFilters, type SqlResult, type SqlTileRead } from '#contract/stack/sql.ts'
import { usesInterval } from '#domain/alerting/sqlTemplate.ts'
import { alignedRange, type AlignedRange } from '#domain/series/bucketAlignment.ts'
import { sameJson } from '#domain/json/json.ts'
import type { Span } from '#domain/time/span.ts'
import type { TileScope } from '#console/charting/tiles/tileQuery.ts'
import { markedConnections, type TileData } from '../../model/dataScope.ts'
import * as css from './tiles.module.css'
import { DefinitionTile } from './DefinitionTile.tsx'
import { SqlDrawing } from './SqlDrawing.tsx'
import type { TileExport } from './tileExport.ts'

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
const noFilters = { filters: undefined, notes: noNotes }
const notOffered = 'This deployment’s API cannot run the SQL of tiles.'

/** A Raw SQL tile: the statement that is saved, run for the range and with the filters of the dashboard. */
export function SqlTile(props: SqlTileProps) {
  const { config, data, near, onState } = props
  const { saved, scope, reason } = data
  const tileId = useMemo(
    () => saved.dashboard.tiles.find((tile) => sameJson(tile.config, config))?.id,
    [saved.dashboard.tiles, config],
  )
  const grid = useMemo(() => (scope ? gridOf(config, scope) : null), [config, scope])
  const filtered = useMemo(() => (scope ? sqlTileFilters(config, scope) : noFilters), [config, scope])
  const filters = 'refused' in filtered ? undefined : filtered.filters
  const isRead = grid !== null && tileId !== undefined && !('refused' in filtered)
  const read = isRead ? readOf({ dashboardId: saved.dashboard.id, tileId, grid, filters }) : null
  const isOffered = useFeatureOffer({ id: saved.connectionId }, sql.tile)
  const answer = useSqlTile(saved.connectionId, read, config, near && reason === null && isOffered)
  const { isFetching } = answer
  useEffect(() => onState?.({ loading: isFetching, notes: noNotes }), [isFetching, onState])

  if (reason !== null) return <DefinitionTile config={config} reason={reason} />
  if ('refused' in filtered) return <DefinitionTile config={config} reason={filtered.refused} />
  if (tileId === undefined) {
    return (
      <DefinitionTile config={config} reason="A Raw SQL tile is run as it is saved: save the dashboard to see it." />
    )
  }
  if (!isOffered && !answer.isError) return <DefinitionTile config={config} reason={notOffered} />
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
      {answer.isError ? (
        <Failed {...{ config, error: answer.error }} onRetry={() => void answer.refetch()} />
      ) : answer.data && grid ? (
        <Drawing
          {...props}
          result={answer.data}
          grid={grid}
          readAt={answer.dataUpdatedAt}
          filterNotes={filtered.notes}
          stale={answer.isPlaceholderData}
        />
      ) : (
        !isStopped && <Skeleton variant="rounded" className={css.sqlSkeleton} />
      )}
    </>
  )
}

const gridOf = (config: TileConfig, scope: TileScope): AlignedRange =>
  alignedRange(sqlAlignment(config, scope), scope.span)

interface ReadTile {
  dashboardId: string
  tileId: string
  grid: AlignedRange
  filters: SqlFilters | undefined
}

const readOf = ({ dashboardId, tileId, grid: { span, bucketMs }, filters }: ReadTile): SqlTileRead => ({
  dashboardId,
  tileId,
  startTime: span.from,
  endTime: span.to,
  intervalSeconds: Math.max(1, Math.round(bucketMs / 1000)),
  ...(filters && { filters }),
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
  filterNotes: readonly string[]
}

function Drawing(props: DrawingProps) {
  const { config, data, result, filterNotes } = props
  const origin = useOrigin({ id: data.saved.connectionId }, sql.tile)
  const notes = [...filterNotes, origin].filter(Boolean).join(' ')
  const marks = useChartMarkers({ ...markedConnections(data), dense: true })
  return (
    <>
      <SqlDrawing
        {...props}
        result={result}
        usesInterval={usesInterval(config.sqlTemplate ?? '')}
        zone={data.zone}
        marks={marks}
        renderRefused={(reason) => <DefinitionTile config={config} reason={reason} />}
      />
      {notes && <p className={css.sqlNote}>{notes}</p>}
    </>
  )
}
