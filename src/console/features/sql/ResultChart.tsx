import { useMemo } from 'react'
import { Chart } from '#console/ui/chart/Chart.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { SqlResult } from '#contract/stack/sql.ts'
import { chartOf } from '#console/charting/sqlResult/resultSeries.ts'

/** The result over time, where it has times and numbers. */
export function ResultChart({ data }: { data: SqlResult }) {
  const chart = useMemo(() => chartOf(data), [data])
  if ('refused' in chart) return <Notice tone="info">{chart.refused}</Notice>
  return (
    <Chart
      label="Result"
      type="line"
      series={chart.series}
      span={chart.span}
      bucketMs={chart.bucketMs}
      readAt={chart.span.to}
      zone="UTC"
    />
  )
}
