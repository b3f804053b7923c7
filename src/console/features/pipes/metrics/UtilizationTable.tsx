import { formatShort, formatValue } from '#domain/charts/units.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import * as base from '#console/ui/base/base.module.css'
import { PanelText } from '#console/ui/layout/Panel.tsx'
import { limitThreshold, type Utilization } from '#console/charting/sampling/utilization.ts'
import type { SampleRange } from '#console/charting/sampling/SamplingNote.tsx'
import * as css from '../pipes.module.css'

interface UtilizationTableProps {
  utilization: Utilization | null
  /** The newest sample. */
  sample: PipeSample | undefined
  /** The time range of the last column. */
  range: SampleRange
}

/** Current usage, limits, and the 95th percentile over the time range. */
export function UtilizationTable({ utilization, sample, range }: UtilizationTableProps) {
  if (!utilization || !sample) {
    return <PanelText>No samples yet.</PanelText>
  }
  const { latency } = utilization
  const { sourceLag } = sample
  return (
    <table aria-label="Resource utilization" className={`${base.table} ${css.utilization}`}>
      <thead>
        <tr>
          <th>Metric</th>
          <th className={base.tableNumber}>Used</th>
          <th className={base.tableNumber}>Limit</th>
          <th className={`${base.tableNumber} ${css.utilizationRange}`}>Last {range.label}</th>
        </tr>
      </thead>
      <tbody>
        <UsageRow
          title="CPU"
          used={utilization.cpu?.used}
          limit={utilization.cpu?.limit}
          p95={utilization.cpu?.p95}
          format={vcpu}
        />
        <UsageRow
          title="Memory"
          used={utilization.memory?.used}
          limit={utilization.memory?.limit}
          p95={utilization.memory?.p95}
          format={bytes}
        />
        <tr>
          <th scope="row">End-to-end latency</th>
          <td className={base.tableNumber}>{latencyText(latency)}</td>
          <td>{null}</td>
          <td className={base.tableNumber} data-high={latency?.trend === 'rising' || undefined}>
            {latency?.now != null && latency.trend}
          </td>
        </tr>
        {sourceLag !== null && (
          <tr>
            <th scope="row">Replication lag</th>
            <td className={base.tableNumber}>{formatShort(sourceLag * 2 ** 20, 'bytes')}</td>
            <td>{null}</td>
            <td>{null}</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

function latencyText(latency: Utilization['latency']): string {
  if (!latency) return 'not reported'
  return latency.now === null ? 'nothing loaded' : formatValue(latency.now, 'ms')
}

/** @param value millicores */
const vcpu = (value: number) => `${Math.round(value) / 1000} vCPU`
const bytes = (value: number) => formatShort(value, 'bytes')

interface UsageRowProps {
  title: string
  used: number | undefined
  limit: number | undefined
  p95: number | undefined
  format: (value: number) => string
}

function UsageRow({ title, used, limit, p95, format }: UsageRowProps) {
  return (
    <tr>
      <th scope="row">{title}</th>
      <td className={base.tableNumber}>{used === undefined ? 'not reported' : format(used)}</td>
      <td className={base.tableNumber}>{limit === undefined ? 'not reported' : format(limit)}</td>
      <td className={base.tableNumber} data-high={(p95 !== undefined && p95 >= limitThreshold) || undefined}>
        {p95 === undefined ? '' : `p95 ${Math.round(p95 * 100)} %`}
      </td>
    </tr>
  )
}
