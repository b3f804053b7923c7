import { LayoutDashboard, Link2, Minimize, Pencil } from 'lucide-react'
import { useIsFetching } from '@tanstack/react-query'
import { memo, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Alert } from '#contract/stack/alerts.ts'
import type { Dashboard, Tile } from '#contract/stack/dashboards/dashboards.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { ExplainFilters } from '#console/charting/explanation/useValueActions.ts'
import { lockReason } from '#console/shell/lockReason.ts'
import { useMarkerKey } from '#console/charting/markers/useChartMarkers.tsx'
import { type PageAction, usePageActions } from '#console/shell/pageActions.ts'
import { FavoriteButton } from '#console/charting/thumbnail/FavoriteButton.tsx'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { refreshLabels } from '#console/ui/time/refresh.ts'
import { formatRange } from '#console/ui/time/formatRange.ts'
import { absoluteRange } from '#console/ui/time/range.ts'
import type { Span } from '#domain/time/span.ts'
import { TileFilters } from '../model/tileFilters.ts'
import type { TileData } from '../model/dataScope.ts'
import { deleteDraft, loadDraft } from '../model/draftStore.ts'
import { useDashboardActions } from '../list/useDashboardActions.tsx'
import { Board } from './Board.tsx'
import { queryOf } from './scope.ts'
import { SaveAsDefault } from './SaveAsDefault.tsx'
import { TileCard } from './TileCard.tsx'
import { TileGrid } from './TileGrid.tsx'
import { useDashboardAlerts } from './useDashboardAlerts.ts'
import { useDashboardData } from './useDashboardData.ts'
import { PrintingContext } from '#console/ui/base/useNearViewport.ts'
import { useTileMenu } from './useTileMenu.ts'
import { useViewActions } from './useViewActions.ts'
import { refreshOf, type ScreenProps } from './viewState.ts'
import { RangeControls, ViewToolbar } from './ViewToolbar.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import * as css from './dashboardView.module.css'

const FullScreenTile = lazyComponent(async () => (await import('./FullScreenTile.tsx')).FullScreenTile)
const TileStatement = lazyComponent(async () => (await import('./TileStatement.tsx')).TileStatement)
const ShareDashboard = lazyComponent(async () => (await import('./ShareDashboard.tsx')).ShareDashboard)
const QueryConnectionDialog = lazyComponent(
  async () => (await import('../queryConnection/QueryConnectionDialog.tsx')).QueryConnectionDialog,
)

interface ViewScreenProps extends ScreenProps {
  /** The button that starts editing is pointed at or focused. */
  onEditNear: () => void
}

/** A dashboard in view mode. */
export function ViewScreen({ dashboard, state, onState, onEditNear }: ViewScreenProps) {
  const connection = useConnection()
  const loaded = useDashboardData(connection, dashboard, state)
  const alerts = useDashboardAlerts(connection.id, dashboard.id)
  const [choosing, setChoosing] = useState(false)
  const { data, from, refresh } = loaded

  const zoom = useCallback((span: Span) => onState({ ...absoluteRange(span) }, { push: true }), [onState])
  const filters = useMemo<ExplainFilters>(() => {
    const { text, language } = queryOf(dashboard, state)
    return {
      noun: 'dashboard',
      conditionOf: () => ({ text, language }),
      apply: (_, add) => {
        const added = add({ text, language })
        if (added) onState({ q: added.text, ql: added.language }, { push: true })
      },
    }
  }, [dashboard, state, onState])
  const edit = useCallback(() => onState({ edit: '1' }, { push: true }), [onState])
  const locked = lockReason(connection)
  const { actionsOf, dialogs } = useDashboardActions(dashboard)
  const [sharing, setSharing] = useState(false)
  const hasData = data.scope !== null && dashboard.tiles.length > 0
  const onShare = hasData ? () => setSharing(true) : undefined
  const view = useViewActions({ state, onState, span: loaded.span, onShare })
  usePicture(connection.id, dashboard, data)
  const { isFullScreen } = view
  useMarkerKey()
  usePageActions(
    useMemo<PageAction[]>(
      () => [
        ...(isFullScreen ? [] : [{ label: 'Edit dashboard', key: 'e', icon: Pencil, run: edit }]),
        { label: 'Refresh all tiles', key: 'r', run: refresh },
      ],
      [edit, refresh, isFullScreen],
    ),
  )
  const full = dashboard.tiles.find(({ id }) => id === state.full)

  return (
    <Page
      title={dashboard.name || 'Untitled dashboard'}
      state={
        <>
          <span className={css.onScreen}>
            <FavoriteButton connectionId={connection.id} dashboardId={dashboard.id} name={dashboard.name} />
          </span>
          {dashboard.tags.map((tag) => (
            <StatusChip key={tag} tone="neutral">
              {tag}
            </StatusChip>
          ))}
          <Text component="span" color="textSecondary" className={css.printedRange}>
            {formatRange(absoluteRange(loaded.span), state.tz)}
          </Text>
        </>
      }
      lead={from.queryConnectionName && `Data from ${from.queryConnectionName}.`}
      actions={
        isFullScreen ? (
          <>
            <Text color="textSecondary">
              {formatRange(state, state.tz)}, refreshed {refreshLabels[refreshOf(state)].toLowerCase()}
            </Text>
            <Button startIcon={<Minimize size={14} aria-hidden />} onClick={view.exitFullScreen}>
              Exit full screen
            </Button>
          </>
        ) : (
          <>
            {from.queryConnectionName && (
              <Button
                startIcon={<Link2 size={14} aria-hidden />}
                disabled={!from.sources}
                onClick={() => setChoosing(true)}
              >
                Query connection
              </Button>
            )}
            <ActionMenu label="Actions of this dashboard" actions={() => [...view.actions, ...actionsOf()]} />
            <Button
              variant="contained"
              color="primary"
              startIcon={<Pencil size={14} aria-hidden />}
              onPointerEnter={onEditNear}
              onFocus={onEditNear}
              onClick={edit}
            >
              Edit
            </Button>
          </>
        )
      }
    >
      {!isFullScreen && <DraftNotice connectionId={connection.id} dashboardId={dashboard.id} onContinue={edit} />}
      {from.reason !== null && !from.queryConnectionName && (
        <div className={css.viewNotice}>
          <Notice
            tone="info"
            action={
              <Button disabled={!from.sources} onClick={() => setChoosing(true)}>
                Choose query connection
              </Button>
            }
          >
            {from.reason} To see data, choose {connection.variant === 'openSource' ? 'another' : 'an'} open-source
            connection to the same data.
          </Notice>
        </div>
      )}
      {!isFullScreen && <ViewToolbar dashboard={dashboard} state={state} onState={onState} loaded={loaded} />}
      {!isFullScreen && <SaveAsDefault dashboard={dashboard} state={state} onState={onState} />}
      {dashboard.tiles.length === 0 ? (
        <EmptyState
          icon={LayoutDashboard}
          title="This dashboard has no tiles"
          action={
            <Button variant="contained" color="primary" onClick={edit} title={locked}>
              Add tiles
            </Button>
          }
        >
          Tiles show charts, numbers, tables and text.
        </EmptyState>
      ) : (
        <TileFilters value={filters}>
          <PrintingContext value={view.printing}>
            <Board
              dashboard={dashboard}
              state={state}
              onState={onState}
              renderGrid={(tiles) => (
                <TileGrid
                  tiles={tiles}
                  renderTile={(tile) => (
                    <ViewedTile
                      tile={tile}
                      data={data}
                      alerts={alerts.ofTile(tile.id)}
                      onZoom={zoom}
                      dashboard={dashboard}
                      state={state}
                      onState={onState}
                    />
                  )}
                />
              )}
            />
          </PrintingContext>
        </TileFilters>
      )}
      {full && (
        <FullScreenTile
          tile={full}
          data={data}
          onZoom={zoom}
          onClose={() => onState({ full: undefined })}
          controls={<RangeControls state={state} onState={onState} />}
        />
      )}
      {choosing && from.sources && (
        <QueryConnectionDialog connection={connection} sources={from.sources} onClose={() => setChoosing(false)} />
      )}
      {sharing && (
        <ShareDashboard {...{ dashboard, data }} isMoving={state.to === 'now'} onClose={() => setSharing(false)} />
      )}
      {view.printing && <Printing onPrinted={view.onPrinted} />}
      {dialogs}
    </Page>
  )
}

