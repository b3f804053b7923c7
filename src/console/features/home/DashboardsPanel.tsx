import { useQueries } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { useDashboardShelf } from '#console/charting/thumbnail/dashboardShelf.ts'
import { FavoriteButton } from '#console/charting/thumbnail/FavoriteButton.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { dashboardSummaries, type DashboardSummary } from '#contract/stack/dashboards/dashboards.ts'
import { readOutline } from '#domain/dashboards/outlineText.ts'
import { counted } from '#domain/text/words.ts'
import { visibleText } from '#domain/text/visibleText.ts'
import { ConnectionSuffix } from './ConnectionSuffix.tsx'
import { dashboardsForHome } from './dashboardsForHome.ts'
import type { HomeEnvironment } from './useHome.ts'
import * as css from './home.module.css'

const shown = 8
/** Connections up to which the number of dashboards is shown for each. Beyond, for those whose dashboards are shown. */
const maxCounted = 20

// The list does not wait for their code.
const Thumbnail = lazyComponent(
  async () => (await import('#console/charting/thumbnail/Thumbnail.tsx')).Thumbnail,
  () => <span className={css.thumbnailPlace} />,
)

/** Favorite and recent dashboards, and others while there are few. Their names are read, so only what a person may see is shown. */
export function DashboardsPanel({ environments }: { environments: readonly HomeEnvironment[] }) {
  const { connection: last } = useFrameConnection()
  const shelf = useDashboardShelf()
  const read = environments.filter(
    ({ connection }) => connection.id === last?.id || shelf.some(({ connectionId }) => connectionId === connection.id),
  )
  const lists = useQueries({
    queries: read.map(({ connection }) => ({ ...q(connection.id, dashboardSummaries, {}), retry: false })),
  })
  const all = read.flatMap(({ connection }, at) =>
    (lists[at]?.data ?? []).map((dashboard) => ({ connection, dashboard })),
  )
  const chosen = dashboardsForHome(all, shelf, shown)
  const isReading = lists.some(({ isPending }) => isPending)
  const failed = read.filter((_, at) => lists[at]?.isError)
  return (
    <Panel
      title="Dashboards"
      flush
      aside={
        <span className={css.counts}>
          {(environments.length > maxCounted ? read : environments).map(({ connection, state }) => (
            <TextLink key={connection.id} to={paths.dashboards(connection.id)}>
              {environments.length > 1 ? `${visibleText(connection.name)}: ` : 'All '}
              {state?.counts.dashboards ?? 'unknown'}
            </TextLink>
          ))}
        </span>
      }
    >
      {chosen.length > 0 && (
        <ul className={css.dashboards} aria-label="Favorite and recent dashboards">
          {chosen.map((entry) => (
            <DashboardCard key={`${entry.connection.id}/${entry.dashboard.id}`} {...entry} />
          ))}
        </ul>
      )}
      {chosen.length === 0 && isReading && <LoadingPanels heights={[154]} />}
      {chosen.length === 0 && !isReading && failed.length === 0 && (
        <PanelText>
          {last ? (
            <>
              No dashboards yet.{' '}
              <TextLink to={paths.dashboards(last.id)} search={{ new: '1' }} underline="always">
                New dashboard
              </TextLink>
            </>
          ) : (
            'No dashboards yet.'
          )}
        </PanelText>
      )}
      {failed.length > 0 && (
        <PanelText>
          The dashboards of {failed.map(({ connection }) => visibleText(connection.name)).join(', ')} could not be read.
        </PanelText>
      )}
    </Panel>
  )
}

function DashboardCard({
  connection,
  dashboard: { id, name, tileCount, outline, tags },
}: {
  connection: Connection
  dashboard: DashboardSummary
}) {
  return (
    <li className={css.dashboard}>
      <Thumbnail connectionId={connection.id} dashboardId={id} places={readOutline(outline)} />
      <span className={css.itemText}>
        <TextLink to={paths.dashboard(connection.id, id)} row>
          {visibleText(name)}
        </TextLink>
        <span className={css.detail}>
          <ConnectionSuffix connection={connection} /> · {counted(tileCount, 'tile')}
          {tags.length > 0 && `, ${visibleText(tags.slice(0, 3).join(', '))}`}
        </span>
      </span>
      <FavoriteButton connectionId={connection.id} dashboardId={id} name={name} />
    </li>
  )
}
