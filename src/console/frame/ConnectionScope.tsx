import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useRouteParam, WithConnection } from '#console/shell/connection.tsx'
import { setBrowserSettings } from '#console/shell/browserSettings.ts'

const NoSuchConnection = lazyComponent(
  async () => (await import('#console/shell/fallbacks/pages.tsx')).NoSuchConnection,
)

/** Provides the connection named in the URL to the pages below it, or says that it does not exist. */
export function ConnectionScope() {
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const connectionId = useRouteParam('connectionId')
  const connection = connections.find(({ id }) => id === connectionId)
  useEffect(() => {
    if (connection) setBrowserSettings({ connectionId: connection.id })
  }, [connection])
  if (!connection) {
    return <NoSuchConnection />
  }
  return (
    <WithConnection connection={connection}>
      <Outlet key={connection.id} />
    </WithConnection>
  )
}
