/** The retained samples of a connection's pipes or services: the newest ones, within a limit on memory. */

/** Samples by ID, oldest first. `at` is epoch milliseconds. */
export type RetainedSamples<S extends { at: number }> = ReadonlyMap<string, readonly S[]>

/** Milliseconds that samples are retained. */
export const retention = 2 * 3_600_000
/** Samples of each pipe: two hours at the usual interval. */
export const maxSamplesPerPipe = 480
/** Samples of all pipes together, about 20 MB. With many pipes, each has fewer. */
export const maxSamples = 120_000

/**
 * Adds the samples of a scrape. A pipe that is not in the scrape keeps its samples until they expire: its service may be
 * idle for a while.
 */
export function withScrape<S extends { at: number }>(
  before: RetainedSamples<S>,
  scrape: ReadonlyMap<string, S>,
  at: number,
): RetainedSamples<S> {
  const oldest = at - retention
  const missing = [...before].filter(([id, samples]) => !scrape.has(id) && (samples.at(-1)?.at ?? 0) > oldest)
  const pipes = scrape.size + missing.length
  const limit = Math.max(1, Math.min(maxSamplesPerPipe, Math.floor(maxSamples / Math.max(1, pipes))))
  const bounded = (samples: readonly S[]) =>
    samples.slice(Math.max(-limit, samples.findIndex((sample) => sample.at > oldest) - samples.length))
  return new Map([
    ...missing.map(([id, samples]) => [id, bounded(samples)] as const),
    ...[...scrape].map(([id, sample]) => [id, bounded([...(before.get(id) ?? []), sample])] as const),
  ])
}

/** The samples of some or all IDs that are newer than `after` (epoch milliseconds). Pipes without samples are left out. */
export function selectSamples<S extends { at: number }>(
  retained: RetainedSamples<S>,
  ids: readonly string[] | undefined,
  after: number,
): { id: string; samples: S[] }[] {
  return (ids ?? [...retained.keys()]).flatMap((id) => {
    const samples = retained.get(id) ?? []
    const first = samples.findLastIndex(({ at }) => at <= after) + 1
    return first < samples.length ? [{ id, samples: samples.slice(first) }] : []
  })
}
