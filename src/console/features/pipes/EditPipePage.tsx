import { paths } from '#console/paths/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import { EditPipe } from './forms/EditPipe.tsx'
import { creatableKind } from './forms/pipeForm.ts'
import { formatPipeKind } from './model/pipeLabels.ts'
import { pipeReads, pipeResource } from './model/pipeResource.ts'

export { pipeReads as reads }

const title = 'Edit data pipe'

export default function EditPipePage() {
  return (
    <ResourceLoader resource={pipeResource} title={title}>
      {(pipe) => {
        const kind = creatableKind(pipe)
        return kind ? <EditPipe key={pipe.id} read={pipe} kind={kind} /> : <NotEditable pipe={pipe} />
      }}
    </ResourceLoader>
  )
}

function NotEditable({ pipe }: { pipe: Pipe }) {
  const { id: connectionId } = useConnection()
  const back = paths.pipe(connectionId, useRouteParam('serviceId'), pipe.id)
  return (
    <Page title={title}>
      <EmptyState
        title={`${formatPipeKind(pipe)} pipes cannot be edited here`}
        action={<LinkButton to={back}>Back to the pipe</LinkButton>}
      >
        The console does not support editing this source type. You can view, start, stop and scale the pipe.
      </EmptyState>
    </Page>
  )
}
