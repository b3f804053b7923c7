import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { TimeSeriesChart } from '#console/ui/chart/TimeSeriesChart.tsx'
import type { Span } from '#console/ui/time/range.ts'
import type { Zone } from '#console/ui/time/zone.ts'
import type { Source } from '#contract/sources.ts'
import { severityField } from './row/columns.ts'
import type { useHistogram } from './useCounts.ts'

interface HistogramProps {
  query: ReturnType<typeof useHistogram>
  source: Source
  zone: Zone
  onZoom: (span: Span) => void
}

const height = 120

/** Rows over time by severity. A range that is dragged becomes the time range of the page. */
export function Histogram({ query, source, zone, onZoom }: HistogramProps) {
  const { data, error, isFetching } = query
  if (error && !isFetching) return <QueryError error={error} onRetry={() => void query.refetch()} />
  if (!data) return <Skeleton variant="rounded" height={height} />
  if (data.series.length === 0) return null
  return (
    <Box sx={{ minHeight: height }}>
      <TimeSeriesChart
        series={data.series}
        type="stackedBar"
        span={data.span}
        bucketMs={data.bucketMs}
        readAt={data.readAt}
        zone={zone}
        height={height}
        label={`Rows by ${severityField(source)}`}
        legend={false}
        dense
        stale={query.isPlaceholderData}
        onZoom={onZoom}
      />
    </Box>
  )
}
