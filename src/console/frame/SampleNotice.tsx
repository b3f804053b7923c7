import { Progress } from '#console/ui/base/Progress.tsx'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { sample, type SampleStatus } from '#contract/stack/sample.ts'
import { useBrowserSetting } from '#console/shell/browserSettings.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { formatLoadedSample, RemoveSampleButton, SampleNoticeBar, SampleNoticePlace } from './SampleNoticeBar.tsx'
import * as css from './frame.module.css'

/** Polling interval of sample data that is being loaded or removed, in milliseconds. */
const pollInterval = 2000

// Loaded on demand: most stacks miss no telemetry.
const TelemetryLossNotice = lazyComponent(async () => (await import('./notices.tsx')).TelemetryLossNotice)

const TourBar = lazyComponent(async () => (await import('./tour/TourBar.tsx')).TourBar)

// Loaded on demand: most stores have no damaged records.
const DamageNotice = lazyComponent(async () => (await import('./notices.tsx')).DamageNotice)

/** Connections whose sample data is being removed: their pages are refreshed when it is gone. */
const beingRemoved = new Set<string>()

const isInTransition = (status: SampleStatus | undefined) => status?.state === 'loading' || status?.state === 'removing'

/** The read of the frame on pages that show telemetry. The build lists it (`console/prerender.tsx`). */
export const sampleRead = sample.get

/** The sample data of a connection, and its removal, after which the pages are read again. */
function useSample(connection: Connection) {
  const options = q(connection.id, sampleRead, {}, { priority: 'background' })
  const { offered } = useOffer(connection, 'sample', sampleRead.variants)
  const read = useQuery({
    ...options,
    enabled: offered,
    refetchInterval: (query) => (isInTransition(query.state.data) ? pollInterval : false),
  })
  const remove = useApiMutation(connection.id, sample.delete, {
    onSuccess: (left) => {
      queryClient.setQueryData(options.queryKey, left)
      toast({ tone: 'ok', text: 'Removing the sample data.' })
    },
    onError: toastFailure,
  })
  const { isError } = read
  const state = read.data?.state
  useEffect(() => {
    if ((isError || state === 'absent') && beingRemoved.delete(connection.id)) {
      // The staging environment of the sample was removed with it.
      void queryClient.invalidateQueries({ queryKey: connectionsQuery.queryKey })
      void queryClient.invalidateQueries({ queryKey: [connection.id] })
    } else if (state === 'removing') beingRemoved.add(connection.id)
  }, [state, isError, connection.id])
  return { status: read.data, isLoading: read.isLoading, remove }
}

/** A notice above pages with sample telemetry: explanation, progress, a link to remove it. While the tour is on, it takes the place of the notice. Says also which telemetry is missing, and which records are damaged. */
export function SampleNotice({ connection }: { connection: Connection }) {
  const { status, isLoading, remove } = useSample(connection)
  const tour = useBrowserSetting('tour')
  if (!status) return isLoading ? <SampleNoticePlace connection={connection} /> : null
  const { losses = [], damaged, incident } = status
  const isForCaller = connection.role === undefined || connection.role === 'administrator'
  const loss = (
    <>
      {losses.length > 0 && <TelemetryLossNotice losses={losses} />}
      {damaged && isForCaller && <DamageNotice damage={damaged} of="stack" />}
    </>
  )
  if (status.state === 'absent') return loss

  const ask = async () => {
    const sure = await confirm({
      title: 'Remove sample data?',
      body: 'Its logs, traces, metrics and dashboard, and its staging environment, are deleted for all users. Your own telemetry is kept. Sample data is loaded again only when the stack starts with an empty data directory.',
      action: 'Remove sample data',
      danger: true,
      irreversible: true,
    })
    if (sure) remove.mutate({})
  }

  if (incident && typeof tour === 'number' && tour > 0) {
    return (
      <>
        {loss}
        <TourBar connectionId={connection.id} incident={incident} step={tour} />
      </>
    )
  }
  return (
    <>
      {loss}
      <SampleNoticeBar
        text={sentence(status)}
        progress={
          status.state === 'loading' && (
            <Progress share={status.progress} aria-label="Sample data loaded" className={css.sampleProgress} />
          )
        }
        action={
          status.state !== 'removing' && (
            <DisabledReason reason={connection.readOnly ? 'This connection is read-only.' : undefined}>
              <RemoveSampleButton
                onClick={() => void ask()}
                loading={remove.isPending}
                disabled={connection.readOnly}
              />
            </DisabledReason>
          )
        }
      />
    </>
  )
}

function sentence({ state, progress, records, recordsOnly }: SampleStatus): string {
  if (state === 'loading') return `Loading telemetry of a demo shop: ${Math.floor(progress * 100)} %.`
  if (state === 'removing') return 'The sample data is being removed.'
  if (recordsOnly) return 'Staging environment of the demo shop: records only, without telemetry.'
  return formatLoadedSample(records)
}
