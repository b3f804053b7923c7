import { assert, constantFrom, double, integer, property, record, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { cdcScalingBounds, pipeScalingBounds } from '#contract/cloud/bounds.ts'
import { pipeSizes, pipeTotals, type PipeSize } from '#domain/sizing/pipePrices.ts'
import { pipeScalingInput } from '#contract/cloud/pipes/pipeScaling.ts'
import { replicaScalingInput } from '#contract/cloud/services/services.ts'
import type { MeasuredLoad, UsedResource } from '#contract/console/sampling/sizeLoads.ts'
import { certaintyOf, highestShare, minHours, shortShare } from './advice.ts'
import { measuredLoad, type LoadHour } from './measuredLoad.ts'
import { advisePipeSize, type PipeSizing } from './pipeSize.ts'
import { adviseServiceSize, ownAccountSizes, serviceSizes } from './serviceSize.ts'

const gib = 2 ** 30
const sizes = pipeSizes.map(({ replicaCpuMillicores, replicaMemoryGb }) => ({ replicaCpuMillicores, replicaMemoryGb }))
const maxReplicas = Math.max(...pipeScalingBounds.flatMap(({ field, max }) => (field === 'replicas' ? [max] : [])))
const used = (peak: number, limit: number | null = null, p95 = peak): UsedResource => ({
  limit,
  p95,
  peak,
  quietestDay: null,
})
/** A load by the shares of the limits of a size. */
const loadOf = (now: PipeSize, cpu: number, memory: number, hours = 100, p95 = cpu): MeasuredLoad => ({
  since: 0,
  hours,
  cpu: used(cpu * now.replicaCpuMillicores, now.replicaCpuMillicores, p95 * now.replicaCpuMillicores),
  memory: used(memory * now.replicaMemoryGb * gib, now.replicaMemoryGb * gib),
})
const size = (replicas: number, replicaCpuMillicores: number, replicaMemoryGb: number) => ({
  replicas,
  replicaCpuMillicores,
  replicaMemoryGb,
})
const advise = (now: PipeSize, cpu: number, memory: number, more: Partial<PipeSizing> = {}) =>
  advisePipeSize({ now, load: loadOf(now, cpu, memory), sizes, maxReplicas, ...more })

test('a pipe gets the smallest listed size that has headroom at its peak', () => {
  expect(advise(size(2, 2000, 8), 0.1, 0.1)).toMatchObject({ kind: 'smaller', size: size(2, 500, 2) })
  expect(advise(size(2, 2000, 8), 0.01, 0.3)).toMatchObject({ kind: 'smaller', size: size(2, 1000, 4) })
  expect(advise(size(2, 250, 1), 0.6, 0.6)).toMatchObject({ kind: 'keep', isShort: false })
  expect(advise(size(2, 250, 1), 0.95, 0.2)).toMatchObject({ kind: 'larger', size: size(2, 500, 2), isEnough: true })
  expect(advise(size(1, 250, 1), 0.2, 0.95)).toMatchObject({ kind: 'larger', size: size(1, 500, 2) })
  expect(advise(size(1, 125, 0.5), 0.1, 0.1)).toMatchObject({ kind: 'keep', isShort: false })
})

test('a pipe at its largest size gets more replicas for CPU, and keeps its size where only memory is short', () => {
  expect(advise(size(2, 2000, 8), 1, 0.2)).toMatchObject({ kind: 'larger', size: size(3, 2000, 8), isEnough: true })
  expect(advise(size(2, 2000, 8), 0.2, 1)).toMatchObject({ kind: 'keep', isShort: true })
  expect(advise(size(10, 2000, 8), 1, 0.2)).toMatchObject({ kind: 'keep', isShort: true })
  expect(advise(size(9, 2000, 8), 1, 0.2)).toMatchObject({ kind: 'larger', size: size(10, 2000, 8), isEnough: false })
})

test('what the source sends counts, although less is written', () => {
  const now = size(1, 250, 1)
  expect(advise(now, 0.95, 0.2, { demand: 1300 })).toMatchObject({ kind: 'larger', size: size(1, 2000, 8) })
  expect(advise(size(1, 1000, 4), 0.1, 0.1, { demand: 600 })).toMatchObject({ kind: 'keep' })
})

test('nothing is advised from too few hours, but a shortage shows sooner', () => {
  const now = size(1, 1000, 4)
  const hours = (measured: number, cpu: number) =>
    advisePipeSize({ now, load: loadOf(now, cpu, 0.1, measured), sizes, maxReplicas })
  expect(advisePipeSize({ now, load: null, sizes, maxReplicas })).toEqual({
    kind: 'unknown',
    missing: 'hours',
    needed: minHours.larger,
  })
  expect(hours(0.9, 1)).toMatchObject({ kind: 'unknown', needed: minHours.larger })
  expect(hours(1, 1)).toMatchObject({ kind: 'larger' })
  expect(hours(23.9, 0.1)).toMatchObject({ kind: 'unknown', needed: minHours.smaller })
  expect(hours(24, 0.1)).toMatchObject({ kind: 'smaller' })
  const load = { ...loadOf(now, 0.1, 0.1), memory: null }
  expect(advisePipeSize({ now, load, sizes, maxReplicas })).toMatchObject({ kind: 'unknown', missing: 'memory' })
})

const listed = tuple(integer({ min: 1, max: maxReplicas }), constantFrom(...sizes)).map(([replicas, one]) => ({
  replicas,
  ...one,
}))
const share = double({ min: 0, max: 1, noNaN: true })

test('an advised pipe size is within the bounds and never below what was measured with headroom', () => {
  assert(
    property(listed, share, share, double({ min: 0, max: 30_000, noNaN: true }), (now, cpu, memory, demand) => {
      const advice = advise(now, cpu, memory, { demand })
      if (advice.kind !== 'smaller' && advice.kind !== 'larger') return
      const { size: then } = advice
      expect(pipeScalingInput.safeParse(then).success).toBe(true)
      const cpuNeed = Math.max(cpu * now.replicaCpuMillicores * now.replicas, demand)
      const isFit =
        cpuNeed <= highestShare * then.replicas * then.replicaCpuMillicores &&
        memory * now.replicaMemoryGb <= highestShare * then.replicaMemoryGb
      expect(advice.isEnough).toBe(isFit)
      if (advice.kind === 'smaller') expect(isFit).toBe(true)
      const more = pipeTotals(then).computeUnits - pipeTotals(now).computeUnits
      expect(Math.sign(more)).toBe(advice.kind === 'larger' ? 1 : -1)
      expect(then.replicas).toBeGreaterThanOrEqual(now.replicas)
    }),
  )
})

test('more load never leads to a smaller pipe size', () => {
  assert(
    property(listed, share, share, share, share, (now, cpu, memory, moreCpu, moreMemory) => {
      const unitsAt = (ofCpu: number, ofMemory: number) => {
        const advice = advise(now, ofCpu, ofMemory)
        return pipeTotals('size' in advice ? advice.size : now).computeUnits
      }
      const heavier = unitsAt(Math.min(1, cpu + moreCpu), Math.min(1, memory + moreMemory))
      expect(heavier).toBeGreaterThanOrEqual(unitsAt(cpu, memory))
    }),
  )
})

test('the shared size of database pipes keeps four GiB per core', () => {
  const [{ min, max, step }] = cdcScalingBounds
  const shared = Array.from({ length: (max - min) / step + 1 }, (_, at) => {
    const replicaCpuMillicores = min + at * step
    return { replicaCpuMillicores, replicaMemoryGb: replicaCpuMillicores / 250 }
  })
  const now = size(1, 8000, 32)
  const advice = advisePipeSize({ now, load: loadOf(now, 0.3, 0.2), sizes: shared, maxReplicas: 1 })
  expect(advice).toMatchObject({ kind: 'smaller', size: size(1, 4000, 16) })
})

const memoryLoad = (peakGib: number, hours = 100): MeasuredLoad => ({
  since: 0,
  hours,
  cpu: null,
  memory: used(peakGib * gib),
})
const ofService = (min: number, max: number, peakGib: number, hours?: number) =>
  adviseServiceSize({ now: { min, max }, load: memoryLoad(peakGib, hours), sizes: serviceSizes })

test('a service gets the memory that has headroom at its peak; a fixed size stays fixed', () => {
  expect(ofService(16, 64, 20)).toMatchObject({ kind: 'smaller', size: { min: 16, max: 32 } })
  expect(ofService(64, 64, 20)).toMatchObject({ kind: 'smaller', size: { min: 32, max: 32 } })
  expect(ofService(48, 64, 20)).toMatchObject({ kind: 'smaller', size: { min: 32, max: 32 } })
  expect(ofService(16, 32, 20)).toMatchObject({ kind: 'keep', isShort: false })
  expect(ofService(16, 32, 31)).toMatchObject({ kind: 'larger', size: { min: 16, max: 48 }, isEnough: true })
  expect(ofService(356, 356, 350)).toMatchObject({ kind: 'keep', isShort: true })
  expect(ofService(64, 64, 20, 5)).toMatchObject({ kind: 'unknown', needed: minHours.smaller })
  const own = adviseServiceSize({ now: { min: 116, max: 116 }, load: memoryLoad(30), sizes: ownAccountSizes })
  expect(own).toMatchObject({ kind: 'smaller', size: { min: 48, max: 48 } })
})

test('an advised memory is within the bounds, in steps of four, with headroom, and grows with the load', () => {
  const span = tuple(constantFrom(...serviceSizes), constantFrom(...serviceSizes)).map(([a, b]) => ({
    min: Math.min(a, b),
    max: Math.max(a, b),
  }))
  const peaks = record({
    peak: double({ min: 0, max: 356, noNaN: true }),
    more: double({ min: 0, max: 50, noNaN: true }),
  })
  assert(
    property(span, peaks, (now, { peak, more }) => {
      const at = (gibs: number) => ofService(now.min, now.max, Math.min(gibs, now.max))
      const advice = at(peak)
      const sizeOf = (given: typeof advice) => ('size' in given ? given.size : now)
      const { min, max } = sizeOf(advice)
      expect(min).toBeLessThanOrEqual(max)
      const sent = replicaScalingInput.safeParse({ minReplicaMemoryGb: min, maxReplicaMemoryGb: max })
      expect(sent.error).toBeUndefined()
      if ('size' in advice && advice.isEnough) expect(Math.min(peak, now.max)).toBeLessThanOrEqual(highestShare * max)
      expect(sizeOf(at(peak + more)).max).toBeGreaterThanOrEqual(max)
    }),
  )
})

const hourOf = (hour: number, more: Partial<LoadHour> = {}): LoadHour => ({
  at: hour * 3_600_000,
  lastAt: hour * 3_600_000 + 3_500_000,
  seconds: 3600,
  cpuLimit: 1000,
  memoryLimit: 4 * gib,
  cpuHigh: 100,
  memoryHigh: gib,
  ...more,
})

test('the load is that of the present size, with the peaks of its days', () => {
  expect(measuredLoad([])).toBeNull()
  const days = Array.from({ length: 48 }, (_, hour) => hourOf(hour, { cpuHigh: hour < 24 ? 200 + hour : 500 + hour }))
  expect(measuredLoad(days)).toMatchObject({ hours: 48, since: 0, cpu: { limit: 1000, peak: 547, quietestDay: 223 } })
  const resized = [...days, hourOf(47, { cpuLimit: 500, seconds: 600, lastAt: 48 * 3_600_000 - 1, cpuHigh: 90 })]
  expect(measuredLoad(resized)).toMatchObject({ hours: 0.2, cpu: { limit: 500, peak: 90, quietestDay: null } })
  // A limit that is not reported for an hour is no change.
  const quiet = [...days, hourOf(48, { cpuLimit: null, memoryLimit: null })]
  expect(measuredLoad(quiet)).toMatchObject({ hours: 49, cpu: { limit: 1000 } })
  // Hours that two consoles measured count once.
  expect(measuredLoad([hourOf(1, { seconds: 7000 })])).toMatchObject({ hours: 1 })
})

test('few hours, and a use that its limit cut off, are less certain', () => {
  expect(certaintyOf({ hours: 5 }, false)).toBe('low')
  expect(certaintyOf({ hours: 30 }, false)).toBe('fair')
  expect(certaintyOf({ hours: 100 }, false)).toBe('high')
  expect(certaintyOf({ hours: 100 }, true)).toBe('low')
  expect(shortShare).toBeGreaterThan(highestShare)
})
