/** Merges the gateway's incremental responses into one history. */
import type { PipeSample, PipeSamples } from '#contract/pipeSamples.ts'

export type Samples = ReadonlyMap<string, readonly PipeSample[]>

export interface History {
  /** The latest response. */
  state: Omit<PipeSamples, 'pipes'>
  /** Samples by pipe ID, oldest first. */
  samples: Samples
}

/** Adds a response to the history. A new run replaces it. Without new samples, the same map is returned. */
export function mergeSamples(before: History | undefined, { pipes, ...state }: PipeSamples, minutes: number): History {
  if (!before || before.state.run !== state.run) return { state, samples: samplesById(pipes) }
  if (pipes.length === 0) return { state, samples: before.samples }
  const since = (state.at ?? 0) - minutes * 60_000
  const news = samplesById(pipes)
  const ids = new Set([...before.samples.keys(), ...news.keys()])
  const samples = new Map<string, readonly PipeSample[]>()
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

const samplesById = (pipes: PipeSamples['pipes']): Samples => new Map(pipes.map(({ id, samples }) => [id, samples]))
