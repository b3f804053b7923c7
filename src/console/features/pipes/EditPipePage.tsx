import { paths } from '#console/paths/paths.ts'
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
              title={`${formatPipeKind(pipe)} pipes cannot be edited here`}
              action={
                <LinkButton to={paths.pipe(connection.id, params.serviceId, pipe.id)}>Back to the pipe</LinkButton>
              }
            >
              The console does not support editing this source type. You can view, start, stop and scale the pipe.
            </EmptyState>
          </Page>
        )
      }}
    </PipeLoader>
  )
}
