import { readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { PendingPage } from '#console/shell/PendingPage.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { Page } from '#console/ui/Page.tsx'
import { pipes } from '#contract/pipes.ts'
import { PipeScaling } from './scaling/PipeScaling.tsx'
import { usePipe } from './usePipe.ts'

export function reads({ connectionId = '', serviceId = '', dataPipeId = '' }: Record<string, string>) {
  readAhead(connectionId, pipes.get, { params: { serviceId, dataPipeId } })
}

export default function PipeScalingPage() {
  const connection = useConnection()
  const { data, error, refetch, dataUpdatedAt } = usePipe()
  if (data) return <PipeScaling key={data.id} pipe={data} reportedAt={dataUpdatedAt} blind={error !== null} />
  if (error) {
    return (
      <Page title="Scale data pipe">
        <QueryError
          error={error}
          onRetry={() => void refetch()}
          elsewhere={<LinkButton to={paths.pipes(connection.id)}>All data pipes</LinkButton>}
        />
      </Page>
    )
  }
  return <PendingPage />
}
