/** Samples for the tests of this folder. */
import type { PipeSample } from '#contract/pipeSamples.ts'

/** A sample of that time (epoch milliseconds) that reports what is given, and nothing else. */
export function sampleAt(at: number, fields: Partial<PipeSample> = {}): PipeSample {
  return {
    at,
    pace: 15_000,
    fetchedEvents: null,
    sentEvents: null,
    fetchedBytes: null,
    errors: null,
    latency: null,
    sourceLag: null,
    cpu: null,
    cpuLimit: null,
    memory: null,
    memoryLimit: null,
    ...fields,
  }
}
