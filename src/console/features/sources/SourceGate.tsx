import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiFailure } from '#console/api/failure.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { PendingPage } from '#console/shell/PendingPage.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { Page } from '#console/ui/Page.tsx'
import { sources, type Source } from '#contract/sources.ts'

/** The source that the address names, once it is there; found in the list, which every deployment has. */
export function SourceGate({ children }: { children: (source: Source) => ReactNode }) {
  const connection = useConnection()
  const sourceId = useRouteParam('sourceId')
  const { data, error, refetch } = useQuery(q(connection.id, sources.list, {}))
  const found = data?.find((source) => source.id === sourceId)
  if (found) return children(found)
  if (!data && !error) return <PendingPage />
  return (
    <Page title="Source">
      <QueryError
        error={error ?? notThere(sourceId)}
        onRetry={() => void refetch()}
        elsewhere={<LinkButton to={paths.sources(connection.id)}>All sources</LinkButton>}
      />
    </Page>
  )
}

const notThere = (id: string) =>
  new ApiFailure({ code: 'notFound', status: 404, message: `There is no source with the id ${id}.` })
