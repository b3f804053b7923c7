import { useQuery } from '@tanstack/react-query'
import { q, readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { PendingPage } from '#console/shell/PendingPage.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/Page.tsx'
import { pipeFamilies, pipeKind } from '#contract/pipeKinds.ts'
import { pipes } from '#contract/pipes.ts'
import { SettingsEditor } from './settings/SettingsEditor.tsx'
import { usePipe } from './usePipe.ts'

export function reads({ connectionId = '', serviceId = '', dataPipeId = '' }: Record<string, string>) {
  readAhead(connectionId, pipes.get, { params: { serviceId, dataPipeId } })
}

const title = 'Pipe settings'

export default function PipeSettingsPage() {
  const connection = useConnection()
  const pipe = usePipe()
  const kind = pipe.data && pipeKind(pipe.data)
  const isDatabase = kind != null && pipeFamilies[kind] === 'database'
  // Deployments answer "not found" for the settings of a database pipe, which reads as if the pipe were gone.
  const settings = useQuery({
    ...q(connection.id, pipes.settings, { params: pipe.params }),
    enabled: pipe.data !== undefined && !isDatabase,
  })
  const error = pipe.data ? settings.error : pipe.error
  const back = paths.pipe(connection.id, pipe.params.serviceId, pipe.params.dataPipeId)
  if (isDatabase) {
    return (
      <Page title={title}>
        <EmptyState
          title="Database pipes have no such settings"
          action={
            <LinkButton to={paths.pipeSize(connection.id, pipe.params.serviceId)}>
              Size of the database pipes
            </LinkButton>
          }
        >
          The API tunes streaming and object-storage pipes. What tunes a database pipe is part of its source, and its
          size is shared with the other database pipes of the service.
        </EmptyState>
      </Page>
    )
  }
  if (pipe.data && settings.data) {
    return <SettingsEditor key={pipe.data.id} pipe={pipe.data} read={settings.data} params={pipe.params} back={back} />
  }
  if (error) {
    return (
      <Page title={title}>
        <QueryError
          error={error}
          onRetry={() => void (pipe.data ? settings : pipe).refetch()}
          elsewhere={<LinkButton to={paths.pipes(connection.id)}>All data pipes</LinkButton>}
        />
      </Page>
    )
  }
  return <PendingPage />
}
