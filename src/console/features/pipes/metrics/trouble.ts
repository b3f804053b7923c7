/** Which pipes want to be looked at first. */
import type { Pipe } from '#contract/pipes.ts'
import type { PipeSample } from '#contract/pipeSamples.ts'

/** Whether a pipe had errors since the oldest of these samples: counters tell all since it was made. */
export function errorsRise(samples: readonly PipeSample[]): boolean {
  return samples.some((sample, at) => {
    const [now, before] = [sample.errors, samples[at - 1]?.errors ?? null]
    return now !== null && before !== null && now > before
  })
}

const failed: readonly string[] = ['Failed', 'InternalError']

/** 0 is worst: failed, then with new errors, degraded, halted, and all others. */
export function troubleRank(pipe: Pick<Pipe, 'state'>, samples: readonly PipeSample[]): number {
  const state = pipe.state ?? ''
  if (failed.includes(state)) return 0
  if (errorsRise(samples)) return 1
  if (state === 'Degraded') return 2
  return state === 'Paused' ? 3 : 4
}
