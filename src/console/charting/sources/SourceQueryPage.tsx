import { useQuery } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import type { ReactNode } from 'react'
import { recordOffer, useOffer } from '#console/api/offers/offers.ts'
import { onConnection, paths } from '#console/paths/paths.ts'
import { pages } from '#console/paths/pages.ts'
import { useQueryConnectionChoice } from '#console/charting/queryConnection/queryConnectionChoice.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { visibleText } from '#domain/text/visibleText.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { ResourceName } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { Source } from '#contract/stack/sources.ts'
import { useConnection, useFrameConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { sourcesQuery } from './sourcesQuery.ts'

interface SourceQueryPageProps {
  title: string
  page: 'explorer' | 'search'
  /** One line that describes the page. */
  lead?: string
  /** Heights of its panels in pixels, which are drawn until the sources are known. */
  panels: readonly number[]
  resource: ResourceName
  /** The kind of query of the page. */
  endpoint: Endpoint
  /** Whether the page can query a source. */
  isUsable: (source: Source) => boolean
  /** Shown when there is no such source: a title, and the kinds of sources that the page queries. */
  empty: { title: string; text: string }
  /** The page, once the sources are known. */
  children: (connection: Connection, sources: readonly Source[]) => ReactNode
}

/** A page that queries the sources of a connection. Says so where the connection does not offer that, or has no source. */
export function SourceQueryPage(props: SourceQueryPageProps) {
  const { title, page, lead, panels, resource, endpoint, isUsable, empty, children } = props
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, resource, endpoint.variants)
  const { data, error, refetch } = useQuery({ ...sourcesQuery(connection.id), enabled: offered })
  if (!offered) {
    return (
      <Page title={title}>
        <NotOffered
          reason={`${reason} Open the ${page} on an open-source connection instead.`}
          action={<OnOtherConnections page={page} connection={connection} endpoint={endpoint} />}
          onTryAnyway={() => recordOffer(connection.id, endpoint, 'offered')}
        />
      </Page>
    )
  }
  if (data?.some(isUsable)) return children(connection, data)
  return (
    <Page title={title} lead={data ? undefined : lead}>
      {!data && !error && <LoadingPanels heights={panels} />}
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {data && (
        <EmptyState
          icon={Database}
          title={empty.title}
          action={<LinkButton to={paths.sources(connection.id)}>View sources</LinkButton>}
        >
          {empty.text}
        </EmptyState>
      )}
    </Page>
  )
}

interface OnOtherConnectionsProps extends Pick<SourceQueryPageProps, 'page' | 'endpoint'> {
  connection: Connection
}

/** Links to the page on the connection that is queried for this one, or on any that can be. */
function OnOtherConnections({ page, connection, endpoint }: OnOtherConnectionsProps) {
  const { connections } = useFrameConnection()
  const paired = useQueryConnectionChoice(connection, connections)?.connectionId
  const able = connections.filter(({ id, variant }) => id !== connection.id && endpoint.variants.includes(variant))
  const chosen = able.filter(({ id }) => id === paired)
  return (chosen.length > 0 ? chosen : able).map(({ id, name }) => (
    <LinkButton key={id} to={onConnection(pages[page].url, id)} variant="contained" color="primary">
      Open the {page} on {visibleText(name)}
    </LinkButton>
  ))
}
