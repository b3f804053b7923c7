import { array, assert, boolean, integer, property, record, uniqueArray } from 'fast-check'
import { expect, it } from 'vitest'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { sampleAt } from '#contract/testing/metricSamples.ts'
import {
  selectSamples,
  retention,
  maxSamples,
  maxSamplesPerPipe,
  withScrape,
  type RetainedSamples,
} from './retainedSamples.ts'

/** The retained samples after a scrape of these pipes. */
const after = (kept: RetainedSamples<PipeSample>, at: number, ids: readonly string[]) =>
  withScrape(kept, new Map(ids.map((id) => [id, sampleAt(at)])), at)

it('keeps the newest samples of each pipe', () => {
  let kept: RetainedSamples<PipeSample> = new Map()
  for (let at = 1; at <= maxSamplesPerPipe + 100; at++) kept = after(kept, at, ['p'])
  expect(kept.get('p')).toHaveLength(maxSamplesPerPipe)
  expect(kept.get('p')?.[0]?.at).toBe(101)
})

it('keeps fewer samples of each pipe if there are many', () => {
  const ids = Array.from({ length: maxSamples / 4 }, (_, at) => `p${at}`)
  let kept: RetainedSamples<PipeSample> = new Map()
  for (let at = 1; at <= 6; at++) kept = after(kept, at, ids)
  expect(kept.get('p0')?.map(({ at }) => at)).toEqual([3, 4, 5, 6])
})

it('keeps the samples of a pipe that a scrape lacks until they are too old', () => {
  let kept = after(new Map(), 1, ['idle', 'p'])
  kept = after(kept, 2, [])
  kept = after(kept, retention, ['new'])
  expect([...kept.keys()].toSorted()).toEqual(['idle', 'new', 'p'])
  kept = after(kept, retention + 1, ['p'])
  expect([...kept].map(([id, samples]) => [id, samples.map(({ at }) => at)])).toEqual([
    ['new', [retention]],
    ['p', [retention + 1]],
  ])
})

it('never exceeds its limits and drops old samples', () => {
  const steps = array(
    record({ wait: integer({ min: 1, max: retention }), ids: uniqueArray(integer({ min: 0, max: 9 })) }),
  )
  assert(
    property(steps, (list) => {
      let kept: RetainedSamples<PipeSample> = new Map()
      let at = 0
      for (const { wait, ids } of list) {
        at += wait
        kept = after(kept, at, ids.map(String))
        for (const id of ids) expect(kept.get(String(id))?.at(-1)?.at).toBe(at)
        for (const samples of kept.values()) {
          expect(samples.length).toBeGreaterThan(0)
          expect(samples.every((sample) => sample.at > at - retention)).toBe(true)
        }
      }
    }),
  )
})

it('returns each sample exactly once, however often it is requested', () => {
  const scrapes = array(uniqueArray(integer({ min: 0, max: 4 })), { maxLength: 40 })
  assert(
    property(scrapes, array(boolean(), { minLength: 40, maxLength: 40 }), (list, asks) => {
      let kept: RetainedSamples<PipeSample> = new Map()
      let known = 0
      const reported = new Map<string, number[]>()
      const ask = (upTo: number) => {
        for (const { id, samples } of selectSamples(kept, undefined, known))
          reported.set(id, [...(reported.get(id) ?? []), ...samples.map(({ at }) => at)])
        known = upTo
      }
      list.forEach((ids, at) => {
        kept = after(kept, at + 1, ids.map(String))
        if (asks[at]) ask(at + 1)
      })
      ask(list.length)
      for (const id of [0, 1, 2, 3, 4].map(String)) {
        const times = list.flatMap((ids, at) => (ids.map(String).includes(id) ? [at + 1] : []))
        expect(reported.get(id) ?? []).toEqual(times)
      }
    }),
  )
})

it('returns the requested pipes that have new samples', () => {
  const kept = after(after(new Map(), 1, ['a', 'b', 'c']), 2, ['a', 'b'])
  expect(selectSamples(kept, ['a', 'c', 'none'], 1).map(({ id }) => id)).toEqual(['a'])
  expect(selectSamples(kept, undefined, 2)).toEqual([])
})
