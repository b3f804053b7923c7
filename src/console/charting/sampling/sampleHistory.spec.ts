import { array, assert, boolean, integer, property, tuple, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PipeSample, PipeSamples } from '#contract/console/sampling/pipeSamples.ts'
import { mergeSamples, type History } from './sampleHistory.ts'
import { sampleAt } from '#contract/testing/metricSamples.ts'

const answer = (at: number | null, pipes: Record<string, number[]>, run = 'one'): PipeSamples => ({
  run,
  pipes: Object.entries(pipes).map(([id, times]) => ({ id, samples: times.map((time) => sampleAt(time)) })),
  at,
  pace: 15_000,
  slowed: null,
  error: null,
})
const merged = (before: History<PipeSample> | undefined, { pipes, ...state }: PipeSamples, minutes: number) =>
  mergeSamples(before, state, pipes, minutes)
const times = (history: History<PipeSample> | undefined, id: string) =>
  (history?.samples.get(id) ?? []).map(({ at }) => at)

describe('a history', () => {
  it('does not depend on how the samples were split into responses', () => {
    const scrapes = array(tuple(uniqueArray(integer({ min: 0, max: 3 })), boolean()), { minLength: 1, maxLength: 40 })
    assert(
      property(scrapes, (list) => {
        let history: History<PipeSample> | undefined
        let after = 0
        list.forEach(([, asks], index) => {
          if (!asks && index < list.length - 1) return
          const at = index + 1
          const news: Record<string, number[]> = {}
          for (let time = after + 1; time <= at; time++)
            for (const id of list[time - 1]?.[0] ?? []) (news[`p${id}`] ??= []).push(time)
          history = merged(history, answer(at, news), 60)
          after = at
        })
        for (const id of [0, 1, 2, 3])
          expect(times(history, `p${id}`)).toEqual(list.flatMap(([ids], at) => (ids.includes(id) ? [at + 1] : [])))
      }),
    )
  })

  it('adds no sample twice, and returns the same map without new samples', () => {
    const first = merged(undefined, answer(2, { p: [1, 2] }), 60)
    const again = merged(first, answer(3, { p: [2, 3] }), 60)
    expect(times(again, 'p')).toEqual([1, 2, 3])
    expect(merged(again, answer(3, {}), 60).samples).toBe(again.samples)
  })

  it('starts over with another run', () => {
    const first = merged(undefined, answer(2, { p: [1, 2], gone: [1] }), 60)
    const second = merged(first, answer(5, { p: [5] }, 'two'), 60)
    expect([times(second, 'p'), times(second, 'gone')]).toEqual([[5], []])
  })

  it('is limited to the requested minutes', () => {
    const first = merged(undefined, answer(100, { p: [1, 100], old: [1] }), 1)
    const later = merged(first, answer(60_050, { p: [60_050] }), 1)
    expect([times(later, 'p'), times(later, 'old')]).toEqual([[100, 60_050], []])
  })
})
