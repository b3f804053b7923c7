import { readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { PendingPage } from '#console/shell/PendingPage.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/Page.tsx'
import { pipes } from '#contract/pipes.ts'
import { EditPipe } from './make/EditPipe.tsx'
import { makeableKind } from './make/pipeForm.ts'
import { usePipe } from './usePipe.ts'
import { kindWords } from './words.ts'

export function reads({ connectionId = '', serviceId = '', dataPipeId = '' }: Record<string, string>) {
  readAhead(connectionId, pipes.get, { params: { serviceId, dataPipeId } })
}

const title = 'Edit data pipe'

export default function EditPipePage() {
  const connection = useConnection()
  const { data, error, refetch, params } = usePipe()
  if (data) {
    const kind = makeableKind(data)
    if (kind) return <EditPipe key={data.id} read={data} kind={kind} params={params} />
    return (
      <Page title={title}>
        <EmptyState
          title={`${kindWords(data)} pipes are not edited here`}
          action={<LinkButton to={paths.pipe(connection.id, params.serviceId, data.id)}>Back to the pipe</LinkButton>}
        >
          This console does not know the fields of such a source. It shows them, starts and stops the pipe, and scales
          it.
        </EmptyState>
      </Page>
    )
  }
  if (!error) return <PendingPage />
  return (
    <Page title={title}>
      <QueryError
        error={error}
        onRetry={() => void refetch()}
        elsewhere={<LinkButton to={paths.pipes(connection.id)}>All data pipes</LinkButton>}
      />
    </Page>
  )
}
