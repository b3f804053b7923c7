import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useMemo } from 'react'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { inZone } from '#console/ui/time/zone.ts'
import type { Backtest } from '#domain/alerting/backtest.ts'
import type { WindowValues } from '#domain/alerting/evaluateWindow.ts'
import { groupLabel } from './backtestText.ts'

const maxGroups = 8

const tableSx = {
  '& td, & th': { px: 2, py: 1 },
  '& td:first-of-type, & th:first-of-type': {
    pl: 3.5,
    maxWidth: 180,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
} as const

interface MessagesTableProps {
  result: Backtest
  windows: readonly WindowValues[]
}

/** The messages of each day by group, for one channel. */
export function MessagesTable({ result, windows }: MessagesTableProps) {
  const days = useMemo(() => daysOf(windows), [windows])
  const rows = useMemo(() => rowsOf(result, days), [result, days])
  if (rows.length === 0) return null
  return (
    <Box sx={{ borderTop: 1, borderColor: 'divider' }}>
      <Typography variant="h3" sx={{ px: 3.5, pt: 2.5, pb: 0.5 }}>
        Messages a day
      </Typography>
      <ScrollRegion label="Messages a day">
        <Table size="small" aria-label="Messages a day" sx={tableSx}>
          <TableHead>
            <TableRow>
              <TableCell>Group</TableCell>
              {days.map((day) => (
                <TableCell key={day} align="right">
                  {inZone(day, 'local').format(days.length > 8 ? 'D/M' : 'D')}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.slice(0, maxGroups).map(({ label, counts }) => (
              <TableRow key={label}>
                <TableCell component="th" scope="row">
                  {label}
                </TableCell>
                {counts.map((count, at) => (
                  <TableCell key={days[at]} align="right" sx={count > 0 ? { bgcolor: 'tone.accentSoft' } : {}}>
                    {count}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
        {rows.length > maxGroups && (
          <Typography variant="caption" color="textSecondary" sx={{ px: 3 }}>
            The {maxGroups} groups with the most messages of {rows.length}.
          </Typography>
        )}
      </ScrollRegion>
    </Box>
  )
}

/** The start of each day of the range. */
function daysOf(windows: readonly WindowValues[]): string[] {
  const last = windows.at(-1)?.end ?? 0
  const days: string[] = []
  for (
    let day = inZone(windows[0]?.start ?? 0, 'local').startOf('day');
    day.valueOf() <= last;
    day = day.add(1, 'day')
  ) {
    days.push(day.format('YYYY-MM-DD'))
  }
  return days
}

function rowsOf({ firings, messages }: Backtest, days: readonly string[]) {
  const names = new Map(firings.map(({ groupKey, group }) => [groupKey, groupLabel(group, groupKey)]))
  const byGroup = new Map<string, number[]>()
  for (const { time, groupKey } of messages) {
    const label = groupKey === null ? 'Summaries' : groupKey === '' ? 'All' : (names.get(groupKey) ?? groupKey)
    const counts = byGroup.get(label) ?? days.map(() => 0)
    const at = days.indexOf(inZone(time, 'local').format('YYYY-MM-DD'))
    counts[at] = (counts[at] ?? 0) + 1
    byGroup.set(label, counts)
  }
  const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
  return [...byGroup]
    .map(([label, counts]) => ({ label, counts }))
    .toSorted((a, b) => total(b.counts) - total(a.counts))
}
