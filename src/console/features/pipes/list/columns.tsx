import { paths } from '#console/paths/paths.ts'
import { formatShort, formatValue } from '#domain/charts/units.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { pipeKind } from '#contract/cloud/pipeKinds.ts'
import { pipeTotals } from '#domain/sizing/pipePrices.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import type { Samples } from '#console/charting/sampling/sampleHistory.ts'
import { lastRate } from '#console/charting/sampling/series.ts'
import { usedShare } from '#console/charting/sampling/utilization.ts'
import { formatThroughput } from '../metrics/throughput.ts'
import { hasNewErrors, isPipeOverloaded } from '#console/charting/sampling/severity.ts'
import { idColumn, nameColumn } from '#console/records/record/recordColumns.tsx'
import type { PipeRow } from './usePipes.ts'
import { effectiveValues } from '../model/scalingParameters.ts'
import { perMonth, pipeSizeOf } from '../scaling/cost.ts'
import {
  kindOptions,
  formatPipeKind,
  isRunning,
  pipeName,
  formatScaling,
  stateLabel,
  stateOptions,
  stateTone,
} from '../model/pipeLabels.ts'
import * as css from '../pipes.module.css'

/**
 * The columns of the list. Their IDs are part of URLs: do not rename them.
 * @param rate USD per compute unit per hour
 */
export function pipeColumns(connectionId: string, samples: Samples<PipeSample>, rate: number): Column<PipeRow>[] {
  return [
    nameColumn<PipeRow>({
      grow: 1,
      width: 200,
      name: pipeName,
      to: (pipe) => paths.pipe(connectionId, pipe.serviceId, pipe.id),
    }),
    {
      id: 'state',
      title: 'State',
      width: 100,
      type: 'choice',
      options: stateOptions,
      value: (pipe) => pipe.state,
      cell: ({ state }) => <StatusChip tone={stateTone(state)}>{stateLabel(state)}</StatusChip>,
    },
    { id: 'kind', title: 'Source type', width: 116, type: 'choice', options: kindOptions, value: formatPipeKind },
    { id: 'service', title: 'Service', grow: 0.5, width: 104, value: (pipe) => pipe.serviceName },
    { id: 'scaling', title: 'Size', width: 134, value: (pipe) => formatScaling(pipeKind(pipe), pipe.scaling) },
    costColumn(rate),
    ...sampledColumns(samples),
    { id: 'updated', title: 'Updated', width: 116, type: 'timestamp', hidden: true, value: (pipe) => pipe.updatedAt },
    { id: 'created', title: 'Created', width: 116, type: 'timestamp', hidden: true, value: (pipe) => pipe.createdAt },
    idColumn(290),
  ]
}

/** The monthly cost of a pipe's size; empty where no price is known, and where nothing runs. */
function costColumn(rate: number): Column<PipeRow> {
  const costOf = (pipe: PipeRow) => {
    const size = isRunning(pipe) ? pipeSizeOf(effectiveValues(pipe)) : null
    return size && pipeTotals(size, rate).usdPerMonth
  }
  return {
    id: 'cost',
    title: 'Cost',
    width: 84,
    type: 'number',
    value: costOf,
    text: (pipe) => {
      const cost = costOf(pipe)
      return cost === null ? '' : `${perMonth(cost)}/month`
    },
  }
}

/** The metrics of each pipe, from its last samples. */
function sampledColumns(samples: Samples<PipeSample>): Column<PipeRow>[] {
  const of = (pipe: PipeRow) => samples.get(pipe.id) ?? []
  const last = (pipe: PipeRow) => samples.get(pipe.id)?.at(-1)
  const load = (pipe: PipeRow) => {
    const sample = last(pipe)
    const share = sample ? usedShare(sample) : null
    return share === null ? null : Math.round(share * 100)
  }
  const formatLoad = (pipe: PipeRow) => {
    const percent = load(pipe)
    return percent === null ? '' : `${percent} %`
  }
  return [
    {
      id: 'load',
      title: 'Utilization',
      width: 104,
      type: 'number',
      value: load,
      text: formatLoad,
      cell: (pipe) => (isPipeOverloaded(of(pipe)) ? <Short load={formatLoad(pipe)} /> : formatLoad(pipe)),
    },
    {
      id: 'throughput',
      title: 'Records/s',
      width: 96,
      type: 'number',
      value: (pipe) => lastRate(of(pipe), ({ fetchedEvents }) => fetchedEvents),
      text: (pipe) => formatThroughput(of(pipe)),
    },
    {
      id: 'lag',
      title: 'Latency',
      width: 84,
      type: 'number',
      value: (pipe) => last(pipe)?.latency,
      text: (pipe) => {
        const { latency = null, sourceLag = null } = last(pipe) ?? {}
        if (latency !== null) return formatValue(latency, 'ms')
        return sourceLag === null ? '' : formatShort(sourceLag * 2 ** 20, 'bytes')
      },
    },
    {
      id: 'errors',
      title: 'Errors',
      width: 76,
      type: 'number',
      value: (pipe) => last(pipe)?.errors,
      cell: (pipe) => {
        const errors = last(pipe)?.errors ?? null
        if (errors === null) return ''
        // The arrow repeats what the color says.
        return hasNewErrors(of(pipe)) ? <NewErrors count={errors} /> : errors
      },
    },
  ]
}

/** Marks a pipe that is overloaded. The arrow repeats what the color says. */
function Short({ load }: { load: string }) {
  return (
    <span title="CPU or memory was at its limit in the last 10 minutes" className={css.short}>
      {load} ↑
    </span>
  )
}

/** Marks an error count that has risen. */
function NewErrors({ count }: { count: number }) {
  return (
    <span title="New errors in the last 10 minutes" className={css.newErrors}>
      {count} ↑
    </span>
  )
}
