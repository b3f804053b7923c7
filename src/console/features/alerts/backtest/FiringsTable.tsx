import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import type { ReadWindows } from '#console/telemetry/watched/useWatchedWindows.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { formatValue } from '#console/ui/units.ts'
import type { Firing } from '#domain/alerting/backtest.ts'
import { formatLength, formatMoment, groupLabel } from './backtestText.ts'
import { ViewEvents } from './ViewEvents.tsx'
import { FiringNumber } from './FiringNumber.tsx'
import css from './FiringsTable.module.css'

/** More firings than these are not worth reading one by one. */
const maxListed = 100

/** The firings with the numbers that the chart has. */
export function FiringsTable({ firings, read }: { firings: readonly Firing[]; read: ReadWindows }) {
  return (
    <ScrollRegion label="Firings" className={css.firingsTable}>
      <Table size="small" stickyHeader aria-label="Would have fired">
        <TableHead>
          <TableRow>
            <TableCell>Would have fired</TableCell>
            <TableCell align="right">For</TableCell>
            <TableCell align="right">Peak</TableCell>
            <TableCell align="right">Sent</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {firings.slice(0, maxListed).map((firing, at) => (
            <TableRow key={`${firing.groupKey} ${firing.firedAt}`}>
              <TableCell>
                <FiringNumber>{at + 1}</FiringNumber> {formatMoment(firing.firedAt)}
                {firing.groupKey !== '' && (
                  <Typography variant="caption" color="textSecondary" sx={{ display: 'block', pl: 6 }}>
                    {groupLabel(firing.group, firing.groupKey)}
                  </Typography>
                )}
                <Typography variant="caption" sx={{ display: 'block', pl: 6 }}>
                  <ViewEvents read={read} from={firing.start} to={firing.end} group={firing.groupKey} inText />
                </Typography>
              </TableCell>
              <TableCell align="right">
                {formatLength(firing.durationMs)}
                {firing.stillFiring && ', still firing'}
              </TableCell>
              <TableCell align="right">{formatValue(firing.peak)}</TableCell>
              <TableCell align="right">{firing.messages === 0 ? 'summary' : firing.messages}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {firings.length > maxListed && (
        <Typography variant="caption" color="textSecondary" sx={{ px: 3 }}>
          The first {maxListed} of {firings.length}.
        </Typography>
      )}
    </ScrollRegion>
  )
}
