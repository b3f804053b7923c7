import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { limitThreshold, computeUtilization } from './utilization.ts'
import { sampleAt } from '#contract/testing/metricSamples.ts'
import { assessSize } from './sizeAssessment.ts'

const minute = 60_000
const window = 30 * minute

const run = (minutes: number, fields: (minute: number) => Partial<PipeSample>) =>
  Array.from({ length: minutes + 1 }, (_, at) =>
    sampleAt(at * minute, { pace: minute, cpuLimit: 1000, memoryLimit: 1000, ...fields(at) }),
  )
const later = (samples: readonly PipeSample[], minutes: number) =>
  samples.map((sample) => ({ ...sample, at: sample.at + minutes * minute }))
const assessment = (samples: readonly PipeSample[], requestedAt?: number) =>
  assessSize(computeUtilization(samples, { window, requestedAt }), true, window)

describe('a shortage', () => {
  it('is of CPU alone if memory has headroom', () => {
    const samples = run(22, (at) => ({ cpu: 970, memory: 700, latency: 1000 + at * 500 }))
    expect(computeUtilization(samples, { window })?.cpu).toMatchObject({
      used: 970,
      limit: 1000,
      p95: 0.97,
      known: 22 * minute,
    })
    expect(assessment(samples).sentence).toBe(
      'CPU has been at its limit for 22 minutes and latency is rising; memory has headroom. Measured for 22 minutes so far.',
    )
  })

  it('is of memory, or of both', () => {
    const sentence = (fields: Partial<PipeSample>) => assessment(run(30, () => fields)).sentence
    expect(sentence({ cpu: 100, memory: 990 })).toBe('Memory has been at its limit for 30 minutes; CPU has headroom.')
    expect(sentence({ cpu: 990, memory: 990 })).toBe('CPU and memory have been at their limits for 30 minutes.')
  })

  it('names the total time if it was interrupted', () => {
    const dip = run(30, (at) => ({ cpu: at === 25 ? 100 : 960, memory: 100 }))
    expect(assessment(dip)).toMatchObject({
      tone: 'warning',
      sentence: 'CPU was at its limit for 28 of 30 minutes; memory has headroom.',
      recommendation: 'scaleUp',
    })
    const endsLow = run(30, (at) => ({ cpu: at === 30 ? 500 : 960, memory: 100 }))
    expect(assessment(endsLow).sentence).toBe('CPU was at its limit for 29 of 30 minutes; memory has headroom.')
  })

  it('continues across a missing limit or measurement', () => {
    const gap = run(30, (at) =>
      at === 20 ? { cpu: null, cpuLimit: null, memory: null, memoryLimit: null } : { cpu: 960, memory: 100 },
    ).map((pipeSample) => ({ ...pipeSample, pace: 2 * minute }))
    expect(assessment(gap).sentence).toContain('CPU has been at its limit for 30 minutes')
    expect(assessment([...gap, sampleAt(31 * minute)]).sentence).toContain('CPU has been at its limit')
  })

  it('counts only covered time, and names it', () => {
    const hidden = run(30, () => ({ cpu: 950, memory: 1 })).filter((_, at) => at < 5 || at > 24)
    expect(computeUtilization(hidden, { window })?.cpu).toMatchObject({ atLimit: 9 * minute, atLimitNow: 5 * minute })
    expect(assessment(hidden).sentence).toBe(
      'CPU was at its limit for 9 of 9 minutes; memory has headroom. Measured for 9 minutes so far.',
    )
  })

  it('is not reported while the pipe catches up with its backlog', () => {
    const after = run(30, (at) => ({ cpu: 960, memory: 920, latency: 200_000 - at * 5_000 }))
    expect(assessment(after)).toMatchObject({
      tone: 'info',
      sentence:
        'CPU and memory have been at their limits for 30 minutes, but latency is falling: the pipe is catching up with its backlog.',
      recommendation: null,
    })
  })

  it('ignores older sizes, and is not reported for a very recent size', () => {
    const before = run(10, () => ({ cpu: 990, memory: 990, latency: 90_000 }))
    const after = run(10, () => ({ cpu: 1000, cpuLimit: 2000, memory: 1000, memoryLimit: 2000, latency: 500 }))
    const utilization = computeUtilization([...before, ...later(after, 11)], { window })
    expect(utilization).toEqual({ ...computeUtilization(later(after, 11), { window }), resized: true })
    expect(assessment([...before, ...later(after, 11)]).sentence).toBe(
      'The size is sufficient: CPU 50 %, memory 50 % of the limit (p95) since the size changed.',
    )
    expect(computeUtilization([...before, ...later(after.slice(0, 3), 11)], { window })).toMatchObject({
      settling: true,
    })
    const full = run(10, () => ({ cpu: 990, latency: 90_000 }))
    expect(assessment(full, 8 * minute)).toMatchObject({ tone: 'info', recommendation: null })
    expect(assessment(full, minute).recommendation).toBe('scaleUp')
  })
})

