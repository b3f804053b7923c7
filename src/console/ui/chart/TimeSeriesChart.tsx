import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type Ref, useId, useImperativeHandle, useMemo, useState } from 'react'
import { VisuallyHidden } from '../base/VisuallyHidden.tsx'
import { Notice } from '../Notice.tsx'
import type { Span } from '../time/range.ts'
import type { Zone } from '../time/zone.ts'
import { useElementSize } from '../useElementSize.ts'
import { ChartPlot } from './ChartPlot.tsx'
import { everySeries, isolate, maxDrawn, toggle, withinLimit } from './legendSelection.ts'
import { type ChartType, isBar } from './chartTypes.ts'
import type { ChartSnapshot } from './exportChart.tsx'
import type { LegendRow } from './legend.ts'
import { chartVariables, plainStyle } from './palette.ts'
import { LegendBar } from './LegendBar.tsx'
import { SeriesLegend } from './SeriesLegend.tsx'
import { SeriesTable } from './SeriesTable.tsx'
import { type Frame, frameOf, type Missing, type Series } from './series.ts'
import { frameStats } from './stats.ts'
import { summarySentence } from './summary.ts'
import type { Unit } from './units.ts'
import { useSeriesStyles } from './useSeriesStyles.ts'

export interface ChartHandle {
  /** What the chart draws now, to export it. */
  snapshot(): ChartSnapshot
}

export interface TimeSeriesChartProps {
  handle?: Ref<ChartHandle>
  series: readonly Series[]
  type: ChartType
  /** What the time axis spans. */
  span: Span
  /** Length of a bucket in milliseconds. */
  bucketMs: number
  /** When the data was read, epoch milliseconds: a bucket that ends later is drawn dashed. */
  readAt: number
  zone: Zone
  unit?: Unit
  /** A bucket without a value is a gap unless told otherwise. */
  missing?: Missing
  /** Height of the plot with its axes, pixels. */
  height?: number
  /** What is drawn: the name for assistive technology. */
  label: string
  /** The chart, or the same numbers as a table. */
  view?: 'chart' | 'table'
  legend?: boolean
  /** For small places: the legend in one line, and the summary for screen readers alone. */
  dense?: boolean
  /** A newer answer is under way: what is shown is the old one. */
  stale?: boolean
  /** Charts with the same name share their cursor. */
  syncId?: string
  /** A range was selected, by dragging or with the keyboard. */
  onZoom?: (span: Span) => void
  /** Escape, when there is nothing else to leave. */
  onReset?: () => void
}

/** Time series with legend, summary and table twin. Draws at most 100 series and says how many it leaves out. */
export function TimeSeriesChart(props: TimeSeriesChartProps) {
  const { series, type, bucketMs, readAt, zone, unit = 'number', missing = 'gap', height = 320, label } = props
  const [choice, setChoice] = useState(everySeries)
  const [ref, { width }] = useElementSize()
  const summaryId = useId()
  const { from, to } = props.span
  const until = Math.min(readAt, to)
  const isComplete = useMemo(() => (time: number) => time >= from && time + bucketMs <= until, [from, bucketMs, until])
  const all = useMemo(
    () => frameOf(series, missing, { from, to: until, bucketMs }),
    [series, missing, from, until, bucketMs],
  )
  const stats = useMemo(() => frameStats(all, isComplete), [all, isComplete])
  const styles = useSeriesStyles(series, all.times.length)
  const drawnIds = useMemo(() => {
    const shown = series.map(({ id }) => id).filter((id) => !choice.hidden.has(id))
    return withinLimit(shown, stats, choice.kept)
  }, [series, choice, stats])
  const frame = useMemo(
    () => ({ ...all, rows: all.rows.filter((row) => drawnIds.has(row.series.id)) }),
    [all, drawnIds],
  )
  const summary = useMemo(
    () => summarySentence({ frame, stats, bucketMs, zone, unit }),
    [frame, stats, bucketMs, zone, unit],
  )

  const span = useMemo(() => axisSpan({ from, to }, frame, type, bucketMs), [from, to, frame, type, bucketMs])
  useImperativeHandle(props.handle, () => ({
    snapshot: () => ({ frame, styles, type, span, bucketMs, isComplete, zone, unit, width, height, title: label }),
  }))
  const ids = series.map(({ id }) => id)
  const rows: LegendRow[] = series.map((one) => {
    const hidden = choice.hidden.has(one.id)
    return {
      series: one,
      style: styles.get(one.id) ?? plainStyle,
      stats: stats.get(one.id),
      hidden,
      beyond: !hidden && !drawnIds.has(one.id),
    }
  })
  const beyond = rows.filter((row) => row.beyond).length
  const clicks = {
    onIsolate: (id: string) => setChoice((before) => isolate(before, id, ids)),
    onToggle: (id: string) => setChoice((before) => toggle(before, id)),
  }

  return (
    <Box
      sx={(theme) => ({
        ...chartVariables(theme),
        display: 'flex',
        flexDirection: 'column',
        gap: props.dense ? 0 : 2,
        minWidth: 0,
      })}
    >
      {beyond > 0 && (
        <Notice tone="info">
          {drawnIds.size} of {drawnIds.size + beyond} series are drawn: the {maxDrawn} with the highest values. The
          legend lists all.
        </Notice>
      )}
      <Box ref={ref} sx={{ opacity: props.stale ? 0.45 : 1, transition: 'opacity 120ms', minWidth: 0 }}>
        {props.view === 'table' ? (
          <SeriesTable {...{ frame, bucketMs, zone, unit, label, isComplete }} />
        ) : (
          <ChartPlot
            {...{ frame, styles, type, span, bucketMs, isComplete, zone, unit, width, height, label }}
            describedBy={summaryId}
            syncId={props.syncId}
            onZoom={props.onZoom}
            onReset={props.onReset}
          />
        )}
      </Box>
      {props.dense ? (
        <VisuallyHidden id={summaryId}>{summary}</VisuallyHidden>
      ) : (
        <Typography id={summaryId} variant="caption" color="textSecondary">
          {summary}
        </Typography>
      )}
      {props.legend !== false &&
        (props.dense ? <LegendBar rows={rows} {...clicks} /> : <SeriesLegend rows={rows} unit={unit} {...clicks} />)}
    </Box>
  )
}

/** A bar needs the room of its whole bucket, and a first bucket may begin before the range. */
function axisSpan(span: Span, frame: Frame, type: ChartType, bucketMs: number): Span {
  const first = frame.times[0] ?? span.from
  const last = frame.times.at(-1) ?? span.to
  return { from: Math.min(span.from, first), to: Math.max(span.to, isBar(type) ? last + bucketMs : last) }
}
