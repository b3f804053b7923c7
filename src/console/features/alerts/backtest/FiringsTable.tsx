import type { ReadWindows } from '#console/charting/watched/useWatchedWindows.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { formatValue } from '#domain/charts/units.ts'
import type { Firing } from '#domain/alerting/backtest.ts'
import { Text } from '#console/ui/base/Text.tsx'
import table from '#console/ui/base/table.module.css'
import { formatLength } from '#console/ui/time/formatLength.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { firingLabel } from './backtestText.ts'
import { ViewEvents } from './ViewEvents.tsx'
import { FiringNumber } from './FiringNumber.tsx'
import css from './FiringsTable.module.css'

/** More firings than these are not worth reading one by one. */
const maxListed = 100

/** The firings with the numbers that the chart has. */
export function FiringsTable({ firings, read }: { firings: readonly Firing[]; read: ReadWindows }) {
  return (
    <ScrollRegion label="Firings" className={css.firingsTable}>
      <table aria-label="Would have fired" className={table.table} data-sticky="">
        <thead>
          <tr>
            <th>Would have fired</th>
            <th className={table.number}>For</th>
            <th className={table.number}>Peak</th>
            <th className={table.number}>Sent</th>
          </tr>
        </thead>
        <tbody>
          {firings.slice(0, maxListed).map((firing, at) => (
            <tr key={`${firing.groupKey} ${firing.firedAt}`}>
              <td>
                <span className={css.number}>
                  <FiringNumber>{at + 1}</FiringNumber>
                </span>{' '}
                {formatMoment(firing.firedAt)}
                {firing.groupKey !== '' && (
                  <Text variant="caption" color="textSecondary" className={css.detail}>
                    {firingLabel(firing.group, firing.groupKey)}
                  </Text>
                )}
                <Text variant="caption" className={css.detail}>
                  <ViewEvents read={read} from={firing.start} to={firing.end} group={firing.groupKey} inText />
                </Text>
              </td>
              <td className={table.number}>
                {formatLength(firing.durationMs)}
                {firing.stillFiring && ', still firing'}
              </td>
              <td className={table.number}>{formatValue(firing.peak, read.unit)}</td>
              <td className={table.number}>{firing.messages === 0 ? 'summary' : firing.messages}</td>
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
