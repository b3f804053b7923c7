/** Samples of a pipe's metrics for tests. */
import type { PipeSample } from '../console/sampling/pipeSamples.ts'

/** A sample at a time (epoch milliseconds) with the given fields; all others are null. */
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
