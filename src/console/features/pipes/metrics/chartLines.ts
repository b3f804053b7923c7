/** The series of the live charts, for one pipe or for several that share a size. */
import type { Series } from '#console/ui/series/series.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { gaugePoints, ratePoints, type SampleSelector } from '#console/charting/sampling/series.ts'
import { throughputMeasure } from './throughput.ts'

/** The series of one chart. */
interface ChartLines {
  series: Series[]
  unit: string
}

/** A pipe with its samples, oldest first. */
export interface SampledPipe {
  id: string
  name: string
  samples: readonly PipeSample[]
}

/** A series, or none if all of its points are unknown. */
function line(id: string, label: string, points: Series['points']): Series[] {
  return points.some(([, value]) => value !== null) ? [{ id, label, points }] : []
}

const share = (used: number | null, limit: number | null) => (used === null || !limit ? null : (used / limit) * 100)
const cpuShare: SampleSelector<PipeSample> = ({ cpu, cpuLimit }) => share(cpu, cpuLimit)
const memoryShare: SampleSelector<PipeSample> = ({ memory, memoryLimit }) => share(memory, memoryLimit)

/** Records or bytes per second: read and written for one pipe, read only for several. Buckets of `step` milliseconds. */
export function throughputLines(pipes: readonly SampledPipe[], step: number): ChartLines {
  const measure = pipes.map(({ samples }) => throughputMeasure(samples)).find((found) => found !== null)
  if (!measure) return { series: [], unit: 'records/s' }
  const { unit, read, written } = measure
  const [only] = pipes
  if (!only || pipes.length > 1)
    return { series: pipes.flatMap(({ id, name, samples }) => line(id, name, ratePoints(samples, read, step))), unit }
  return {
    series: [
      ...line('read', 'Read', ratePoints(only.samples, read, step)),
      ...(written ? line('written', 'Written', ratePoints(only.samples, written, step)) : []),
    ],
    unit,
  }
}

/** CPU and memory in percent of their limits. Pipes that share a size report the same: the one with most samples is used. */
export function usageLines(pipes: readonly SampledPipe[], step: number): ChartLines {
  const [samples = []] = pipes.map((pipe) => pipe.samples).toSorted((a, b) => b.length - a.length)
  return {
    series: [
      ...line('cpu', 'CPU', gaugePoints(samples, cpuShare, step)),
      ...line('memory', 'Memory', gaugePoints(samples, memoryShare, step)),
    ],
    unit: 'percent',
  }
}

/** Latency if it is reported, otherwise the replication lag in bytes. */
export function lagLines(pipes: readonly SampledPipe[], step: number): ChartLines {
  const label = (name: string, alone: string) => (pipes.length > 1 ? name : alone)
  const latency = pipes.flatMap(({ id, name, samples }) =>
    line(
      id,
      label(name, 'Latency'),
      gaugePoints(samples, (sample) => sample.latency, step),
    ),
  )
  if (latency.length > 0) return { series: latency, unit: 'ms' }
  const held = pipes.flatMap(({ id, name, samples }) =>
    line(id, label(name, 'Replication lag'), gaugePoints(samples, inBytes, step)),
  )
  return { series: held, unit: held.length > 0 ? 'bytes' : 'ms' }
}

const inBytes: SampleSelector<PipeSample> = ({ sourceLag }) => (sourceLag === null ? null : sourceLag * 2 ** 20)
