import { memo, useEffect, useMemo, useState } from 'react'
import type { ExplainFilters } from '#console/charting/explanation/useValueActions.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import type { Alert } from '#contract/stack/alerts.ts'
import type { Dashboard, Tile } from '#contract/stack/dashboards/dashboards.ts'
import type { Span } from '#domain/time/span.ts'
import type { TileData } from '../model/dataScope.ts'
import { TileFilters } from '../model/tileFilters.ts'
import { Board } from './Board.tsx'
import { queryOf } from './scope.ts'
import { TileCard } from './TileCard.tsx'
import { TileGrid } from './TileGrid.tsx'
import { useDashboardAlerts } from './useDashboardAlerts.ts'
import { useTileMenu } from './useTileMenu.ts'
import type { ScreenProps } from './viewState.ts'

const TileStatement = lazyComponent(async () => (await import('./TileStatement.tsx')).TileStatement)

interface ViewBoardProps extends ScreenProps {
  data: TileData
  onZoom: (span: Span) => void
}

/** The tiles of a dashboard in view mode, section by section. */
export function ViewBoard({ data, onZoom, ...screen }: ViewBoardProps) {
  const { dashboard, state, onState } = screen
  const connection = useConnection()
  const alerts = useDashboardAlerts(connection.id, dashboard.id)
  const filters = useExplainFilters(screen)
  usePicture(connection.id, dashboard, data)
  return (
    <TileFilters value={filters}>
      <Board
        dashboard={dashboard}
        state={state}
        onState={onState}
        renderGrid={(tiles) => (
          <TileGrid
            tiles={tiles}
            renderTile={(tile) => (
              <ViewedTile {...screen} tile={tile} data={data} alerts={alerts.ofTile(tile.id)} onZoom={onZoom} />
            )}
          />
        )}
      />
    </TileFilters>
  )
}

/** How values that explain a range become part of the condition of the dashboard. */
function useExplainFilters({ dashboard, state, onState }: ScreenProps): ExplainFilters {
  return useMemo(() => {
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

interface ViewedTileProps extends ViewBoardProps {
  tile: Tile
  alerts: readonly Alert[]
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
