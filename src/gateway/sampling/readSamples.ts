/** What one scrape says about each pipe: section 7 of the managed reference. */
import { parseExposition } from '#contract/exposition.ts'
import type { PipeSample } from '#contract/pipeSamples.ts'
import { metricNames } from '#contract/prometheus.ts'

type Measure = Exclude<keyof PipeSample, 'at'>

/** Metrics of a pipe; the second name of a measure counts where the first is not there. */
const measures: Record<Measure, { names: readonly string[]; adds: boolean }> = {
  fetchedEvents: { names: [metricNames.fetchedEvents], adds: true },
  sentEvents: { names: [metricNames.sentEvents], adds: true },
  fetchedBytes: { names: [metricNames.fetchedBytes, metricNames.fetchedBytesCompressed], adds: true },
  errors: { names: [metricNames.errors], adds: true },
  latency: { names: [metricNames.latency], adds: false },
  sourceLag: { names: [metricNames.sourceLag], adds: false },
  cpu: { names: [metricNames.cpuUsage], adds: false },
  cpuLimit: { names: [metricNames.cpuLimit], adds: false },
  memory: { names: [metricNames.memoryUsage], adds: false },
  memoryLimit: { names: [metricNames.memoryLimit], adds: false },
}

/** Metrics of a service that hold for each of its database pipes. */
const shared: readonly (readonly [Measure, string])[] = [
  ['cpu', metricNames.cdcCpuUsage],
  ['cpuLimit', metricNames.cdcCpuLimit],
  ['memory', metricNames.cdcMemoryUsage],
  ['memoryLimit', metricNames.cdcMemoryLimit],
]

/** Kinds of sources as the label spells them that run on the shared size. */
const isDatabase = (source: string | undefined) => /postgres|mysql|maria|mongo|bigquery/i.test(source ?? '')

/** The pipes of a scrape, by id. Replicas that report one by one are added up where they count, averaged where they measure. */
export function readSamples(text: string, at: number): Map<string, PipeSample> {
  const pipes = new Map<string, { service: string; source: string | undefined }>()
  const values = new Map<string, number[]>()
  const key = (metric: string, id: string) => `${metric} ${id}`
  for (const { name, labels, value } of parseExposition(text)) {
    const { clickpipe_id: pipe, clickhouse_service: service = '' } = labels
    if (pipe !== undefined) pipes.set(pipe, { service, source: labels.clickpipe_source })
    const of = key(name, pipe ?? service)
    if (Number.isFinite(value)) values.set(of, [...(values.get(of) ?? []), value])
  }
  const read = (names: readonly string[], id: string, adds: boolean): number | null => {
    const found = names.map((name) => values.get(key(name, id))).find((list) => list !== undefined)
    if (!found) return null
    const sum = found.reduce((total, value) => total + value, 0)
    return adds ? sum : sum / found.length
  }
  return new Map(
    [...pipes].map(([id, { service, source }]) => {
      const own = Object.entries(measures).map(([measure, { names, adds }]) => [measure, read(names, id, adds)])
      // Object.fromEntries forgets its keys: they are those of `measures`.
      const sample = { at, ...Object.fromEntries(own) } as PipeSample
      if (isDatabase(source)) {
        for (const [measure, name] of shared) sample[measure] ??= read([name], service, false)
      }
      return [id, sample]
    }),
  )
}
