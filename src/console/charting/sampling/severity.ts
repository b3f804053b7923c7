/** Ranks pipes by how much they need attention. */
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { assessSize } from './sizeAssessment.ts'
import { isOverloaded, computeUtilization } from './utilization.ts'

/** The window of samples behind the list of pipes, milliseconds. */
export const listWindow = 10 * 60_000

/** Whether errors were added within these samples. The counters are totals since the pipe was created. */
export function hasNewErrors(samples: readonly PipeSample[]): boolean {
  return samples.some((sample, at) => {
    const [now, before] = [sample.errors, samples[at - 1]?.errors ?? null]
    return now !== null && before !== null && now > before
  })
}

/** Whether the pipe is overloaded, computed as on its own page but over the window of the list. */
export function isPipeOverloaded(samples: readonly PipeSample[]): boolean {
  return isOverloaded(computeUtilization(samples, { window: listWindow }))
}

/** The text about a running pipe that is overloaded, with the figures; null if it is not. */
export function describeOverload(samples: readonly PipeSample[]): string | null {
  const utilization = computeUtilization(samples, { window: listWindow })
  return isOverloaded(utilization) ? assessSize(utilization, true, listWindow).sentence : null
}

const failed: readonly string[] = ['Failed', 'InternalError']

/** 0 is worst: failed, new errors, degraded, overloaded, paused, all others. */
export function severityRank(pipe: Pick<Pipe, 'state'>, samples: readonly PipeSample[]): number {
  const state = pipe.state ?? ''
  if (failed.includes(state)) return 0
  if (hasNewErrors(samples)) return 1
  if (state === 'Degraded') return 2
  if (isPipeOverloaded(samples)) return 3
  return state === 'Paused' ? 4 : 5
}
