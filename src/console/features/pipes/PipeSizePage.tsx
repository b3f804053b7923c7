import { useQuery } from '@tanstack/react-query'
import { asFailure } from '#console/api/failure.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { nextPollDelay, changeProgress, usePendingChange } from '#console/records/pendingChanges/pendingChanges.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { RecordLoader } from '#console/records/record/RecordLoader.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { services } from '#contract/cloud/services/services.ts'
import { DatabasePipeScaling } from './scaling/DatabasePipeScaling.tsx'

export const reads = pageReads(
  pipes.cdcScaling,
  // The breadcrumb shows its name.
  services.get,
)

const title = 'Scale database pipes'

/** Scales the size that all database pipes of a service share. */
export default function PipeSizePage() {
  const connection = useConnection()
  const serviceId = useRouteParam('serviceId')
  const resource = `${connection.id}/pipeSize/${serviceId}`
  const pendingChange = usePendingChange(resource)
  const input = { params: { serviceId } }
  const query = useQuery({
    ...q(connection.id, pipes.cdcScaling, input),
    refetchInterval: ({ state: { data } }) => {
      const now = Date.now()
      return pendingChange && data && changeProgress(pendingChange, data, now).state !== 'reached'
        ? nextPollDelay(pendingChange, now)
        : false
    },
  })
  const { data, error, dataUpdatedAt } = query
  if (!data && error && asFailure(error).code === 'notFound') {
    return (
      <Page title={title}>
        <EmptyState
          title="No database pipes yet"
          action={<LinkButton to={paths.pipes(connection.id)}>All data pipes</LinkButton>}
        >
          Create a Postgres, MySQL, MongoDB or BigQuery pipe first. All of them share one size.
        </EmptyState>
      </Page>
    )
  }
  return (
    <RecordLoader title={title} read={query} list={{ to: paths.pipes(connection.id), label: 'All data pipes' }}>
      {(size) => (
        <DatabasePipeScaling
          title={title}
          resource={resource}
          size={size}
          reportedAt={dataUpdatedAt}
          unreachable={error !== null}
        />
      )}
    </RecordLoader>
  )
}
