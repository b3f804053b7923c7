import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pipeSizes, pipeTotals } from './pipePrices.ts'

describe('pipeTotals', () => {
  it.each([
    ['XS', 0.0125],
    ['S', 0.025],
    ['M', 0.05],
    ['L', 0.1],
    ['XL', 0.2],
  ])('prices one replica of %s as listed', (name, usd) => {
    const size = pipeSizes.find((pipeSize) => pipeSize.name === name)
    expect(size && pipeTotals({ ...size, replicas: 1 }).usdPerHour).toBeCloseTo(usd)
  })

  it('never gets cheaper with size', () => {
    const size = fc.record({
      replicas: fc.integer({ min: 1, max: 10 }),
      replicaCpuMillicores: fc.integer({ min: 125, max: 2000 }),
      replicaMemoryGb: fc.double({ min: 0.5, max: 8, noNaN: true }),
    })
    fc.assert(
      fc.property(size, (small) => {
        const base = pipeTotals(small).usdPerHour
        expect(pipeTotals({ ...small, replicas: small.replicas + 1 }).usdPerHour).toBeGreaterThan(base)
        expect(pipeTotals({ ...small, replicaMemoryGb: 8 }).usdPerHour).toBeGreaterThanOrEqual(base)
      }),
    )
  })
})
