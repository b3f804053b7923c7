import { afterEach, expect, test, vi } from 'vitest'
import { Sampler, type MetricsSource } from './sampler.ts'

const minute = 60_000
afterEach(() => vi.useRealTimers())

test('goes on slowly once nobody views the metrics, and reads them at once when somebody does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  let scrapes = 0
  const source: MetricsSource = {
    run: 'run',
    scrape: async () => {
      scrapes++
      return [{ at: scrapes, pace: 0, pipes: new Map(), services: new Map() }]
    },
    follow: async () => [],
    budget: () => ({ spacing: 0, left: 1 }),
  }
  const sampler = new Sampler(source, { first: minute, usual: minute, longest: 10 * minute })
  const during = async (minutes: number) => {
    const before = scrapes
    await vi.advanceTimersByTimeAsync(minutes * minute)
    return scrapes - before
  }
  await sampler.sample()
  expect(await during(5)).toBeGreaterThanOrEqual(4)
  await during(5)
  expect(await during(60)).toBe(12)
  const before = scrapes
  await sampler.sample()
  await vi.advanceTimersByTimeAsync(0)
  expect(scrapes).toBe(before + 1)
  expect(await during(4)).toBe(4)
  sampler.close()
  expect(await during(60)).toBe(0)
})
