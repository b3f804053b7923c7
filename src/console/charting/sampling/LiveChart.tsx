import { useEffect, useMemo, useState } from 'react'
import type { Series } from '#console/ui/series/series.ts'
import type { TimeSeriesChartProps } from '#console/ui/chart/TimeSeriesChart.tsx'
import { Chart } from '#console/ui/chart/Chart.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import type { SampleRange } from './SamplingNote.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import * as css from '../charting.module.css'

/** The shortest time span of the axis, milliseconds. */
const shortest = 5 * 60_000

interface LiveChartProps {
  title: string
  series: readonly Series[]
  unit: string
  /** The time range and the length of its buckets. */
  range: SampleRange
  /** The time of the newest sample of any metric, epoch milliseconds. A series that ends earlier is no longer reported. */
  until: number | null
  /** The changes on its time axis. */
  marks?: TimeSeriesChartProps['marks']
  /** Why there will be no data. */
  emptyReason?: string | undefined
}

/** A time series of samples, as a chart or as a table. */
export function LiveChart({ title, series, unit, range, until, marks, emptyReason }: LiveChartProps) {
  const [view, setView] = useState<'chart' | 'table'>('chart')
  // Its code comes while the samples are read.
  useEffect(() => Chart.preload(), [])
  const times = series.flatMap(({ points }) => points.flatMap(([time, value]) => (value === null ? [] : [time])))
  const known = times.length > 0
  const first = known ? Math.min(...times) : 0
  const last = Math.max(until ?? 0, known ? Math.max(...times) + range.step : 0)
  const from = Math.max(last - range.ms, Math.min(first, last - shortest))
  const span = useMemo(() => ({ from, to: last }), [from, last])
  const minutes = Math.max(1, Math.round((last - Math.max(first, from)) / 60_000))
  return (
    <Panel
      title={title}
      aside={
        <div className={css.liveChartControls}>
          <span className={css.period}>{known && `Last ${minutes === 1 ? 'minute' : `${minutes} minutes`}`}</span>
          <ToggleButtons
            label={`${title}: view`}
            value={view}
            options={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
            onChange={setView}
          />
        </div>
      }
    >
      {emptyReason !== undefined && <Text color="textSecondary">{emptyReason}</Text>}
      {emptyReason === undefined && !known && (
        <>
          <Skeleton variant="rounded" height={150} />
          <Text color="textSecondary" role="status" className={css.emptyNote}>
            Collecting the first samples…
          </Text>
        </>
      )}
      {emptyReason === undefined && known && (
        <Chart
          series={series}
          type="line"
          span={span}
          bucketMs={range.step}
          readAt={last}
          zone="local"
          unit={unit}
          height={150}
          label={title}
          view={view}
          dense
          syncId="samples"
          marks={marks}
        />
      )}
    </Panel>
  )
}
