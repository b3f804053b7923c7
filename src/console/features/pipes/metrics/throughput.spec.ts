import { describe, expect, it } from 'vitest'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { sampleAt } from '#contract/testing/metricSamples.ts'
import { formatThroughput, throughputMeasure } from './throughput.ts'

describe('throughput', () => {
  const two = (fields: (at: number) => Partial<PipeSample>) => [0, 10_000].map((at) => sampleAt(at, fields(at)))

  it('is in records if they are counted, otherwise in bytes', () => {
    expect(formatThroughput(two((at) => ({ fetchedEvents: at, fetchedBytes: at })))).toBe('1k')
    expect(formatThroughput(two((at) => ({ fetchedBytes: (at / 1000) * 2 ** 20 })))).toBe('1 MiB/s')
    expect(formatThroughput(two(() => ({ errors: 1 })))).toBe('')
    expect(formatThroughput([])).toBe('')
    expect(throughputMeasure(two(() => ({})))).toBeNull()
  })
})
