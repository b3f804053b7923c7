import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { alerts } from '#contract/stack/alerts.ts'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { sources } from '#contract/stack/sources.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { useDashboardVisit } from '#console/charting/thumbnail/dashboardShelf.ts'
import { MissingRecord } from '#console/shell/fallbacks/MissingRecord.tsx'
import type { Arrival } from '#console/shell/routeData.ts'
import { parseSearch, useUrlState } from '#console/shell/urlState.ts'
import { Chart } from '#console/ui/chart/Chart.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { SharedHuesContext, type SharedHues } from '#console/ui/series/useSeriesStyles.ts'
import { prefetchTiles } from './view/prefetchTiles.ts'
import { ViewScreen } from './view/ViewScreen.tsx'
import { viewSchema } from './view/viewState.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import * as css from './dashboards.module.css'

const EditScreen = lazyComponent(async () => (await import('./edit/EditScreen.tsx')).EditScreen, Outline)

export const reads = pageReads(dashboards.get, sources.list, alerts.list)

export function prefetch(
  { connectionId = '', dashboardId = '' }: Record<string, string>,
  { search, entered }: Arrival,
): void {
  Chart.preload()
  // The page repeats a failed request, and shows its error.
  if (entered) prefetchTiles(connectionId, dashboardId, viewSchema.parse(parseSearch(search))).catch(() => {})
}

/** A dashboard in view or edit mode. */
export default function DashboardPage() {
  const connection = useConnection()
  const dashboardId = useRouteParam('dashboardId')
  const [state, setState] = useUrlState(viewSchema)
  const dashboard = useQuery(q(connection.id, dashboards.get, { params: { dashboardId } }))
  useDashboardVisit(connection.id, dashboardId)

  if (dashboard.isError && !dashboard.data) {
    return (
      <Page title="Dashboard">
        <MissingRecord
          error={dashboard.error}
          onRetry={() => void dashboard.refetch()}
          list={{ to: paths.dashboards(connection.id), label: 'All dashboards' }}
          kind="dashboards"
          id={dashboardId}
          noun="dashboard"
          pathOf={paths.dashboard}
        />
      </Page>
    )
  }
  if (!dashboard.data) return <Outline />
  const shared = { dashboard: dashboard.data, state, onState: setState }
  return (
    <SameHues key={dashboardId}>
      {state.edit ? <EditScreen {...shared} /> : <ViewScreen {...shared} onEditNear={EditScreen.preload} />}
    </SameHues>
  )
}

/** Gives a name the same hue in all tiles, where it is free. */
function SameHues({ children }: { children: ReactNode }) {
  const [hues] = useState<SharedHues>(() => new Map())
  return <SharedHuesContext value={hues}>{children}</SharedHuesContext>
}

function Outline() {
  return (
    <Page title="Dashboard" lead={<Skeleton width={220} />}>
      <div aria-busy className={css.tiles}>
        {[1, 2, 3, 4].map((tile) => (
          <Skeleton key={tile} variant="rounded" height={240} />
        ))}
      </div>
    </Page>
  )
}
