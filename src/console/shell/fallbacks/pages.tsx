/** Pages that stand in for a page that is not there. */
import { paths } from '#console/paths.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { LinkButton } from '../LinkButton.tsx'

/** An address that leads nowhere. */
export function NotFoundPage() {
  return (
    <Page title="Not found">
      <EmptyState title="There is no such page" action={<LinkButton to={paths.home()}>Go to the start</LinkButton>}>
        Nothing of this console has the address <code>{location.pathname}</code>.
      </EmptyState>
    </Page>
  )
}

/** An address whose connection is not there. */
export function NoSuchConnection() {
  return (
    <Page title="Not found">
      <EmptyState title="No such connection" action={<LinkButton to={paths.connections()}>All connections</LinkButton>}>
        The address names a connection that this console does not have. It may have been deleted.
      </EmptyState>
    </Page>
  )
}
