/** Polls the samples that the gateway keeps for the pipes of a connection. */
import { useSamples, type Sampling } from '#console/charting/sampling/useSamples.ts'
import type { Connection } from '#contract/console/connections.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import type { PipeSample, PipeSamples } from '#contract/console/sampling/pipeSamples.ts'

interface Range {
  /** Pipe IDs. All pipes if omitted. */
  pipes?: readonly string[]
  minutes: number
}

export type PipeSampling = Sampling<PipeSample>

/** Keeps the gateway sampling while the page is visible. */
export function usePipeSamples(connection: Connection, { pipes, minutes }: Range): PipeSampling {
  return useSamples(connection, {
    path: pagePaths.pipeSamples,
    query: pipes === undefined ? {} : pipes.length === 0 ? null : { pipes: pipes.join(',') },
    minutes,
    groupsOf: (response: PipeSamples) => response.pipes,
  })
}
