import { array, assert, integer, property, uniqueArray } from 'fast-check'
import { expect, it } from 'vitest'
import type { PipeSample } from '#contract/pipeSamples.ts'
import { choose, mostOfAll, mostOfOne, withScrape, type Kept } from './kept.ts'

const blank: PipeSample = {
  at: 0,
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
}
const scrape = (at: number, ids: readonly string[]) => new Map(ids.map((id) => [id, { ...blank, at }]))

it('keeps the newest of each pipe', () => {
  let kept: Kept = new Map()
  for (let at = 1; at <= mostOfOne + 100; at++) kept = withScrape(kept, scrape(at, ['p']))
  expect(kept.get('p')).toHaveLength(mostOfOne)
  expect(kept.get('p')?.[0]?.at).toBe(101)
})

it('keeps fewer of each where there are many', () => {
  const ids = Array.from({ length: mostOfAll / 4 }, (_, at) => `p${at}`)
  let kept: Kept = new Map()
  for (let at = 1; at <= 6; at++) kept = withScrape(kept, scrape(at, ids))
  expect(kept.get('p0')?.map(({ at }) => at)).toEqual([3, 4, 5, 6])
})

it('forgets a pipe that is gone once all others are newer, and not before', () => {
  let kept = withScrape(new Map(), scrape(1, ['gone', 'p']))
  for (let at = 2; at <= mostOfOne; at++) kept = withScrape(kept, scrape(at, ['p']))
  expect(kept.has('gone')).toBe(true)
  kept = withScrape(kept, scrape(mostOfOne + 1, ['p']))
  expect(kept.has('gone')).toBe(false)
})

it('loses no sample of the range, whatever comes and goes', () => {
  const scrapes = array(uniqueArray(integer({ min: 0, max: 4 })), { maxLength: 40 })
  assert(
    property(scrapes, integer({ min: 0, max: 40 }), (list, since) => {
      let kept: Kept = new Map()
      list.forEach((ids, at) => {
        kept = withScrape(kept, scrape(at, ids.map(String)))
      })
      const present = list.at(-1) ?? []
      for (const id of present) {
        const times = list.flatMap((ids, at) => (ids.includes(id) && at >= since ? [at] : []))
        const [found] = choose(kept, String(id), since)
        expect(found?.samples.map(({ at }) => at) ?? []).toEqual(expect.arrayContaining(times.slice(-1)))
        expect(found?.samples.every(({ at }) => at >= since) ?? true).toBe(true)
      }
    }),
  )
})