describe('no shortage', () => {
  it('is reported with the figures of the table', () => {
    expect(assessment(run(30, () => ({ cpu: 500, memory: 400 })))).toEqual({
      tone: 'success',
      sentence: 'The size is sufficient: CPU 50 %, memory 40 % of the limit (p95) in the last 30 minutes.',
      recommendation: null,
    })
    expect(assessment(run(30, () => ({ cpu: 500, memory: null }))).sentence).toBe(
      'The size is sufficient: CPU 50 % of the limit (p95) in the last 30 minutes. Memory usage is not reported.',
    )
    expect(assessment(run(2, () => ({ cpu: 500, memory: 400 }))).sentence).toContain('in 2 minutes of samples')
    expect(assessment(run(30, () => ({ cpu: 100, memory: 90 })))).toMatchObject({
      sentence: expect.stringContaining('larger than needed: CPU 10 %'),
      recommendation: 'scaleDown',
    })
  })

  it('is not claimed if the limit is reached now', () => {
    const touches = run(30, (at) => ({ cpu: at === 30 ? 960 : 200, memory: 100 }))
    expect(assessment(touches)).toMatchObject({
      tone: 'info',
      sentence: expect.stringContaining('CPU is at its limit now, but not most of the time: CPU 20 %'),
      recommendation: null,
    })
  })

  it('points to source and destination if latency rises anyway', () => {
    const slow = run(10, (at) => ({ cpu: 500, memory: 500, latency: at * 1000 }))
    expect(assessment(slow)).toMatchObject({ tone: 'warning', sentence: expect.stringContaining('Check the source') })
  })

  it('is not doubted because of the latency before the pipe became idle', () => {
    const samples = run(10, (at) => ({ cpu: 500, memory: 500, latency: at === 10 ? null : at * 1000 }))
    expect(computeUtilization(samples, { window })?.latency).toEqual({ now: null, trend: 'steady' })
    expect(assessment(samples).tone).toBe('success')
    expect(
      computeUtilization(
        run(10, () => ({ latency: null })),
        { window },
      )?.latency,
    ).toBeNull()
  })

  it('is not claimed for an idle pipe, without usage, or if no pipe is running', () => {
    expect(assessment(run(10, () => ({ cpu: 0, memory: 10 }))).tone).toBe('info')
    expect(assessment([sampleAt(0)]).tone).toBe('info')
    expect(assessSize(null, true, window).tone).toBe('info')
    const full = computeUtilization(
      run(5, () => ({ cpu: 990, memory: 1 })),
      { window },
    )
    expect(assessSize(full, false, window).tone).toBe('info')
  })
})

it('never calls a size sufficient if the p95 is at the limit', () => {
  const share = constantFrom(null, 100, 500, 890, 900, 960, 1000)
  const one = record({ cpu: share, memory: share, wait: integer({ min: 1, max: 90 }), limited: boolean() })
  assert(
    property(array(one, { minLength: 1, maxLength: 60 }), (list) => {
      let at = 0
      const samples = list.map(({ cpu, memory, wait, limited }) => {
        at += wait * 1000
        const limits = limited ? { cpuLimit: 1000, memoryLimit: 1000 } : {}
        return sampleAt(at, { cpu, memory, ...limits })
      })
      const utilization = computeUtilization(samples, { window })
      const { tone, sentence } = assessSize(utilization, true, window)
      for (const usage of [utilization?.cpu, utilization?.memory]) {
        if (!usage) continue
        expect(usage.atLimitNow).toBeLessThanOrEqual(usage.atLimit)
        expect(usage.atLimit).toBeLessThanOrEqual(usage.known)
        if (usage.p95 >= limitThreshold) expect(tone, sentence).not.toBe('success')
      }
    }),
  )
})
