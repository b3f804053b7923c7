/** Live metrics of pipes, their utilization and the size assessment. */
import { useMemo, useState } from 'react'
import { asFailure } from '#console/api/failure.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { usePendingChange } from '#console/records/pendingChanges/pendingChanges.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import { formatClock } from '#console/ui/time/formatTime.ts'
import type { SampledPipe } from './chartLines.ts'
import { computeUtilization, type Utilization } from '#console/charting/sampling/utilization.ts'
import { usePipeSamples } from './usePipeSamples.ts'
import { assessSize, type SizeAssessment } from '#console/charting/sampling/sizeAssessment.ts'
import { sampleRanges, type SampleRange } from '#console/charting/sampling/SamplingNote.tsx'
import { isDatabasePipe, pipeName, isRunning } from '../model/pipeLabels.ts'

const none: readonly PipeSample[] = []

/** Minutes of samples to request: as many as the gateway keeps. */
const keptMinutes = 120

export interface LiveMetrics {
  sampling: ReturnType<typeof usePipeSamples>
  /** The pipes with their samples. */
  sampled: readonly SampledPipe[]
  /** The time range of charts, table and assessment. */
  range: SampleRange
  setSampleRange: (range: SampleRange) => void
  /** Per replica, or of the shared size of database pipes. */
  utilization: Utilization | null
  last: PipeSample | undefined
  /** Undefined before the first sample. */
  assessment: SizeAssessment | undefined
  /** Why no samples are available although no request failed. */
  unavailable: string | undefined
  isShared: boolean
}

/**
 * @param pipes one pipe, or all pipes that share a size
 * @param resource the key of the size in pending changes
 */
export function useLiveMetrics(pipes: readonly Pipe[], resource: string): LiveMetrics {
  const connection = useConnection()
  const [range, setSampleRange] = useState<SampleRange>(sampleRanges[0])
  const sampling = usePipeSamples(connection, { pipes: pipes.map(({ id }) => id), minutes: keptMinutes })
  const { samples, state } = sampling
  const sampled = useMemo(
    () =>
      pipes.map((pipe): SampledPipe => ({ id: pipe.id, name: pipeName(pipe), samples: samples.get(pipe.id) ?? none })),
    [pipes, samples],
  )
  // Pipes that share a size report the same usage: use the one with most samples.
  const [mostSamples = none] = sampled.map((sampledPipe) => sampledPipe.samples).toSorted((a, b) => b.length - a.length)
  const requestedAt = usePendingChange(resource)?.at
  const utilization = useMemo(
    () => computeUtilization(mostSamples, { window: range.ms, requestedAt }),
    [mostSamples, range, requestedAt],
  )
  const last = mostSamples.at(-1)
  const until = state?.at ?? null
  // Each scrape covers all pipes: a pipe that is missing in the newest one has stopped reporting.
  const silent = last !== undefined && until !== null && last.at < until
  const unavailable = last ? undefined : unavailableReason(sampling, pipes)
  return {
    sampling,
    sampled,
    range,
    setSampleRange,
    utilization,
    last,
    assessment:
      last &&
      (silent
        ? { tone: 'info', sentence: `No metrics since ${formatClock(last.at)}: ${idleHint}.`, recommendation: null }
        : assessSize(utilization, pipes.some(isRunning), range.ms)),
    unavailable,
    isShared: pipes.some(isDatabasePipe),
  }
}

function unavailableReason({ state, error }: LiveMetrics['sampling'], pipes: readonly Pipe[]): string | undefined {
  const code = error && asFailure(error).code
  if (code === 'notFound' || code === 'notOffered') return 'This deployment does not provide pipe metrics.'
  return state?.at == null ? undefined : `No metrics for ${pipesText(pipes)}: ${idleHint}.`
}

const idleHint = 'the service may be idle or stopped'

const pipesText = (pipes: readonly Pipe[]) => (pipes.length > 1 ? 'these pipes' : 'this pipe')
