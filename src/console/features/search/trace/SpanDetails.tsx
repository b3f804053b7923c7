import { X } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { paths } from '#console/paths/paths.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { filterText } from '#console/charting/search/filters.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Zone } from '#domain/time/zone.ts'
import { formatDatedMoment } from '#console/ui/time/formatTime.ts'
import { formatNanoseconds, formatShort } from '#domain/charts/units.ts'
import { AttributeTree } from '../details/AttributeTree.tsx'
import * as search from '../search.module.css'
import { useRow } from '../details/useRow.ts'
import { severityTone } from '#console/charting/rows/rowFormat.ts'
import { millisecondsOf } from '#console/charting/rows/rowTime.ts'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import { differenceOf } from './ClockNotice.tsx'
import * as css from './trace.module.css'
import type { ReadSpan } from './useTrace.ts'

interface SpanDetailsProps {
  connection: Connection
  source: Source
  span: ReadSpan
  /** The duration of the trace, in nanoseconds. */
  duration: number
  zone: Zone
  onClose: () => void
}

/** The attributes and the logs of one span. */
export function SpanDetails({ connection, source, span, duration, zone, onClose }: SpanDetailsProps) {
  const navigate = useNavigate()
  const row = { key: span.id, time: span.time, at: millisecondsOf(span.time) }
  const { data, error, isPending, refetch } = useRow(connection.id, source, {
    ...row,
    traceId: '',
    spanId: span.id,
    values: [],
  })
  return (
    // Escape closes it, wherever the focus is in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label="Span details"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className={search.panel}
    >
      <div className={search.panelHead}>
        <Text variant="h2" className={css.spanName}>
          {span.name}
        </Text>
        {span.failed && <StatusChip tone="bad">{span.status}</StatusChip>}
        <Spacer />
        <IconButton aria-label="Close span details" onClick={onClose}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
      <Text color="textSecondary" className={css.spanFigures}>
        {span.service} · {formatNanoseconds(String(span.duration))} ·{' '}
        {formatShort((span.duration / (duration || 1)) * 100, 'percent')} of the trace
      </Text>
      {span.ahead !== 0 && (
        <Text color="textSecondary" className={css.spanFigures}>
          Recorded at {formatDatedMoment(row.at, zone, 'millisecond')}, by a clock that is {differenceOf(span.ahead)}
        </Text>
      )}
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton variant="rounded" height={180} />}
      {data && (
        <AttributeTree
          row={data}
          language="lucene"
          onFilter={(filter) =>
            void navigate({
              to: paths.search(connection.id),
              search: { source: source.name, q: filterText(filter, 'lucene') ?? '' },
            })
          }
        />
      )}
      {span.logs.length > 0 && (
        <>
          <Text variant="h3" className={css.spanTitle}>
            Logs of this span <span>{span.logs.length}</span>
          </Text>
          <ul className={css.logs}>
            {span.logs.map((log) => (
              <li key={`${log.time}${log.body}`}>
                <span className={css.spanTime}>+{formatNanoseconds(String(Math.max(0, log.at - span.start)))}</span>
                {log.severity && <StatusChip tone={severityTone(log.severity)}>{log.severity}</StatusChip>}
                <span className={css.spanLine}>{log.body}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
