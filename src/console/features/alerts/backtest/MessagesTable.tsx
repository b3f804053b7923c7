import { useMemo } from 'react'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { clockAt, timeOf } from '#console/ui/time/zone.ts'
import type { Backtest } from '#domain/alerting/backtest.ts'
import type { WindowValues } from '#domain/alerting/evaluateWindow.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as base from '#console/ui/base/base.module.css'
import { formatDay, formatIsoDay } from '#console/ui/time/formatTime.ts'
import { firingLabel } from './backtestText.ts'
import * as css from '../alerts.module.css'

const maxGroups = 8

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
    <div className={css.messages}>
      <Text variant="h3" className={css.messagesTitle}>
        Messages a day
      </Text>
      <ScrollRegion label="Messages a day">
        <table aria-label="Messages a day" className={`${base.table} ${css.messagesTable}`}>
          <thead>
            <tr>
              <th>Group</th>
              {days.map((day) => (
                <th key={day} className={base.tableNumber}>
                  {formatDay(`${day}T00:00`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maxGroups).map(({ label, counts }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {counts.map((count, at) => (
                  <td key={days[at]} className={base.tableNumber} data-sent={count > 0 || undefined}>
                    {count}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > maxGroups && (
          <Text variant="caption" color="textSecondary" className={css.limit}>
            The {maxGroups} groups with the most messages of {rows.length}.
          </Text>
        )}
      </ScrollRegion>
    </div>
  )
}

/** The start of each day of the range. */
function daysOf(windows: readonly WindowValues[]): string[] {
  const last = windows.at(-1)?.end ?? 0
  const days: string[] = []
  for (
    let day = clockAt(windows[0]?.start ?? 0, 'local').startOf('day');
    timeOf(day, 'local') <= last;
    day = day.add(1, 'day')
  ) {
    days.push(day.format('YYYY-MM-DD'))
  }
  return days
}

function rowsOf({ firings, messages }: Backtest, days: readonly string[]) {
  const names = new Map(firings.map(({ groupKey, group }) => [groupKey, firingLabel(group, groupKey)]))
  const byGroup = new Map<string, number[]>()
  for (const { time, groupKey } of messages) {
    const label = groupKey === null ? 'Summaries' : groupKey === '' ? 'All' : (names.get(groupKey) ?? groupKey)
    const counts = byGroup.get(label) ?? days.map(() => 0)
    const at = days.indexOf(formatIsoDay(time))
    counts[at] = (counts[at] ?? 0) + 1
    byGroup.set(label, counts)
  }
  const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
  return [...byGroup]
    .map(([label, counts]) => ({ label, counts }))
    .toSorted((a, b) => total(b.counts) - total(a.counts))
}
