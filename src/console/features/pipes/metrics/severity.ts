/** Which pipes need attention first. */
import type { Pipe } from '#contract/pipes.ts'
import type { PipeSample } from '#contract/pipeSamples.ts'
import { isOverloaded, computeUtilization } from './utilization.ts'

/** The time that the list of pipes looks back, milliseconds. */
export const listWindow = 10 * 60_000

/** Whether a pipe had errors since the oldest of these samples: counters tell all since it was made. */
export function hasNewErrors(samples: readonly PipeSample[]): boolean {
  return samples.some((sample, at) => {
    const [now, before] = [sample.errors, samples[at - 1]?.errors ?? null]
    return now !== null && before !== null && now > before
  })
}

/** The same computation as on the pipe's own page, over the list's window. */
export function isPipeOverloaded(samples: readonly PipeSample[]): boolean {
  return isOverloaded(computeUtilization(samples, { window: listWindow }))
}

const failed: readonly string[] = ['Failed', 'InternalError']

/** 0 is worst: failed, then with new errors, degraded, short of CPU or memory, paused, and all others. */
export function severityRank(pipe: Pick<Pipe, 'state'>, samples: readonly PipeSample[]): number {
  const state = pipe.state ?? ''
  if (failed.includes(state)) return 0
  if (hasNewErrors(samples)) return 1
  if (state === 'Degraded') return 2
  if (isPipeOverloaded(samples)) return 3
  return state === 'Paused' ? 4 : 5
}
