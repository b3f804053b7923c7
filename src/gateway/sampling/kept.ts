/** The samples that are kept of a connection's pipes: the newest, and of no more pipes and times than memory bears. */
import type { PipeSample } from '#contract/pipeSamples.ts'

export type Kept = ReadonlyMap<string, readonly PipeSample[]>

/** Samples kept of each pipe: two hours at the usual pace. */
export const mostOfOne = 480
/** Samples kept of all pipes together, some 20 MB; where there are more pipes, each keeps fewer. */
export const mostOfAll = 120_000

/** What is kept after a scrape. A pipe that the scrape lacks keeps its samples until they are older than all others. */
export function withScrape(before: Kept, scrape: ReadonlyMap<string, PipeSample>): Kept {
  const most = Math.max(1, Math.min(mostOfOne, Math.floor(mostOfAll / Math.max(1, scrape.size))))
  const after = new Map<string, readonly PipeSample[]>()
  for (const [id, sample] of scrape) after.set(id, [...(before.get(id) ?? []), sample].slice(-most))
  const oldest = Math.min(...[...after.values()].map(([first]) => first?.at ?? Infinity))
  for (const [id, samples] of before) {
    const last = samples.at(-1)
    if (!after.has(id) && last && last.at >= oldest) after.set(id, samples)
  }
  return after
}

/** Samples of one pipe or of all, none older than `since`. */
export function choose(kept: Kept, pipe: string | undefined, since: number): { id: string; samples: PipeSample[] }[] {
  const ids = pipe === undefined ? [...kept.keys()] : [pipe]
  return ids.flatMap((id) => {
    const samples = (kept.get(id) ?? []).filter(({ at }) => at >= since)
    return samples.length > 0 ? [{ id, samples }] : []
  })
}
