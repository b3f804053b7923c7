/** Pages for URLs that do not exist. */
import { paths } from '#console/paths/paths.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { LinkButton } from '../LinkButton.tsx'

/** A URL without a page. */
export function NotFoundPage() {
  return (
    <Page title="Not found">
      <EmptyState title="Page not found" action={<LinkButton to={paths.home()}>Go to home page</LinkButton>}>
        No page has the address <code>{location.pathname}</code>.
      </EmptyState>
    </Page>
  )
}

/** A URL whose connection does not exist. */
export function NoSuchConnection() {
  return (
    <Page title="Not found">
      <EmptyState
        title="Connection not found"
        action={<LinkButton to={paths.connections()}>All connections</LinkButton>}
      >
        This connection does not exist. It may have been deleted.
      </EmptyState>
    </Page>
  )
}
