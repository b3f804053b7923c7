import { LayoutDashboard, Link2, Minimize, Pencil } from 'lucide-react'
import { useIsFetching } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { useMarkerKey } from '#console/charting/markers/useChartMarkers.tsx'
import { type PageAction, usePageActions } from '#console/shell/pageActions.ts'
import { FavoriteButton } from '#console/charting/thumbnail/FavoriteButton.tsx'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { refreshLabels } from '#console/ui/time/refresh.ts'
import { formatRange } from '#console/ui/time/formatRange.ts'
import { absoluteRange } from '#console/ui/time/range.ts'
import type { Span } from '#domain/time/span.ts'
import { useDashboardActions } from '../list/useDashboardActions.tsx'
import { SaveAsDefault } from './SaveAsDefault.tsx'
import { useDashboardData } from './useDashboardData.ts'
import { PrintingContext } from '#console/ui/base/useNearViewport.ts'
import { useViewActions } from './useViewActions.ts'
import { ViewBoard } from './ViewBoard.tsx'
import { DraftNotice, NoDataNotice } from './ViewNotices.tsx'
import { refreshOf, type ScreenProps, type ViewState } from './viewState.ts'
import { RangeControls, ViewToolbar } from './ViewToolbar.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import * as css from './dashboardView.module.css'

const FullScreenTile = lazyComponent(async () => (await import('./FullScreenTile.tsx')).FullScreenTile)
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
  const { data, from, refresh } = loaded
  const [choosing, setChoosing] = useState(false)
  const [sharing, setSharing] = useState(false)
  const hasData = data.scope !== null && dashboard.tiles.length > 0
  const onShare = hasData ? () => setSharing(true) : undefined
  const view = useViewActions({ state, onState, span: loaded.span, onShare })
  const { actionsOf, dialogs } = useDashboardActions(dashboard)
  const { isFullScreen } = view
  const zoom = useCallback((span: Span) => onState({ ...absoluteRange(span) }, { push: true }), [onState])
  const edit = useCallback(() => onState({ edit: '1' }, { push: true }), [onState])
  useMarkerKey()
  useViewKeys({ edit: isFullScreen ? null : edit, refresh })
  const full = dashboard.tiles.find(({ id }) => id === state.full)

  return (
    <Page
      title={dashboard.name || 'Untitled dashboard'}
      state={<TitleMarks dashboard={dashboard} range={formatRange(absoluteRange(loaded.span), state.tz)} />}
      lead={from.queryConnectionName && `Data from ${from.queryConnectionName}.`}
      actions={
        isFullScreen ? (
          <FullScreenControls state={state} onExit={view.exitFullScreen} />
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
            <EditButton onNear={onEditNear} onEdit={edit} />
          </>
        )
      }
    >
      {!isFullScreen && <DraftNotice connectionId={connection.id} dashboardId={dashboard.id} onContinue={edit} />}
      {from.reason !== null && !from.queryConnectionName && (
        <NoDataNotice reason={from.reason} disabled={!from.sources} onChoose={() => setChoosing(true)} />
      )}
      {!isFullScreen && <ViewToolbar dashboard={dashboard} state={state} onState={onState} loaded={loaded} />}
      {!isFullScreen && <SaveAsDefault dashboard={dashboard} state={state} onState={onState} />}
      {dashboard.tiles.length === 0 ? (
        <NoTiles onAdd={edit} />
      ) : (
        <PrintingContext value={view.printing}>
          <ViewBoard dashboard={dashboard} state={state} onState={onState} data={data} onZoom={zoom} />
        </PrintingContext>
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

interface ViewKeys {
  /** Null where the dashboard cannot be edited: on a full screen. */
  edit: (() => void) | null
  refresh: () => void
}

function useViewKeys({ edit, refresh }: ViewKeys): void {
  usePageActions(
    useMemo<PageAction[]>(
      () => [
        ...(edit ? [{ label: 'Edit dashboard', key: 'e', icon: Pencil, run: edit }] : []),
        { label: 'Refresh all tiles', key: 'r', run: refresh },
      ],
      [edit, refresh],
    ),
  )
}

interface TitleMarksProps {
  dashboard: Dashboard
  /** The time range in words: on paper only. */
  range: string
}

/** Beside the title: whether the dashboard is a favorite, and its tags. */
function TitleMarks({ dashboard: { id, name, tags }, range }: TitleMarksProps) {
  const { id: connectionId } = useConnection()
  return (
    <>
      <span className={css.onScreen}>
        <FavoriteButton connectionId={connectionId} dashboardId={id} name={name} />
      </span>
      {tags.map((tag) => (
        <StatusChip key={tag} tone="neutral">
          {tag}
        </StatusChip>
      ))}
      <Text component="span" color="textSecondary" className={css.printedRange}>
        {range}
      </Text>
    </>
  )
}

function FullScreenControls({ state, onExit }: { state: ViewState; onExit: () => void }) {
  return (
    <>
      <Text color="textSecondary">
        {formatRange(state, state.tz)}, refreshed {refreshLabels[refreshOf(state)].toLowerCase()}
      </Text>
      <Button startIcon={<Minimize size={14} aria-hidden />} onClick={onExit}>
        Exit full screen
      </Button>
    </>
  )
}

function EditButton({ onNear, onEdit }: { onNear: () => void; onEdit: () => void }) {
  return (
    <Button
      variant="contained"
      color="primary"
      startIcon={<Pencil size={14} aria-hidden />}
      onPointerEnter={onNear}
      onFocus={onNear}
      onClick={onEdit}
    >
      Edit
    </Button>
  )
}

function NoTiles({ onAdd }: { onAdd: () => void }) {
  const locked = lockReason(useConnection())
  return (
    <EmptyState
      icon={LayoutDashboard}
      title="This dashboard has no tiles"
      action={
        <Button variant="contained" color="primary" onClick={onAdd} title={locked}>
          Add tiles
        </Button>
      }
    >
      Tiles show charts, numbers, tables and text.
    </EmptyState>
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
