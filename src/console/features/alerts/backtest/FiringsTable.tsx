import type { ReadWindows } from '#console/charting/watched/useWatchedWindows.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { formatValue } from '#domain/charts/units.ts'
import type { Firing } from '#domain/alerting/backtest.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as base from '#console/ui/base/base.module.css'
import { formatLength } from '#console/ui/time/formatLength.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { firingLabel } from './backtestText.ts'
import * as css from '../alerts.module.css'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton, TextLink } from '#console/shell/LinkButton.tsx'
import { watchedRowsLink } from '#console/charting/search/watchedRowsLink.ts'
import { useOffer } from '#console/api/offers/offers.ts'
import { search } from '#contract/stack/search.ts'
import type { ReactNode } from 'react'

/** More firings than these are not worth reading one by one. */
const maxListed = 100

/** The firings with the numbers that the chart has. */
export function FiringsTable({ firings, read }: { firings: readonly Firing[]; read: ReadWindows }) {
  return (
    <ScrollRegion label="Firings" className={css.firingsTable}>
      <table aria-label="Would have fired" className={base.table} data-sticky="">
        <thead>
          <tr>
            <th>Would have fired</th>
            <th className={base.tableNumber}>For</th>
            <th className={base.tableNumber}>Peak</th>
            <th className={base.tableNumber}>Sent</th>
          </tr>
        </thead>
        <tbody>
          {firings.slice(0, maxListed).map((firing, at) => (
            <tr key={`${firing.groupKey} ${firing.firedAt}`}>
              <td>
                <span className={css.firingsNumber}>
                  <FiringNumber>{at + 1}</FiringNumber>
                </span>{' '}
                {formatMoment(firing.firedAt)}
                {firing.groupKey !== '' && (
                  <Text variant="caption" color="textSecondary" className={css.firingsDetail}>
                    {firingLabel(firing.group, firing.groupKey)}
                  </Text>
                )}
                <Text variant="caption" className={css.firingsDetail}>
                  <ViewEvents read={read} from={firing.start} to={firing.end} group={firing.groupKey} inText />
                </Text>
              </td>
              <td className={base.tableNumber}>
                {formatLength(firing.durationMs)}
                {firing.stillFiring && ', still firing'}
              </td>
              <td className={base.tableNumber}>{formatValue(firing.peak, read.unit)}</td>
              <td className={base.tableNumber}>{firing.messages === 0 ? 'summary' : firing.messages}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {firings.length > maxListed && (
        <Text variant="caption" color="textSecondary" className={css.limit}>
          The first {maxListed} of {firings.length}.
        </Text>
      )}
    </ScrollRegion>
  )
}

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

/** The number of a firing, in the chart and in the table. */
export function FiringNumber({ children }: { children: ReactNode }) {
  return <span className={css.firingNumber}>{children}</span>
}
