import { useMemo, useState } from 'react'
import type { ReadWindows } from '#console/charting/watched/useWatchedWindows.ts'
import { PlotChart } from '#console/ui/chart/PlotChart.tsx'
import { showsDashes } from '#console/ui/chart/chartTypes.ts'
import { plotArea, plotModel } from '#console/ui/chart/plotModel.ts'
import { PlotSeries } from '#console/ui/chart/PlotSeries.tsx'
import { defaultStyle } from '#console/ui/series/palette.ts'
import { frameOf } from '#console/ui/series/series.ts'
import { Swatch } from '#console/ui/series/Swatch.tsx'
import { useSeriesStyles } from '#console/ui/series/useSeriesStyles.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import { rangeThresholdTypes } from '#contract/stack/alerts.ts'
import type { Firing } from '#domain/alerting/backtest.ts'
import { Text } from '#console/ui/base/Text.tsx'
import type { BacktestFields } from './backtestFields.ts'
import { chartedSeries, type ChartedSeries } from './chartedSeries.ts'
import { ThresholdLine } from './ThresholdLine.tsx'
import * as css from '../alerts.module.css'
import type { Span } from '#domain/time/span.ts'
import { FiringNumber } from './FiringsTable.tsx'
import { type Threshold, violatedRanges } from '#domain/alerting/threshold.ts'

const height = 200

interface BacktestChartProps {
  fields: BacktestFields
  read: ReadWindows
  /** Oldest first. */
  firings: readonly Firing[]
}

/** The values of all windows with the threshold, which can be moved, and the firings. */
export function BacktestChart({ fields, read, firings }: BacktestChartProps) {
  const { threshold, thresholdMax, thresholdType: type } = fields.values
  const isRange = rangeThresholdTypes.includes(type)
  const lines = JSON.stringify([threshold, isRange ? thresholdMax : null].filter(isFinite))
  // The axis stays as it is while the line is dragged.
  const [held, setHeld] = useState<string | null>(null)
  const [ref, { width }] = useElementSize()
  const { charted, styles, span, model, scale } = useBacktestPlot(read, width, held ?? lines)
  const line = (name: 'threshold' | 'thresholdMax', label: string, value: number | null) => (
    <ThresholdLine
      label={label}
      value={value}
      scale={scale}
      second={name === 'thresholdMax'}
      onMove={(moved) => fields.setNumber(name, moved)}
      onHold={(isHeld) => setHeld(isHeld ? lines : null)}
    />
  )

  return (
    <div className={css.backtestChart}>
      <Legend charted={charted} styles={styles} isGrouped={read.grouped} />
      <div ref={ref} className={css.backtestPlot} style={{ height }}>
        {width > 0 && (
          <>
            <PlotChart model={model} lineColor="var(--line)" textColor="var(--muted)" aria-hidden>
              <PlotSeries model={model} />
            </PlotChart>
            {threshold !== null && (!isRange || thresholdMax !== null) && (
              <ViolatedBands threshold={{ threshold, thresholdMax, thresholdType: type }} scale={scale} />
            )}
            <FiringBands firings={firings} span={span} area={scale.area} />
            {line('threshold', isRange ? 'Lower threshold' : 'Threshold', threshold)}
            {isRange && line('thresholdMax', 'Upper threshold', thresholdMax)}
          </>
        )}
      </div>
    </div>
  )
}

const isFinite = (value: number | null): value is number => value !== null && Number.isFinite(value)

/**
 * The drawing of the values, and the axis that thresholds are moved on.
 *
 * @param width of the plot in pixels
 * @param include the JSON of thresholds that the axis has to reach
 */
