import { useQuery } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { RecordLoader, ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { pipeFamilies, pipeKind } from '#contract/cloud/pipeKinds.ts'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { pipeReads, pipeResource } from './model/pipeResource.ts'
import { SettingsEditor } from './settings/SettingsEditor.tsx'

export { pipeReads as reads }

const title = 'Pipe settings'

export default function PipeSettingsPage() {
  return (
    <ResourceLoader resource={pipeResource} title={title}>
      {(pipe) => {
        const kind = pipeKind(pipe)
        // Deployments respond "not found" for the settings of database pipes, as if the pipe did not exist.
        const isDatabase = kind !== null && pipeFamilies[kind] === 'database'
        return isDatabase ? <NoSettings /> : <Settings pipe={pipe} />
      }}
    </ResourceLoader>
  )
}

function Settings({ pipe }: { pipe: Pipe }) {
  const { id: connectionId } = useConnection()
  const params = { serviceId: useRouteParam('serviceId'), dataPipeId: pipe.id }
  const read = useQuery(q(connectionId, pipes.settings, { params }))
  const back = paths.pipe(connectionId, params.serviceId, params.dataPipeId)
  return (
    <RecordLoader title={title} read={read} list={{ to: paths.pipes(connectionId), label: 'All data pipes' }}>
      {(settings) => <SettingsEditor key={pipe.id} pipe={pipe} read={settings} params={params} back={back} />}
    </RecordLoader>
  )
}

function NoSettings() {
  const { id: connectionId } = useConnection()
  const serviceId = useRouteParam('serviceId')
  return (
    <Page title={title}>
      <EmptyState
        title="Database pipes have no settings page"
        action={<LinkButton to={paths.pipeSize(connectionId, serviceId)}>Scale database pipes</LinkButton>}
      >
        These settings apply to streaming and object storage pipes. The options of a database pipe are part of its
        source, and its size is shared by all database pipes of the service.
      </EmptyState>
    </Page>
  )
}
