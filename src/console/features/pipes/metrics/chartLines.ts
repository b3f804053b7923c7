/** The lines of the charts: of one pipe, or of several that share a size. */
import type { Series } from '#console/ui/chart/series.ts'
import type { PipeSample } from '#contract/pipeSamples.ts'
import { gaugePoints, ratePoints, type SampleSelector } from './series.ts'
import { throughputMeasure } from './throughput.ts'

/** What one chart shows. */
export interface ChartLines {
  series: Series[]
  unit: string
}

/** A pipe with its samples, oldest first. */
export interface SampledPipe {
  id: string
  name: string
  samples: readonly PipeSample[]
}

/** A line, or none where not one point is known. */
function line(id: string, label: string, points: Series['points']): Series[] {
  return points.some(([, value]) => value !== null) ? [{ id, label, points }] : []
}

const share = (used: number | null, limit: number | null) => (used === null || !limit ? null : (used / limit) * 100)
const cpuShare: SampleSelector = ({ cpu, cpuLimit }) => share(cpu, cpuLimit)
const memoryShare: SampleSelector = ({ memory, memoryLimit }) => share(memory, memoryLimit)

/** Records, or bytes, per second: read and written of one pipe, read of several. Buckets of `step` milliseconds. */
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

/** CPU and memory in percent of their limits: of pipes that share a size, those of the one that tells most of it. */
export function usageLines(pipes: readonly SampledPipe[], step: number): ChartLines {
  const [samples = []] = pipes.map((one) => one.samples).toSorted((a, b) => b.length - a.length)
  return {
    series: [
      ...line('cpu', 'CPU', gaugePoints(samples, cpuShare, step)),
      ...line('memory', 'Memory', gaugePoints(samples, memoryShare, step)),
    ],
    unit: 'percent',
  }
}

/** How far behind the source they are: in time where they tell it, in what the source holds back where they tell that. */
export function lagLines(pipes: readonly SampledPipe[], step: number): ChartLines {
  const label = (name: string, alone: string) => (pipes.length > 1 ? name : alone)
  const latency = pipes.flatMap(({ id, name, samples }) =>
    line(
      id,
      label(name, 'Latency'),
      gaugePoints(samples, (one) => one.latency, step),
    ),
  )
  if (latency.length > 0) return { series: latency, unit: 'ms' }
  const held = pipes.flatMap(({ id, name, samples }) =>
    line(id, label(name, 'Replication lag'), gaugePoints(samples, inBytes, step)),
  )
  return { series: held, unit: held.length > 0 ? 'bytes' : 'ms' }
}

const inBytes: SampleSelector = ({ sourceLag }) => (sourceLag === null ? null : sourceLag * 2 ** 20)
