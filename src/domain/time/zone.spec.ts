import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clockTime, ianaName, isZone, offsetAt, timeOfClock } from './zone.ts'

const before = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'Europe/Berlin'
})
afterEach(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

const at = (text: string) => Date.parse(`${text}Z`)
const text = (time: number) => new Date(time).toISOString().slice(0, 16)
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Havana',
  'Asia/Tokyo',
]
const anyTime = fc.integer({ min: at('2024-01-01T00:00'), max: at('2028-12-31T00:00') })

test('a named zone has the clock that a browser in it has', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), anyTime, (zone, time) => {
      process.env.TZ = zone
      expect(offsetAt(time, zone)).toBe(offsetAt(time, 'local'))
      const clock = new Date(clockTime(time, zone))
      const fields = [clock.getUTCFullYear(), clock.getUTCMonth(), clock.getUTCDate(), clock.getUTCHours()] as const
      const local = new Date(...fields, clock.getUTCMinutes(), clock.getUTCSeconds(), clock.getUTCMilliseconds())
      expect(timeOfClock(clock.getTime(), zone)).toBe(local.getTime())
      expect(timeOfClock(clock.getTime(), 'local')).toBe(local.getTime())
    }),
    { numRuns: 500 },
  )
})

test('clocks that go back show a time twice, and those that go forward skip one', () => {
  expect(text(timeOfClock(at('2026-10-25T02:30'), 'Europe/Berlin'))).toBe('2026-10-25T00:30')
  expect(clockTime(at('2026-10-25T01:30'), 'Europe/Berlin')).toBe(at('2026-10-25T02:30'))
  expect(text(timeOfClock(at('2026-03-29T02:30'), 'Europe/Berlin'))).toBe('2026-03-29T01:30')
})

test('knows names of the IANA database', () => {
  for (const name of [...zones, 'local', 'utc', 'UTC']) expect(isZone(name)).toBe(true)
  for (const name of ['', 'Mars/Olympus', '+02:00', 'Europe/Berlin; DROP', '<b>']) expect(isZone(name)).toBe(false)
  expect([ianaName('utc'), ianaName('local'), ianaName('Asia/Tokyo')]).toEqual(['UTC', 'Europe/Berlin', 'Asia/Tokyo'])
})
