import { replaceEqualDeep, useQuery } from '@tanstack/react-query'
import { Network, Plus, RefreshCw } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { prefetchConnectionStates, readConnections } from '#console/api/gateway/environments.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { sessionQuery } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { TourPlace } from '#console/frame/tour/TourPlace.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { formatClock } from '#console/ui/time/formatTime.ts'
import type { Connection } from '#contract/console/connections.ts'
import { attentionOf } from './attention.ts'
import { DashboardsPanel } from './DashboardsPanel.tsx'
import { EnvironmentsTable } from './EnvironmentsTable.tsx'
import { summaryOf } from './summary.ts'
import type { Problems } from './problems.ts'
import { interval, useHome, type HomeEnvironment } from './useHome.ts'
import * as css from './home.module.css'

const TourOffer = lazyComponent(async () => (await import('#console/frame/tour/TourOffer.tsx')).TourOffer, TourPlace)
// Loaded lazily: these panels need the data of the environments table, or are below the fold.
const FiringPanel = lazyComponent(async () => (await import('./FiringPanel.tsx')).FiringPanel)
const AttentionPanel = lazyComponent(async () => (await import('./AttentionPanel.tsx')).AttentionPanel)
const ChangesPanel = lazyComponent(
  async () => (await import('./ChangesPanel.tsx')).ChangesPanel,
  () => <LoadingPanels heights={[120]} />,
)
const ProblemsReader = lazyComponent(async () => (await import('./ProblemsReader.tsx')).ProblemsReader)

export { prefetchConnectionStates as prefetch }

/** Whether all is well on every connection, and what to do next where it is not. */
export default function HomePage() {
  const { data: connections, error, refetch } = useQuery(connectionsQuery)
  const { data: session } = useQuery(sessionQuery)
  // While the page is built, the connections are not known.
  const isInBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
  if (error) return <QueryError error={error} onRetry={() => void refetch()} />
  if (!connections || !isInBrowser) {
    return (
      <Page title="Home">
        <LoadingPanels heights={[150, 220, 220]} />
      </Page>
    )
  }
  if (connections.length === 0) return <NoConnections isLimited={session?.limited === true} />
  return <Overview connections={connections} />
}

const subscribeToNothing = () => () => {}

function NoConnections({ isLimited }: { isLimited: boolean }) {
  return (
    <Page title="Home">
      <EmptyState
        icon={Network}
        title="No connections yet"
        action={
          !isLimited && (
            <LinkButton
              to={paths.newConnection()}
              variant="contained"
              color="primary"
              startIcon={<Plus size={15} aria-hidden />}
            >
              Add connection
            </LinkButton>
          )
        }
      >
        {isLimited
          ? 'You have no role on any connection. Ask an administrator of this console for one.'
          : 'A connection is the address of a deployment and a key for its API. Add one to see its state here.'}
      </EmptyState>
    </Page>
  )
}

function Overview({ connections }: { connections: readonly Connection[] }) {
  const [problems, setProblems] = useState<Problems[]>([])
  const environments = useHome(connections, problems)
  const attention = attentionOf(environments)
  const summary = summaryOf(environments, attention.length)
  const needsPanels = summary.firing > 0 || attention.length > 0
  return (
    <Page
      title="Home"
      state={
        <>
          {summary.firing > 0 && <StatusChip tone="bad">{summary.firing} firing</StatusChip>}
          {summary.isQuiet && <StatusChip tone="ok">All quiet</StatusChip>}
        </>
      }
      lead={<span role="status">{summary.text}</span>}
      actions={<Refresh environments={environments} />}
    >
      <ProblemsReader
        connections={connections}
        interval={interval}
        onRead={(read) => setProblems((before) => replaceEqualDeep(before, read))}
      />
      <div className={css.sections}>
        <EnvironmentsTable environments={environments} />
        {needsPanels && (
          <div className={css.pair}>
            <FiringPanel environments={environments} />
            <AttentionPanel items={attention} environments={environments} />
          </div>
        )}
        <div className={css.pair}>
          <TourOffer connections={connections} />
          <DashboardsPanel environments={environments} />
        </div>
        <ChangesPanel environments={environments} />
      </div>
    </Page>
  )
}

/** Reads everything again, whatever is known; says when it was read. */
function Refresh({ environments }: { environments: readonly HomeEnvironment[] }) {
  const [reading, setReading] = useState(false)
  const times = environments.flatMap(({ state }) => state?.readAt ?? []).toSorted()
  const refresh = async () => {
    setReading(true)
    await Promise.allSettled([
      readConnections(environments.map(({ connection }) => connection)),
      // Further reads of the page.
      queryClient.refetchQueries({ type: 'active', predicate: ({ queryKey }) => queryKey[0] !== 'environments' }),
    ])
    setReading(false)
  }
  return (
    <>
      {times[0] !== undefined && <span className={css.readAt}>Read {formatClock(times[0])}</span>}
      <Button startIcon={<RefreshCw size={13} aria-hidden />} loading={reading} onClick={() => void refresh()}>
        Refresh
      </Button>
    </>
  )
}
