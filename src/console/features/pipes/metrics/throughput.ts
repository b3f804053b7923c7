/** Throughput of a pipe: in records, or in bytes if it does not count records. */
import { formatShort } from '#domain/charts/units.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { lastRate, type SampleSelector } from '#console/charting/sampling/series.ts'

interface ThroughputMeasure {
  unit: 'records/s' | 'bytes'
  read: SampleSelector<PipeSample>
  /** Undefined if writes are not counted in this unit. */
  written?: SampleSelector<PipeSample>
}

const records: ThroughputMeasure = {
  unit: 'records/s',
  read: ({ fetchedEvents }) => fetchedEvents,
  written: ({ sentEvents }) => sentEvents,
}
/** Database pipes of deployments do not count records (docs/DEPLOYMENTS.md#metrics). */
const bytes: ThroughputMeasure = { unit: 'bytes', read: ({ fetchedBytes }) => fetchedBytes }

/** The first measure for which the newest sample has a counter. */
export function throughputMeasure(samples: readonly PipeSample[]): ThroughputMeasure | null {
  const last = samples.at(-1)
  return [records, bytes].find(({ read }) => last && read(last) !== null) ?? null
}

/** "1.2k", or "3 MiB/s" for pipes that count bytes. Empty if unknown. */
export function formatThroughput(samples: readonly PipeSample[]): string {
  const measure = throughputMeasure(samples)
  const rate = measure && lastRate(samples, measure.read)
  if (measure === null || rate === null) return ''
  return measure.unit === 'bytes' ? `${formatShort(rate, 'bytes')}/s` : formatShort(rate)
}
