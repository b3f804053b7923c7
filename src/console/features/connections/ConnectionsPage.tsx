import { useQuery } from '@tanstack/react-query'
import { Network, Plus } from 'lucide-react'
import { connectionsQuery } from '#console/api/connections.ts'
import { formatError } from '#console/api/errors.ts'
import { sessionQuery } from '#console/api/session.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { ErrorState } from '#console/ui/ErrorState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { ConnectionCard } from './ConnectionCard.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import * as css from './connections.module.css'

export function prefetch(): void {
  void queryClient.prefetchQuery(connectionsQuery)
}

/** All deployments that this console knows, each with its test. */
export default function ConnectionsPage() {
  const { data: connections, error, refetch } = useQuery(connectionsQuery)
  const { data: session } = useQuery(sessionQuery)
  // Administrators add them.
  const add = !session?.limited && (
    <LinkButton
      to={paths.newConnection()}
      variant="contained"
      color="primary"
      startIcon={<Plus size={15} aria-hidden />}
    >
      Add connection
    </LinkButton>
  )
  return (
    <Page
      title="Connections"
      lead="Deployments managed by this console. Keys are stored on the server and never sent to the browser."
      actions={connections && connections.length > 0 && add}
    >
      {error && <ErrorState error={formatError(error)} onRetry={() => void refetch()} />}
      {connections?.length === 0 && (
        <EmptyState icon={Network} title="No connections yet" action={add}>
          {session?.limited
            ? 'You have no role on any connection. Ask an administrator of this console for one.'
            : 'A connection is the address of a deployment and a key for its API. Add one to see its dashboards and alerts.'}
        </EmptyState>
      )}
      <div className={css.connectionsCards}>
        {connections?.map((connection) => (
          <ConnectionCard key={connection.id} connection={connection} />
        ))}
        {!connections && !error && [0, 1].map((at) => <Skeleton key={at} variant="rounded" height={220} />)}
      </div>
    </Page>
  )
}
