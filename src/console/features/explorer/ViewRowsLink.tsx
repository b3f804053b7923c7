import { Rows3 } from 'lucide-react'
import { useOffer } from '#console/api/offers.ts'
import { paths } from '#console/paths/paths.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import type { SearchLink } from '#console/telemetry/search/searchLink.ts'
import type { Connection } from '#contract/connections.ts'
import { search } from '#contract/search.ts'
import type { Source } from '#contract/sources.ts'
import type { ExplorerState } from './state.ts'

interface ViewRowsLinkProps {
  connection: Connection
  state: ExplorerState
  sources: readonly Source[]
}

/** Opens the rows behind the first series of logs or traces, where the deployment has a search. */
export function ViewRowsLink({ connection, state, sources }: ViewRowsLinkProps) {
  const { offered } = useOffer(connection, 'search', search.query.variants)
  const kindOf = (sourceId: string) => sources.find(({ id }) => id === sourceId)?.kind ?? ''
  const series = state.series.find(({ sourceId }) => ['log', 'trace'].includes(kindOf(sourceId)))
  if (!offered || !series) return null
  const link: SearchLink = {
    source: series.sourceId,
    q: series.where,
    lang: series.whereLanguage,
    from: state.from,
    to: state.to,
  }
  return (
    <LinkButton
      to={paths.search(connection.id)}
      search={{ ...link, tz: state.tz }}
      startIcon={<Rows3 size={14} aria-hidden />}
    >
      View rows
    </LinkButton>
  )
}