/** Prints once nothing is being read any more. Only drawn for it: it follows every read. */
function Printing({ onPrinted }: { onPrinted: () => void }) {
  const reads = useIsFetching()
  const print = useEffectEvent(() => {
    window.print()
    onPrinted()
  })
  useEffect(() => {
    if (reads > 0) return undefined
    // Tiles begin to read a moment after they are told to.
    const timer = setTimeout(() => print(), 500)
    return () => clearTimeout(timer)
  }, [reads])
  return (
    <div className={css.onScreen}>
      <Notice tone="info" role="status">
        Reading all tiles to print them.
      </Notice>
    </div>
  )
}

/** Milliseconds after which most tiles have been read. */
const settled = 3000

/** Keeps a picture of the dashboard for the lists: once it is read, and when it is left. */
function usePicture(connectionId: string, dashboard: Dashboard, data: TileData): void {
  useEffect(() => {
    let take: (() => void) | undefined
    const timer = setTimeout(() => {
      void import('./takePicture.ts').then(({ takePicture }) => {
        take = () => takePicture(connectionId, dashboard, data)
        take()
      })
    }, settled)
    return () => {
      clearTimeout(timer)
      take?.()
    }
  }, [connectionId, dashboard, data])
}

interface ViewedTileProps extends ScreenProps {
  tile: Tile
  data: TileData
  alerts: readonly Alert[]
  onZoom: (span: Span) => void
}

/** A tile with its menu. Another state of the page alone does not draw it again. */
const ViewedTile = memo(function ViewedTile({ tile, data, alerts, onZoom, ...screen }: ViewedTileProps) {
  const [showsSql, setShowsSql] = useState(false)
  const actions = useTileMenu({ tile, data, onShowSql: () => setShowsSql(true), ...screen })
  return (
    <>
      <TileCard
        tile={tile}
        data={data}
        alerts={alerts}
        syncId={screen.dashboard.id}
        onZoom={onZoom}
        actions={actions}
      />
      {showsSql && <TileStatement tile={tile} data={data} onClose={() => setShowsSql(false)} />}
    </>
  )
})

interface DraftNoticeProps {
  connectionId: string
  dashboardId: string
  onContinue: () => void
}

/** Says that an edit was begun and not saved. */
function DraftNotice({ connectionId, dashboardId, onContinue }: DraftNoticeProps) {
  const [draft, setDraft] = useState(() => loadDraft(connectionId, dashboardId))
  if (!draft) return null
  const discard = () => {
    deleteDraft(connectionId, dashboardId)
    setDraft(null)
  }
  return (
    <div className={css.viewNotice}>
      <Notice
        tone="info"
        action={
          <div className={css.viewActions}>
            <Button onClick={discard}>Discard</Button>
            <Button onClick={onContinue}>Continue editing</Button>
          </div>
        }
      >
        You have an unsaved draft, last changed <Timestamp iso={new Date(draft.at).toISOString()} />.
      </Notice>
    </div>
  )
}
