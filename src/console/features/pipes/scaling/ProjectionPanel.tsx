import { useMemo, useState } from 'react'
import { Chart } from '#console/ui/chart/Chart.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import * as base from '#console/ui/base/base.module.css'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import type { Series } from '#console/ui/series/series.ts'
import { gaugePoints } from '#console/charting/sampling/series.ts'
import { limitThreshold } from '#console/charting/sampling/utilization.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { formatLength } from '#console/ui/time/formatLength.ts'
import { pipeSizes, pipeTotals, type PipeSize } from '#domain/sizing/pipePrices.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { formatShort } from '#domain/charts/units.ts'
import { perMonth } from './cost.ts'
import { capacityOf, horizon, measure, memoryShareOf, project, type Measured } from './projection.ts'
import * as css from '../pipes.module.css'

const minute = 60_000
/** Measured lag before the projection, and buckets of both, milliseconds. */
const [before, bucket] = [30 * minute, 30_000]

interface ProjectionPanelProps {
  /** Oldest first. */
  samples: readonly PipeSample[]
  /** In effect, and of the form; null if unknown. */
  now: PipeSize | null
  planned: PipeSize | null
  /** USD per compute unit per hour. */
  rate: number
}

/**
 * The effect of the chosen size on the lag, redrawn while a slider moves: from measured throughput, with how sure that is.
 * Without enough measurements there is no projection, and the reason.
 */
export function ProjectionPanel({ samples, now, planned, rate }: ProjectionPanelProps) {
  const replicas = now?.replicas ?? null
  const result = useMemo(() => (replicas === null ? null : measure(samples, replicas)), [samples, replicas])
  if (!result?.measured || !now || !planned) {
    const reason = result && !result.measured ? result.reason : 'The size in effect is not known.'
    return (
      <Panel title="Projected lag">
        <Text color="textSecondary">No projection yet. {reason}</Text>
      </Panel>
    )
  }
  return <Projection measured={result.measured} samples={samples} now={now} planned={planned} rate={rate} />
}

interface ProjectionProps extends ProjectionPanelProps {
  measured: Measured
  now: PipeSize
  planned: PipeSize
}

function Projection({ measured: found, samples, now, planned, rate }: ProjectionProps) {
  /** The rate of the source in percent of the measured one. */
  const [percent, setPercent] = useState(100)
  const measured = { ...found, arrival: (found.arrival * percent) / 100 }
  const { perMillicore, arrival } = measured
  const present = capacityOf(now, perMillicore.middle)
  const chosen = capacityOf(planned, perMillicore.middle)
  // The buckets of the measured lag, so that no time of one lies between two of the other.
  const until = Math.floor((samples.at(-1)?.at ?? 0) / bucket) * bucket
  const span = { from: until - before, to: until + horizon * 1000 }
  const isChanged = now.replicas !== planned.replicas || now.replicaCpuMillicores !== planned.replicaCpuMillicores
  const line = (capacity: number): Series['points'] =>
    project(measured, present, capacity).points.map(({ at, lag }) => [until + at * 1000, lag])
  const series: Series[] = [
    {
      id: 'measured',
      label: 'Measured',
      points: gaugePoints(
        samples.filter(({ at }) => at >= span.from),
        ({ latency }) => (latency === null ? null : latency / 1000),
        bucket,
      ),
    },
    { id: 'now', label: 'Size as now', overlay: true, points: line(present) },
    ...(isChanged
      ? [
          { id: 'planned', label: 'Chosen size', points: line(chosen) },
          {
            id: 'low',
            label: '80 % slow',
            like: 'planned',
            ghost: true,
            points: line(capacityOf(planned, perMillicore.low)),
          },
          {
            id: 'high',
            label: '80 % fast',
            like: 'planned',
            ghost: true,
            points: line(capacityOf(planned, perMillicore.high)),
          },
        ]
      : []),
  ]
  return (
    <Panel title="Projected lag" aside={`from ${found.minutes} min of measurements, band 80 %`} flush>
      <div className={css.projectionChart}>
        <Column gap={12}>
          <Chart
            series={series}
            type="line"
            span={span}
            bucketMs={bucket}
            readAt={span.to + bucket}
            zone="local"
            unit="s"
            height={240}
            label="Projected lag"
            view="chart"
            dense
          />
          <Text aria-live="polite">{`${sentenceOf(measured, present, chosen)}${memorySentence(measured, planned)}`}</Text>
          <SourceRate percent={percent} arrival={arrival} onChange={setPercent} />
        </Column>
      </div>
      <Sizes measured={measured} present={present} now={now} planned={planned} rate={rate} />
      <Text color="textSecondary" className={css.projectionNote}>
        Estimate. Assumes that CPU per record stays as measured and that all replicas can read the source. Memory is the
        highest measured per replica.
      </Text>
    </Panel>
  )
}

