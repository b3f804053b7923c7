import { useSuspenseQuery } from '@tanstack/react-query'
import { connectionsQuery } from '#console/api/connections.ts'
import { paths } from '#console/paths/paths.ts'
import { useRouteParam } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { ConnectionEditor } from './ConnectionEditor.tsx'

/** Changes a connection of the console. */
export default function EditConnectionPage() {
  const connectionId = useRouteParam('connectionId')
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const stored = connections.find((connection) => connection.id === connectionId)
  if (!stored) {
    return (
      <Page title="Edit connection">
        <EmptyState
          title="Connection not found"
          action={<LinkButton to={paths.connections()}>All connections</LinkButton>}
        >
          It may have been deleted.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page title={`Edit ${stored.name}`} lead="Changes apply to all users of this console.">
      <ConnectionEditor key={stored.id} stored={stored} />
    </Page>
  )
}
