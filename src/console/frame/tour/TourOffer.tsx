import { useQueries, type Query } from '@tanstack/react-query'
import { Play, X } from 'lucide-react'
import { useEffect } from 'react'
import { q } from '#console/api/queries.ts'
import { Progress } from '#console/ui/base/Progress.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { formatRecent } from '#console/ui/time/formatRecent.ts'
import { useNow } from '#console/ui/Timestamp.tsx'
import { sample, type SampleStatus } from '#contract/stack/sample.ts'
import type { Connection } from '#contract/console/connections.ts'
import { locationOf } from '#contract/console/deployments.ts'
import { browserSettings, setBrowserSettings, useBrowserSetting } from '#console/shell/browserSettings.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { tourSteps } from './tourSteps.ts'
import * as css from '../frame.module.css'
import { TourPlace } from './TourPlace.tsx'

const minute = 60_000
/** Polling interval while the sample is being loaded, in milliseconds. */
const whileLoading = 2000
const title = 'Follow an incident of the sample'

/** Offers the tour, if a local connection has the sample with an incident, until it is dismissed. Says how far the sample is while it is being loaded. */
export function TourOffer({ connections }: { connections: readonly Connection[] }) {
  const now = useNow()
  const isDismissed = useBrowserSetting('tour') === 'dismissed'
  const local = localStacks(connections)
  const statuses = useQueries({
    queries: local.map(({ id }) => ({
      ...q(id, sample.get, {}, { priority: 'background' }),
      enabled: !isDismissed,
      retry: false,
      refetchInterval: (query: Query<SampleStatus>) => (query.state.data?.state === 'loading' ? whileLoading : false),
    })),
  })
  const at = statuses.findIndex(({ data }) => data?.incident !== undefined)
  const connection = local[at]
  const incident = statuses[at]?.data?.incident
  const isKnown = statuses.every(({ isLoading }) => !isLoading)
  const isOffered = incident !== undefined || statuses.some(({ data }) => data?.state === 'loading')
  useEffect(() => {
    if (isKnown && browserSettings().tourOffered !== isOffered) setBrowserSettings({ tourOffered: isOffered })
  }, [isKnown, isOffered])
  if (isDismissed) return null
  if (!isKnown) return <TourPlace />
  const dismiss = (
    <IconButton
      {...hint('Dismiss the tour')}
      aria-label="Dismiss the tour"
      size="small"
      onClick={() => setBrowserSettings({ tour: 'dismissed' })}
    >
      <X size={15} aria-hidden />
    </IconButton>
  )
  const loading = statuses.find(({ data }) => data?.state === 'loading')?.data
  if (loading && !incident) {
    return (
      <Panel title={title} aside={dismiss}>
        <div className={css.offer}>
          <div>
            Loading telemetry of a demo shop: {Math.floor(loading.progress * 100)} %. After that, a tour of 60 seconds
            can follow an incident of it to its cause.
          </div>
          <Progress share={loading.progress} aria-label="Sample data loaded" />
        </div>
      </Panel>
    )
  }
  if (!connection || !incident) return null
  const steps = tourSteps(connection.id, incident, now)
  const [first] = steps
  if (!first) return null
  const lasted = Math.round((incident.end - incident.start) / minute)
  return (
    <Panel title={title} aside={dismiss}>
      <div className={css.offer}>
        <div>
          From {formatRecent(incident.start, now)} on, payments failed for {lasted} minutes. Go from the alert to the
          log record that shows why. <StatusChip tone="accent">60 seconds</StatusChip>
        </div>
        <ol className={css.tourSteps}>
          {steps.map(({ name }) => (
            <li key={name}>{name}</li>
          ))}
        </ol>
        <div className={css.tourActions}>
          <LinkButton
            to={first.to}
            search={first.search}
            onClick={() => setBrowserSettings({ tour: 1 })}
            variant="contained"
            color="primary"
            startIcon={<Play size={13} aria-hidden />}
          >
            Start the tour
          </LinkButton>
          <span className={css.tourText}>Sample data only. Nothing is written.</span>
        </div>
      </div>
    </Panel>
  )
}

/** Local connections by the open-source API, one to each stack. */
function localStacks(connections: readonly Connection[]): Connection[] {
  const local = connections.filter(({ stage, variant }) => stage === 'local' && variant === 'openSource')
  const places = local.map((connection) => locationOf(connection).deployment)
  return local.filter((_, at) => places.indexOf(places[at] ?? '') === at)
}
