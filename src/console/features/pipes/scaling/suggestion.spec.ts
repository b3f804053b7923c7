import { assert, constantFrom, double, integer, property, record } from 'fast-check'
import { expect, it } from 'vitest'
import { pipeScalingBounds } from '#contract/cloud/bounds.ts'
import { pipeTotals, type PipeSize } from '#domain/sizing/pipePrices.ts'
import { cdcRatioProblem, pipeScalingInput } from '#contract/cloud/pipes/pipeScaling.ts'
import type { Utilization } from '#console/charting/sampling/utilization.ts'
import type { Values } from '../model/scalingParameters.ts'
import { suggestedScaling, suggestedSharedSize } from './suggestion.ts'

/** Utilization of which only the p95 matters here. */
const utilization = (cpu: number, memory = cpu): Utilization => ({
  cpu: { used: 0, limit: 1, p95: cpu, atLimit: 0, atLimitNow: 0, known: 0 },
  memory: { used: 0, limit: 1, p95: memory, atLimit: 0, atLimitNow: 0, known: 0 },
  latency: null,
  resized: false,
  settling: false,
})
const streaming = (replicas: number, replicaCpuMillicores: number, replicaMemoryGb: number) => ({
  replicas,
  replicaCpuMillicores,
  replicaMemoryGb,
})

it('is the next larger listed size, also from an unlisted one', () => {
  const up = (...size: Parameters<typeof streaming>) => suggestedScaling('scaleUp', utilization(1), streaming(...size))
  expect(up(1, 125, 0.5)).toEqual({ replicaCpuMillicores: 250, replicaMemoryGb: 1 })
  expect(up(3, 125, 1)).toEqual({ replicaCpuMillicores: 250, replicaMemoryGb: 1 })
  expect(up(3, 300, 0.5)).toEqual({ replicaCpuMillicores: 500, replicaMemoryGb: 2 })
  expect(up(3, 2000, 8)).toEqual({ replicas: 4 })
  expect(up(10, 2000, 8)).toBeNull()
})

it('is the smallest size with headroom, and never fewer replicas', () => {
  const down = (share: Utilization, ...size: Parameters<typeof streaming>) =>
    suggestedScaling('scaleDown', share, streaming(...size))
  expect(down(utilization(0.1), 2, 1000, 4)).toEqual({ replicaCpuMillicores: 250, replicaMemoryGb: 1 })
  expect(down(utilization(0.1, 0.29), 2, 1000, 4)).toEqual({ replicaCpuMillicores: 500, replicaMemoryGb: 2 })
  expect(down(utilization(0.1), 2, 125, 0.5)).toBeNull()
})

it('is null without a recommendation or a known size', () => {
  expect(suggestedScaling(null, utilization(1), streaming(1, 125, 0.5))).toBeNull()
  expect(suggestedScaling('scaleUp', utilization(1), { ...streaming(1, 125, 0.5), replicaMemoryGb: null })).toBeNull()
  expect(suggestedScaling('scaleDown', null, streaming(1, 2000, 8))).toBeNull()
})

const bounded = (field: (typeof pipeScalingBounds)[number]['field']) => {
  const { min = 0, max = 0, integer: whole = true } = pipeScalingBounds.find((bound) => bound.field === field) ?? {}
  return whole ? integer({ min, max }) : double({ min, max, noNaN: true })
}

it('is always within bounds, and costs more or less as it should', () => {
  const sizes = record({
    replicas: bounded('replicas'),
    replicaCpuMillicores: bounded('replicaCpuMillicores'),
    replicaMemoryGb: bounded('replicaMemoryGb'),
  })
  assert(
    property(
      sizes,
      constantFrom('scaleUp' as const, 'scaleDown' as const),
      double({ min: 0, max: 0.3 }),
      (size, recommendation, share) => {
        const suggested = suggestedScaling(recommendation, utilization(share), size)
        if (!suggested) return
        expect(pipeScalingInput.safeParse(suggested).success).toBe(true)
        const [before, after] = [size, { ...size, ...suggested }].map((one) => pipeTotals(one).computeUnits)
        if (recommendation === 'scaleUp') expect(after).toBeGreaterThanOrEqual(before ?? Infinity)
        else expect(after).toBeLessThan(before ?? 0)
      },
    ),
  )
})

it('keeps the ratio of the size that database pipes share', () => {
  const size = (cores: number): Values => ({ replicaCpuMillicores: cores * 1000, replicaMemoryGb: cores * 4 })
  expect(suggestedSharedSize('scaleUp', utilization(1), size(2))).toEqual(size(4))
  expect(suggestedSharedSize('scaleUp', utilization(1), size(3))).toEqual(size(4))
  expect(suggestedSharedSize('scaleUp', utilization(1), size(32))).toBeNull()
  expect(suggestedSharedSize('scaleDown', utilization(0.1), size(16))).toEqual(size(4))
  for (const recommendation of ['scaleUp', 'scaleDown'] as const) {
    const found = suggestedSharedSize(recommendation, utilization(0.2), size(8))
    expect(
      cdcRatioProblem({
        replicaCpuMillicores: found?.replicaCpuMillicores ?? 0,
        replicaMemoryGb: found?.replicaMemoryGb ?? 0,
      }),
    ).toBeNull()
  }
})

it('offers no size that the projection says is not enough', () => {
  const atLeast = (millicores: number) => (size: PipeSize) => size.replicas * size.replicaCpuMillicores >= millicores
  const up = (needed: number, ...size: Parameters<typeof streaming>) =>
    suggestedScaling('scaleUp', utilization(1), streaming(...size), atLeast(needed))
  expect(up(900, 1, 125, 0.5)).toEqual({ replicaCpuMillicores: 1000, replicaMemoryGb: 4 })
  expect(up(5000, 1, 125, 0.5)).toEqual({ replicas: 3, replicaCpuMillicores: 2000, replicaMemoryGb: 8 })
  expect(up(7000, 2, 2000, 8)).toEqual({ replicas: 4 })
  expect(up(30_000, 2, 2000, 8)).toBeNull()
  const down = (needed: number) =>
    suggestedScaling('scaleDown', utilization(0.1), streaming(2, 1000, 4), atLeast(needed))
  expect(down(900)).toEqual({ replicaCpuMillicores: 500, replicaMemoryGb: 2 })
  expect(down(1100)).toBeNull()
})
