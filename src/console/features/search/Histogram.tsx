import { X } from 'lucide-react'
import { useState } from 'react'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { TimeSeriesChart } from '#console/ui/chart/TimeSeriesChart.tsx'
import type { Series } from '#console/ui/series/series.ts'
import type { Source } from '#contract/stack/sources.ts'
import { formatValue } from '#domain/charts/units.ts'
import type { Zone } from '#domain/time/zone.ts'
import type { Span } from '#domain/time/span.ts'
import { formatWithin } from '#console/ui/time/formatRangeTime.ts'
import * as css from './search.module.css'
import { severityField } from '#console/charting/rows/columns.ts'
import type { useHistogram } from './query/useCounts.ts'

interface HistogramProps {
  query: ReturnType<typeof useHistogram>
  source: Source
  zone: Zone
  /** A selected range becomes the time range of the page. */
  onNarrow: (span: Span) => void
}

const height = 120

/** Rows over time by severity. A range that is selected takes effect with "Narrow to selection", or Enter. */
export function Histogram({ query, source, zone, onNarrow }: HistogramProps) {
  const { data, error, isFetching } = query
  const [span, setSpan] = useState<Span | null>(null)
  if (error && !isFetching) return <QueryError error={error} onRetry={() => void query.refetch()} />
  // No data and no read under way: the read was stopped.
  if (!data) return isFetching ? <Skeleton variant="rounded" height={height} /> : null
  if (data.series.length === 0) return null
  const selected = span && span.to > data.span.from && span.from < data.span.to ? span : null
  const narrow = (to: Span) => {
    setSpan(null)
    onNarrow(to)
  }
  return (
    <div className={css.histogram} style={{ minHeight: height }}>
      {selected && (
        <div role="status" className={css.selection}>
          <span>{formatSelection(selected, data.series, zone)}</span>
          <Button variant="contained" size="small" onClick={() => narrow(selected)}>
            Narrow to selection
          </Button>
          <IconButton aria-label="Clear selection" onClick={() => setSpan(null)} size="small">
            <X size={13} aria-hidden />
          </IconButton>
        </div>
      )}
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
        brush={{ span: selected, onChange: setSpan }}
        onZoom={narrow}
      />
    </div>
  )
}

/** `Selected 19:02 to 19:12, 769 rows`. */
function formatSelection({ from, to }: Span, series: readonly Series[], zone: Zone): string {
  const count = series.reduce(
    (sum, { points }) =>
      points.reduce((rows, [time, value]) => (time >= from && time < to ? rows + (value ?? 0) : rows), sum),
    0,
  )
  const time = (at: number) => formatWithin(at, to - from, zone)
  return `Selected ${time(from)} to ${time(to)}, ${formatValue(count)} rows`
}
