/** The samples that are kept of a connection's pipes: the newest, and of no more pipes and times than memory bears. */
import type { PipeSample } from '#contract/pipeSamples.ts'

export type Kept = ReadonlyMap<string, readonly PipeSample[]>

/** How long samples are kept, milliseconds. */
export const keptFor = 2 * 3_600_000
/** Samples kept of each pipe: those two hours at the usual pace. */
export const mostOfOne = 480
/** Samples kept of all pipes together, some 20 MB; where there are more pipes, each keeps fewer. */
export const mostOfAll = 120_000

/**
 * What is kept after a scrape of that time. A pipe that the scrape lacks keeps what it has until that is too old: its
 * service may be idle, and back in a while.
 */
export function withScrape(before: Kept, scrape: ReadonlyMap<string, PipeSample>, at: number): Kept {
  const oldest = at - keptFor
  const lacking = [...before].filter(([id, samples]) => !scrape.has(id) && (samples.at(-1)?.at ?? 0) > oldest)
  const pipes = scrape.size + lacking.length
  const most = Math.max(1, Math.min(mostOfOne, Math.floor(mostOfAll / Math.max(1, pipes))))
  const bounded = (samples: readonly PipeSample[]) =>
    samples.slice(Math.max(-most, samples.findIndex((sample) => sample.at > oldest) - samples.length))
  return new Map([
    ...lacking.map(([id, samples]) => [id, bounded(samples)] as const),
    ...[...scrape].map(([id, sample]) => [id, bounded([...(before.get(id) ?? []), sample])] as const),
  ])
}

/** The samples of some pipes, or of all, that are newer than `after` (epoch milliseconds). Pipes without one are left out. */
export function choose(
  kept: Kept,
  pipes: readonly string[] | undefined,
  after: number,
): { id: string; samples: PipeSample[] }[] {
  return (pipes ?? [...kept.keys()]).flatMap((id) => {
    const samples = kept.get(id) ?? []
    const first = samples.findLastIndex(({ at }) => at <= after) + 1
    return first < samples.length ? [{ id, samples: samples.slice(first) }] : []
  })
}
