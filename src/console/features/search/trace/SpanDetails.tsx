import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { X } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { paths } from '#console/paths/paths.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { filterText } from '#console/telemetry/search/filters.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/connections.ts'
import type { Source } from '#contract/sources.ts'
import { AttributeTree } from '../row/AttributeTree.tsx'
import { detailsPanelStyle } from '../row/detailsPanelStyle.ts'
import { formatDuration, severityTone } from '../row/rowFormat.ts'
import { useRow } from '../row/useRow.ts'
import type { ReadSpan } from './useTrace.ts'

interface SpanDetailsProps {
  connection: Connection
  source: Source
  span: ReadSpan
  /** Of the trace, nanoseconds. */
  duration: number
  onClose: () => void
}

/** The attributes and the logs of one span. */
export function SpanDetails({ connection, source, span, duration, onClose }: SpanDetailsProps) {
  const navigate = useNavigate()
  const row = { key: span.id, time: span.time, at: Date.parse(`${span.time.slice(0, 23).replace(' ', 'T')}Z`) }
  const { data, error, isPending, refetch } = useRow(connection.id, source, {
    ...row,
    traceId: '',
    spanId: span.id,
    values: [],
  })
  return (
    <Box
      component="section"
      aria-label="Span details"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      sx={detailsPanelStyle}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Typography component="h2" variant="h2" sx={{ overflowWrap: 'anywhere' }}>
          {span.name}
        </Typography>
        {span.failed && <StatusChip tone="bad">{span.status}</StatusChip>}
        <Box sx={{ flexGrow: 1 }} />
        <IconButton aria-label="Close span details" onClick={onClose}>
          <X size={15} aria-hidden />
        </IconButton>
      </Box>
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        {span.service} · {formatDuration(String(span.duration))} ·{' '}
        {((span.duration / (duration || 1)) * 100).toFixed(1)} % of the trace
      </Typography>
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
          <Typography component="h3" sx={{ fontWeight: 600, mb: 1 }}>
            Logs of this span{' '}
            <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400 }}>
              {span.logs.length}
            </Box>
          </Typography>
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {span.logs.map((log) => (
              <Box
                component="li"
                key={`${log.time}${log.body}`}
                sx={{ display: 'flex', gap: 2, py: 1, borderTop: 1, borderColor: 'divider', alignItems: 'start' }}
              >
                <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
                  +{formatDuration(String(Math.max(0, log.at - span.start)))}
                </Box>
                {log.severity && <StatusChip tone={severityTone(log.severity)}>{log.severity}</StatusChip>}
                <Box
                  component="span"
                  sx={{ fontFamily: 'var(--mono)', fontSize: 12, overflowWrap: 'anywhere', minWidth: 0 }}
                >
                  {log.body}
                </Box>
              </Box>
            ))}
          </Box>
        </>
      )}
    </Box>
  )
}
