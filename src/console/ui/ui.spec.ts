import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { claimant } from './form/applyFieldErrors.ts'
import { formatDatedMoment } from './time/formatTime.ts'
import { formatInstant } from './time/formatRangeTime.ts'
import { readNumber } from './form/fields/readNumber.ts'
import { maskAddress } from './maskAddress.ts'
import { formatTimeAgo } from './time/formatTime.ts'

test('shows a URL without parts that may be secret', () => {
  expect(maskAddress('https://hooks.example.com/services/T0/B0/s3cret')).toBe('https://hooks.example.com/services/•••')
  expect(maskAddress('https://user:pw@host:9/x/y?token=s3cret#f')).toBe('https://host:9/x/•••')
  expect(maskAddress('https://host/s3cret')).toBe('https://host/•••')
  expect(maskAddress('https://host')).toBe('https://host')
  expect(maskAddress('s3cret')).toBe('•••')
})

test('no mask reveals the end of a URL', () => {
  const steps = fc.array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { maxLength: 4 })
  fc.assert(
    fc.property(steps, fc.constantFrom('/', '?token=', '#', '/x?a=b&key='), (path, before) => {
      expect(maskAddress(`https://${['host', ...path].join('/')}${before}9s3cret`)).not.toContain('9s3cret')
    }),
  )
})

test('reads numbers as typed, and rejects anything else', () => {
  expect(['', ' ', '5', '-1.5', '.5', '1e3', '1,5', 'abc', '0x10', '1 2'].map(readNumber)).toEqual([
    null,
    null,
    5,
    -1.5,
    0.5,
    1000,
    Number.NaN,
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ])
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(readNumber(String(number))).toBe(number === 0 && Object.is(number, -0) ? 0 : number)
    }),
  )
})

test('shows a time to the minute in the time zone of the browser', () => {
  const min = new Date('1970-01-02T00:00:00Z')
  const max = new Date('2999-12-30T00:00:00Z')
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
      date.setSeconds(0, 0)
      expect(new Date(formatInstant(date.getTime(), 'local')).toISOString()).toBe(date.toISOString())
    }),
  )
  expect([formatDatedMoment(''), formatDatedMoment('nonsense')]).toEqual(['', ''])
})

test('assigns a server error to the field of its path, or to the nearest parent', () => {
  const fields = ['name', 'channels', 'channels.0.webhookId'] as const
  expect(claimant('channels.0.webhookId', fields)).toBe('channels.0.webhookId')
  expect(claimant('channels.1.webhookId', fields)).toBe('channels')
  expect(claimant('names', fields)).toBeUndefined()
})

test('relative times', () => {
  const now = Date.parse('2026-01-10T12:00:00Z')
  expect(formatTimeAgo(now - 3 * 60_000, now)).toBe('3 min ago')
  expect(formatTimeAgo(now - 26 * 3_600_000, now)).toBe('yesterday')
  expect(formatTimeAgo(now + 2 * 3_600_000, now)).toBe('in 2 hr')
  const day = 24 * 3_600_000
  expect(formatTimeAgo(now + day, now)).toBe('tomorrow')
  expect(formatTimeAgo(now + 45 * day, now)).toBe('in 45 days')
  expect(formatTimeAgo(now + 89 * day, now)).toBe('in 3 mo')
  expect(formatTimeAgo(now - 400 * day, now)).toBe('13 mo ago')
  expect(formatTimeAgo(now, now)).toBe('now')
})
