import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton, TextLink } from '#console/shell/LinkButton.tsx'
import { watchedRowsLink } from '#console/charting/search/watchedRowsLink.ts'
import type { ReadWindows } from '#console/charting/watched/useWatchedWindows.ts'
import { useOffer } from '#console/api/offers/offers.ts'
import { search } from '#contract/stack/search.ts'
import * as css from '../alerts.module.css'

interface ViewEventsProps {
  read: ReadWindows
  /** Epoch milliseconds. */
  from: number
  to: number
  /** The key of a group; empty for all of them. */
  group?: string
  /** A link in a text, not a button. */
  inText?: boolean
}

/** A link to the rows of some windows, where this connection has the search page and the series has rows. */
export function ViewEvents({ read, from, to, group = '', inText = false }: ViewEventsProps) {
  const connection = useConnection()
  const { offered } = useOffer(connection, 'search', search.query.variants)
  const link = offered ? watchedRowsLink(read.request, { from, to }, group || null) : null
  if (!link) return null
  if (inText) {
    return (
      <TextLink to={paths.search(connection.id)} search={{ ...link }} target="_blank" className={css.inText}>
        View events
      </TextLink>
    )
  }
  return (
    <LinkButton
      size="small"
      className={css.viewEvents}
      to={paths.search(connection.id)}
      search={{ ...link }}
      target="_blank"
    >
      View events
    </LinkButton>
  )
}