function useBacktestPlot({ windows, grouped, request, unit }: ReadWindows, width: number, include: string) {
  const charted = useMemo(() => chartedSeries(windows, grouped, unit), [windows, grouped, unit])
  const { series } = charted
  const span = useMemo(() => ({ from: windows[0]?.start ?? 0, to: windows.at(-1)?.end ?? 1 }), [windows])
  const bucketMs = (windows[0]?.end ?? 0) - span.from
  const frame = useMemo(() => {
    const isCount = request.alertQuery.series.every(({ aggFn }) => aggFn === 'count')
    return frameOf(series, isCount ? 'zero' : 'gap', { ...span, bucketMs, zone: 'utc' })
  }, [series, request, span, bucketMs])
  const styles = useSeriesStyles(series, showsDashes('line', frame.times.length))
  const model = useMemo(
    () =>
      plotModel({
        frame,
        styles,
        type: 'line',
        span,
        bucketMs,
        isComplete: () => true,
        zone: 'local',
        unit,
        width,
        height,
        // Only what this component wrote.
        include: JSON.parse(include) as number[],
      }),
    [frame, styles, span, bucketMs, unit, width, include],
  )
  const scale = {
    area: plotArea(model),
    low: model.valueTicks[0] ?? 0,
    high: model.valueTicks.at(-1) ?? 1,
    unit,
    whole: frame.rows.every(({ values }) => values.every((value) => value === null || Number.isInteger(value))),
  }
  return { charted, styles, span, model, scale }
}

interface LegendProps {
  charted: ChartedSeries
  styles: ReturnType<typeof useSeriesStyles>
  isGrouped: boolean
}

function Legend({ charted: { series, others, highestOther }, styles, isGrouped }: LegendProps) {
  return (
    <div className={css.backtestLegend}>
      {isGrouped &&
        series.map(({ id, label }) => (
          <div key={id} className={css.series}>
            <Swatch style={styles.get(id) ?? defaultStyle} />
            <Text variant="caption" noWrap>
              {label}
            </Text>
          </div>
        ))}
      {others > 0 && (
        <Text variant="caption" color="textSecondary">
          {others} other groups, at most {highestOther}
        </Text>
      )}
      <div className={css.backtestSpacer} />
      <Text variant="caption" color="textSecondary">
        Drag the line, or use the arrow keys
      </Text>
    </div>
  )
}

/** Numbers need this much room, pixels. */
const numberWidth = 17
/** More bands than these cannot be told apart. */
const maxBands = 300

interface FiringBandsProps {
  firings: readonly Firing[]
  span: Span
  area: ReturnType<typeof plotArea>
}

/** When the alert fires, shaded, with the numbers of the table above. */
function FiringBands({ firings, span, area }: FiringBandsProps) {
  const scale = (area.right - area.left) / (span.to - span.from)
  const drawn = firings.slice(0, maxBands).map(({ start, end }, at) => ({
    number: at + 1,
    left: area.left + (start - span.from) * scale,
    width: Math.max(2, (end - start) * scale),
  }))
  return (
    <div aria-hidden className={css.firingBands}>
      {drawn.map(({ number, left, width }) => (
        <div key={number} className={css.band} style={{ left, width, top: area.top, height: area.bottom - area.top }} />
      ))}
      {withRoom(drawn).map(({ number, left, width }) => (
        <div key={number} className={css.backtestNumber} style={{ left: left + width / 2 }}>
          <FiringNumber>{number}</FiringNumber>
        </div>
      ))}
    </div>
  )
}

/** Numbers that would cover the one before are left out. */
function withRoom<T extends { left: number; width: number }>(bands: readonly T[]): T[] {
  let free = -Infinity
  return bands.filter(({ left, width }) => {
    const middle = left + width / 2
    if (middle < free) return false
    free = middle + numberWidth
    return true
  })
}

interface ViolatedBandsProps {
  threshold: Threshold
  scale: { area: ReturnType<typeof plotArea>; low: number; high: number }
}

/** The values that violate the threshold, tinted. */
function ViolatedBands({ threshold, scale: { area, low, high } }: ViolatedBandsProps) {
  const top = (value: number) => {
    const share = (Math.min(Math.max(value, low), high) - low) / (high - low)
    return area.bottom - share * (area.bottom - area.top)
  }
  return violatedRanges(threshold).map(([from, to]) => (
    <div
      key={from}
      aria-hidden
      className={css.violated}
      style={{ left: area.left, width: area.right - area.left, top: top(to), height: top(from) - top(to) }}
    />
  ))
}
