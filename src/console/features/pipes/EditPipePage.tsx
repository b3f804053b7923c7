import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { EditPipe } from './forms/EditPipe.tsx'
import { creatableKind } from './forms/pipeForm.ts'
import { PipeLoader, readPipe } from './PipeLoader.tsx'
import { formatPipeKind } from './model/pipeLabels.ts'

export { readPipe as reads }

const title = 'Edit data pipe'

export default function EditPipePage() {
  const connection = useConnection()
  return (
    <PipeLoader title={title}>
      {(pipe, { params }) => {
        const kind = creatableKind(pipe)
        if (kind) return <EditPipe key={pipe.id} read={pipe} kind={kind} params={params} />
        return (
          <Page title={title}>
            <EmptyState
              title={`${formatPipeKind(pipe)} pipes are not edited here`}
              action={
                <LinkButton to={paths.pipe(connection.id, params.serviceId, pipe.id)}>Back to the pipe</LinkButton>
              }
            >
              This console does not know the fields of such a source. It shows them, starts and stops the pipe, and
              scales it.
            </EmptyState>
          </Page>
        )
      }}
    </PipeLoader>
  )
}
