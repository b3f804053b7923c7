/** Which pipes want to be looked at first. */
import type { Pipe } from '#contract/pipes.ts'
import type { PipeSample } from '#contract/pipeSamples.ts'
import { full, fullness } from './load.ts'

/** Whether a pipe had errors since the oldest of these samples: counters tell all since it was made. */
export function errorsRise(samples: readonly PipeSample[]): boolean {
  return samples.some((sample, at) => {
    const [now, before] = [sample.errors, samples[at - 1]?.errors ?? null]
    return now !== null && before !== null && now > before
  })
}

/** Samples in a row that make it more than a moment. */
const aWhile = 3

/** Whether a pipe has been at a limit of its size for a while. */
export function isShort(samples: readonly PipeSample[]): boolean {
  const newest = samples.slice(-aWhile)
  return newest.length === aWhile && newest.every((sample) => (fullness(sample) ?? 0) >= full)
}

const failed: readonly string[] = ['Failed', 'InternalError']

/** 0 is worst: failed, then with new errors, degraded, short of CPU or memory, halted, and all others. */
export function troubleRank(pipe: Pick<Pipe, 'state'>, samples: readonly PipeSample[]): number {
  const state = pipe.state ?? ''
  if (failed.includes(state)) return 0
  if (errorsRise(samples)) return 1
  if (state === 'Degraded') return 2
  if (isShort(samples)) return 3
  return state === 'Paused' ? 4 : 5
}
