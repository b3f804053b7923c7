import { expect, it } from 'vitest'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import type { ServiceLoad, ServiceLoadResponse } from '#contract/console/sampling/serviceSamples.ts'
import { serviceLoad } from './useServiceLoad.ts'

const gib = 2 ** 30
const now = Date.UTC(2026, 10, 29, 15)
const hour = 3_600_000
const measured = (load: Partial<ServiceLoad> = {}): ServiceLoadResponse['load'] => ({
  since: now - 24 * hour,
  minutes: 24 * 60,
  low: 8 * gib,
  median: 10 * gib,
  p95: 12.5 * gib,
  high: 14 * gib,
  ...load,
})
const shown = (load: ServiceLoadResponse['load'], status: string | null = 'running', code?: 'unavailable') => {
  const error = code ? { code, message: '', retryable: true } : null
  return serviceLoad({ run: 'r', at: now, pace: 15_000, slowed: null, error, status, load } as ServiceLoadResponse, now) // of an error, only whether there is one counts
}

it('has what was used in GiB and in words', () => {
  expect(shown(measured())).toEqual({
    band: { low: 8, median: 10, p95: 12.5, high: 14 },
    text: `Memory of the fullest replica in the last 24 h: 8 GiB to 14 GiB, median 10 GiB, 95th percentile 12.5 GiB. Measured since ${formatMoment(now - 24 * hour)}.`,
  })
  expect(shown(measured({ low: gib, high: gib })).text).toMatch(/24 h: 1 GiB\./)
})

it('says since when it is measured, and how long if that is less', () => {
  const since = now - 3 * hour
  expect(shown(measured({ since, minutes: 175 })).text).toMatch(/Measured since [^.]*\d\.$/)
  expect(shown(measured({ since: now - 10_000, minutes: 0 })).text).toMatch(/Measured since [^,]*\.$/)
  expect(shown(measured({ since, minutes: 65 })).text).toMatch(/, 1 h 5 min of that time\.$/)
})

it.each([
  [null, undefined, 'No measurements yet.'],
  ['running', 'unavailable', 'No measurements yet: the metrics could not be read.'],
  ['running', undefined, 'No measurements: this deployment does not report the memory of its replicas.'],
  ['idle', undefined, /^No measurements in the last 24 h: the service is idle/],
] as const)('of a service that is %s (%s) has no band', (status, code, text) => {
  const { band, text: said } = shown(null, status, code)
  expect(band).toBeUndefined()
  expect(said).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
})
