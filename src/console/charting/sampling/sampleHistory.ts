/** Merges the gateway's incremental responses into one history. */
import type { SamplingState } from '#contract/console/sampling/pipeSamples.ts'

/** Samples by the ID of what was sampled, oldest first. */
export type Samples<S> = ReadonlyMap<string, readonly S[]>

export interface History<S> {
  /** The latest response. */
  state: SamplingState
  samples: Samples<S>
}

/** The samples of a response, by ID. */
export type SampleGroups<S> = readonly { id: string; samples: readonly S[] }[]

/** Adds a response to the history. A new run replaces it. Without new samples, the same map is returned. */
export function mergeSamples<S extends { at: number }>(
  before: History<S> | undefined,
  state: SamplingState,
  groups: SampleGroups<S>,
  minutes: number,
): History<S> {
  if (!before || before.state.run !== state.run) return { state, samples: samplesById(groups) }
  if (groups.length === 0) return { state, samples: before.samples }
  const since = (state.at ?? 0) - minutes * 60_000
  const news = samplesById(groups)
  const ids = new Set([...before.samples.keys(), ...news.keys()])
  const samples = new Map<string, readonly S[]>()
  for (const id of ids) {
    const old = before.samples.get(id) ?? []
    const fresh = news.get(id)
    const known = old.at(-1)?.at ?? 0
    // A response may repeat samples: only newer ones are added.
    const all = fresh ? [...old, ...fresh.filter(({ at }) => at > known)] : old
    const first = all.findIndex(({ at }) => at >= since)
    if (first >= 0) samples.set(id, first === 0 ? all : all.slice(first))
  }
  return { state, samples }
}

const samplesById = <S>(groups: SampleGroups<S>): Samples<S> => new Map(groups.map(({ id, samples }) => [id, samples]))
