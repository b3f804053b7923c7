import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useCallback } from 'react'
import { z } from 'zod'
import { recordOffer, useOffer } from '#console/api/offers/offers.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { useUrlState } from '#console/shell/urlState.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { search } from '#contract/stack/search.ts'
import { sources, type Source } from '#contract/stack/sources.ts'
import { chosenZone } from '#console/shell/browserSettings.ts'
import { isZone } from '#domain/time/zone.ts'
import { text } from '#console/charting/rows/columns.ts'
import { isSearchable } from './query/state.ts'
import { TraceView } from './trace/TraceView.tsx'
import { useTrace } from './trace/useTrace.ts'

export const reads = pageReads(sources.list)

const traceUrl = z.object({
  /** Epoch milliseconds of one of its spans or logs. Without it the last seven days are read. */
  at: z.coerce.number().int().positive().optional().catch(undefined),
  /** The span whose details are open. */
  span: z.string().catch('').default(''),
  tz: z.string().refine(isZone).catch(chosenZone).default(chosenZone),
})

/** All spans of one trace with their logs. */
export default function TracePage() {
  const connection = useConnection()
  const { traceId = '' } = useParams({ strict: false })
  const { offered, reason } = useOffer(connection, 'search', search.query.variants)
  const { data, error, refetch } = useQuery({
    ...q(connection.id, sources.list, {}),
    enabled: offered,
    staleTime: 60_000,
  })
  const searchable = data?.filter(isSearchable)
  const traces = searchable?.find(({ kind }) => kind === 'trace')
  if (offered && traces && searchable) return <TraceOf {...{ connection, traceId, traces, searchable }} />
  return (
    <Page title="Trace">
      {offered && !data && !error && <LoadingPanels heights={[96, 480]} />}
      {!offered && (
        <NotOffered reason={reason ?? ''} onTryAnyway={() => recordOffer(connection.id, search.query, 'offered')} />
      )}
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {offered && data && (
        <EmptyState icon={SearchX} title="No source of traces">
          This deployment has no source of traces.
        </EmptyState>
      )}
    </Page>
  )
}

interface TraceOfProps {
  connection: Connection
  traceId: string
  traces: Source
  searchable: readonly Source[]
}

function TraceOf({ connection, traceId, traces, searchable }: TraceOfProps) {
  const [{ at, span, tz }, change] = useUrlState(traceUrl)
  const select = useCallback((id: string) => change({ span: id }), [change])
  const named = text(traces, 'logSourceId')
  const logs = searchable.find(({ id }) => id === named) ?? searchable.find(({ kind }) => kind === 'log')
  const { data, error, isPending, refetch } = useTrace(connection.id, { traceId, traces, logs, at })
  if (data) {
    return (
      <TraceView
        connection={connection}
        traceId={traceId}
        traces={traces}
        logs={logs}
        data={data}
        zone={tz}
        selected={span}
        onSelect={select}
      />
    )
  }
  return (
    <Page title="Trace" lead={<code>{traceId}</code>}>
      {isPending && (
        <div aria-busy>
          <Skeleton variant="rounded" height={420} />
        </div>
      )}
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {data === null && (
        <EmptyState
          icon={SearchX}
          title="No spans of this trace"
          action={at !== undefined && <Button onClick={() => change({ at: '' })}>Show the last 7 days</Button>}
        >
          There are no spans with this trace ID{' '}
          {at === undefined ? 'in the last 7 days' : 'within seven days of this time'}. They may have expired, or the
          trace was not sampled.
        </EmptyState>
      )}
    </Page>
  )
}
