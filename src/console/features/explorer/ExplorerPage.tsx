import { useQuery } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import { noteOffer, useOffer } from '#console/api/offers.ts'
import { q, readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { NotOffered } from '#console/shell/NotOffered.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/Page.tsx'
import { charts } from '#contract/charts.ts'
import { sources } from '#contract/sources.ts'
import { Explorer } from './Explorer.tsx'
import { isChartable } from './query.ts'

export function reads({ connectionId = '' }: Record<string, string>): void {
  readAhead(connectionId, sources.list, {})
}

/** Any series of any source over time. */
export default function ExplorerPage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'charts', charts.query.variants)
  const { data, error, refetch } = useQuery({
    ...q(connection.id, sources.list, {}),
    enabled: offered,
    staleTime: 60_000,
  })
  if (!offered) {
    return (
      <Page title="Explorer">
        <NotOffered
          reason={`${reason} The explorer reads telemetry through it: open it on an open-source connection.`}
          onAsk={() => noteOffer(connection.id, charts.query, 'offered')}
        />
      </Page>
    )
  }
  if (data?.some(isChartable)) return <Explorer connection={connection} sources={data} />
  return (
    <Page title="Explorer">
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {data && (
        <EmptyState
          icon={Database}
          title="No sources to look into"
          action={<LinkButton to={paths.sources(connection.id)}>Sources</LinkButton>}
        >
          The explorer draws logs, traces and metrics of the deployment’s sources, and it has none of these.
        </EmptyState>
      )}
    </Page>
  )
}