/** "This size writes 139k records/s, 45 % more than the source sends. Caught up in 15 min." */
function sentenceOf(measured: Measured, present: number, chosen: number): string {
  const share = Math.round((chosen / measured.arrival - 1) * 100)
  const compared = share === 0 ? 'as many as' : `${Math.abs(share)} % ${share > 0 ? 'more' : 'less'} than`
  const { caughtUpIn } = project(measured, present, chosen)
  const outcome =
    caughtUpIn === null
      ? 'The lag keeps growing.'
      : caughtUpIn === 0
        ? 'It keeps up with the source.'
        : `Caught up in ${inMinutes(caughtUpIn)}.`
  return `This size writes ${formatShort(chosen)} records/s, ${compared} the source sends. ${outcome}`
}

/** " The memory is too small: a replica used up to 1.4 GiB of 1 GiB." Empty if it fits, or is not reported. */
function memorySentence(measured: Measured, { replicaMemoryGb }: PipeSize): string {
  const share = memoryShareOf(measured, replicaMemoryGb)
  if (share === null || share < limitThreshold) return ''
  return ` Its memory is too small: a replica used up to ${formatShort(measured.memory ?? 0, 'bytes')}, ${percent(share)} of this size.`
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

const inMinutes = (seconds: number): string => formatLength(Math.max(1, Math.round(seconds / 60)) * minute)

interface SourceRateProps {
  percent: number
  /** Records per second. */
  arrival: number
  onChange: (percent: number) => void
}

/** The assumed growth of the source: a share of the measured rate. */
function SourceRate({ percent, arrival, onChange }: SourceRateProps) {
  return (
    <label className={css.source}>
      <span>If the source sends</span>
      <input
        type="range"
        min={50}
        max={300}
        step={10}
        value={percent}
        aria-valuetext={`${percent} % of now, ${formatShort(arrival)} records/s`}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <span className={css.projectionRate}>
        {formatShort(arrival)} records/s{percent === 100 ? ', as now' : `, ${percent} % of now`}
      </span>
    </label>
  )
}

type SizesProps = Omit<ProjectionProps, 'samples'> & { present: number }

/** Every listed size with the chosen replicas, and the chosen one if it is not listed. */
function Sizes({ measured, present, now, planned, rate }: SizesProps) {
  const cpuOf = ({ replicaCpuMillicores }: PipeSize) => replicaCpuMillicores
  const listed = pipeSizes.map(({ name, ...size }) => ({
    name: `${name}`,
    size: { ...size, replicas: planned.replicas },
  }))
  const isListed = listed.some(
    ({ size }) => cpuOf(size) === cpuOf(planned) && size.replicaMemoryGb === planned.replicaMemoryGb,
  )
  const rows = isListed ? listed : [...listed, { name: 'Other', size: planned }]
  const same = (a: PipeSize, b: PipeSize) =>
    a.replicas === b.replicas && cpuOf(a) === cpuOf(b) && a.replicaMemoryGb === b.replicaMemoryGb
  return (
    <SmallTable
      label="Sizes"
      heads={[
        'Size',
        { title: 'vCPU', number: true },
        { title: 'Carries', number: true },
        { title: 'To spare', number: true },
        { title: 'Caught up in', number: true },
        { title: 'Memory', number: true },
        { title: 'Per month', number: true },
      ]}
    >
      {rows.map(({ name, size }) => {
        const capacity = capacityOf(size, measured.perMillicore.middle)
        const spare = capacity - measured.arrival
        const { caughtUpIn } = project(measured, present, capacity)
        const memory = memoryShareOf(measured, size.replicaMemoryGb)
        return (
          <tr key={name} data-selected={same(size, planned) || undefined} className={css.projectionSize}>
            <th scope="row">
              {name} {same(size, now) && <StatusChip tone="neutral">now</StatusChip>}
              {same(size, planned) && !same(size, now) && <StatusChip tone="accent">chosen</StatusChip>}
            </th>
            <td className={base.tableNumber}>
              {size.replicas} × {cpuOf(size) / 1000}
            </td>
            <td className={base.tableNumber}>{formatShort(capacity)}/s</td>
            <td className={base.tableNumber} data-short={spare < 0 || undefined}>
              {spare < 0 ? '−' : '+'}
              {formatShort(Math.abs(spare))}/s
            </td>
            <td className={base.tableNumber} data-short={caughtUpIn === null || undefined}>
              {caughtUpIn === null ? 'never' : caughtUpIn === 0 ? 'keeps up' : inMinutes(caughtUpIn)}
            </td>
            <td className={base.tableNumber} data-short={(memory !== null && memory >= limitThreshold) || undefined}>
              {memory === null ? 'unknown' : percent(memory)}
            </td>
            <td className={base.tableNumber}>{perMonth(pipeTotals(size, rate).usdPerMonth)}</td>
          </tr>
        )
      })}
    </SmallTable>
  )
}
