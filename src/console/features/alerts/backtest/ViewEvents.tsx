import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import type { SearchLink } from '#console/telemetry/search/searchLink.ts'
import type { ReadWindows } from '#console/telemetry/watched/useWatchedWindows.ts'
import { useOffer } from '#console/api/offers.ts'
import { search } from '#contract/search.ts'

interface ViewEventsProps {
  read: ReadWindows
  /** Epoch milliseconds. */
  from: number
  to: number
}

/** A link to the rows of some windows, where this connection has the search page and the series has rows. */
export function ViewEvents({ read, from, to }: ViewEventsProps) {
  const connection = useConnection()
  const { offered } = useOffer(connection, 'search', search.query.variants)
  const { alertQuery, query } = read.request
  const series = query.series.at(-1)
  if (!offered || !series || series.metricName || series.metricDataType) return null
  const link: SearchLink = {
    source: alertQuery.sourceId,
    q: series.where ?? '',
    lang: series.whereLanguage ?? 'lucene',
    from: String(from),
    to: String(to),
  }
  return (
    <LinkButton size="small" sx={{ flexShrink: 0 }} to={paths.search(connection.id)} search={link} target="_blank">
      View events
    </LinkButton>
  )
}
