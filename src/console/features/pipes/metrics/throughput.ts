/** How much a pipe moves: in records where it counts them, in bytes where it counts nothing else. */
import { formatShort } from '#console/ui/chart/units.ts'
import type { PipeSample } from '#contract/pipeSamples.ts'
import { lastRate, type SampleSelector } from './series.ts'

export interface ThroughputMeasure {
  unit: 'records/s' | 'bytes'
  read: SampleSelector
  /** Undefined where what is written is not told in this measure. */
  written?: SampleSelector
}

const records: ThroughputMeasure = {
  unit: 'records/s',
  read: ({ fetchedEvents }) => fetchedEvents,
  written: ({ sentEvents }) => sentEvents,
}
/** Database pipes of deployments count no records (managed reference 7.2). */
const bytes: ThroughputMeasure = { unit: 'bytes', read: ({ fetchedBytes }) => fetchedBytes }

/** The measure that the newest samples have a counter of; null where none has. */
export function throughputMeasure(samples: readonly PipeSample[]): ThroughputMeasure | null {
  const last = samples.at(-1)
  return [records, bytes].find(({ read }) => last && read(last) !== null) ?? null
}

/** "1.2k", or "3 MiB/s" of a pipe that counts no records; empty where it is not known. */
export function formatThroughput(samples: readonly PipeSample[]): string {
  const measure = throughputMeasure(samples)
  const rate = measure && lastRate(samples, measure.read)
  if (measure === null || rate === null) return ''
  return measure.unit === 'bytes' ? `${formatShort(rate, 'bytes')}/s` : formatShort(rate)
}
