import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { Span } from '#domain/time/span.ts'
import { formatRange } from './formatRange.ts'
import { presetRanges } from './presets.ts'
import { maxSpan, minSpan, resolveRange, shiftSpan, type TimeRange, zoomOut } from './range.ts'
import { readRange } from './readRange.ts'
import type { Clock } from './zone.ts'

const zoneBefore = process.env.TZ
afterEach(() => {
  if (zoneBefore === undefined) delete process.env.TZ
  else process.env.TZ = zoneBefore
})

/** A Friday. */
const clock: Clock = { now: Date.parse('2026-11-20T12:34:56Z'), zone: 'utc' }
const utc = (text: string) => Date.parse(`${text}Z`)

function spanOf(text: string): Span {
  const range = readRange(text, clock)
  if (!range) throw new Error(`not read: ${text}`)
  const span = resolveRange(range, clock)
  if ('problem' in span) throw new Error(span.problem)
  return span
}

const instants = fc.integer({ min: 1.1e12, max: 4e12 })
const spans = fc
  .tuple(instants, fc.integer({ min: minSpan, max: maxSpan }))
  .map(([from, length]) => ({ from, to: from + length }))
const relativeEnds = fc
  .tuple(
    fc.integer({ min: 1, max: 999 }),
    fc.constantFrom('s', 'm', 'h', 'd', 'w', 'M', 'y'),
    fc.constantFrom('', '/h', '/d', '/w', '/M'),
  )
  .map(([amount, unit, round]) => `now-${amount}${unit}${round}`)
const ranges: fc.Arbitrary<TimeRange> = fc.oneof(
  spans.map(({ from, to }) => ({ from: String(from), to: String(to) })),
  fc.record({ from: relativeEnds, to: fc.oneof(relativeEnds, fc.constantFrom('now', 'now/d')) }),
  fc.record({ from: instants.map(String), to: fc.constantFrom('now', 'now/d') }),
  fc.constantFrom(...presetRanges),
)

describe('text', () => {
  test('every range parses from its text', () => {
    fc.assert(
      fc.property(ranges, (range) => {
        expect(readRange(formatRange(range, 'utc'), clock)).toEqual(range)
      }),
      { numRuns: 1000 },
    )
  })

  test('any text is a range or none, never an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => void readRange(text, clock)))
  })

  test.each([
    ['last 3 days', 'now-3d', 'now'],
    ['past hour', 'now-1h', 'now'],
    ['15m', 'now-15m', 'now'],
    ['2 weeks', 'now-2w', 'now'],
    ['3M', 'now-3M', 'now'],
    ['now-6h to now-1h', 'now-6h', 'now-1h'],
    ['now-6h .. now-1h', 'now-6h', 'now-1h'],
    ['1763000000000 to 1763000500000', '1763000000000', '1763000500000'],
    ['yesterday', 'now-1d/d', 'now-1d/d'],
  ])('%s', (text, from, to) => expect(readRange(text, clock)).toEqual({ from, to }))

  test.each([
    ['yesterday 9 to 17', '2026-11-19T09:00', '2026-11-19T17:00'],
    ['yesterday 9am to 5pm', '2026-11-19T09:00', '2026-11-19T17:00'],
    ['2026-11-18 10:00 to 12:00', '2026-11-18T10:00', '2026-11-18T12:00'],
    ['2026-11-18 to 2026-11-19', '2026-11-18T00:00', '2026-11-20T00:00'],
    ['2026-11-18', '2026-11-18T00:00', '2026-11-19T00:00'],
    ['2026-11-18T10:00:00+02:00/2026-11-18T12:00:00+02:00', '2026-11-18T08:00', '2026-11-18T10:00'],
    ['last monday', '2026-11-16T00:00', '2026-11-17T00:00'],
    ['monday to wednesday', '2026-11-16T00:00', '2026-11-19T00:00'],
    ['18 nov', '2026-11-18T00:00', '2026-11-19T00:00'],
    ['24 dec', '2025-12-24T00:00', '2025-12-25T00:00'],
    ['october 2026', '2026-10-01T00:00', '2026-11-01T00:00'],
    ['since last monday', '2026-11-16T00:00', '2026-11-20T12:34:56'],
    ['10:00', '2026-11-20T10:00', '2026-11-20T12:34:56'],
    ['18:00', '2026-11-19T18:00', '2026-11-20T12:34:56'],
    ['18:00 to 19:00', '2026-11-19T18:00', '2026-11-19T19:00'],
    ['2 hours ago', '2026-11-20T10:34:56', '2026-11-20T12:34:56'],
  ])('%s', (text, from, to) => expect(spanOf(text)).toEqual({ from: utc(from), to: utc(to) }))

  test.each(['Pacific/Kiritimati', 'Pacific/Chatham', 'America/St_Johns', 'Pacific/Pago_Pago'])(
    'weekdays are those of the chosen zone on a machine in %s',
    (zone) => {
      process.env.TZ = zone
      expect(spanOf('monday to wednesday')).toEqual({ from: utc('2026-11-16T00:00'), to: utc('2026-11-19T00:00') })
      for (const time of ['00:30', '12:00', '23:30']) {
        const expected = { from: utc(`2026-11-16T${time}`), to: utc(`2026-11-18T${time}`) }
        expect(spanOf(`monday ${time} to wednesday ${time}`), time).toEqual(expected)
      }
      expect(spanOf('last monday')).toEqual({ from: utc('2026-11-16T00:00'), to: utc('2026-11-17T00:00') })
    },
  )

  test.each(['', 'banana', 'last banana', 'hour', 'yesterday and the day of reckoning'])('%j is no range', (text) =>
    expect(readRange(text, clock)).toBeNull(),
  )
})

describe('range', () => {
  test('rounds the start down and the end up', () => {
    expect(resolveRange({ from: 'now-1d/d', to: 'now-1d/d' }, clock)).toEqual({
      from: utc('2026-11-19T00:00'),
      to: utc('2026-11-20T00:00'),
    })
    expect(resolveRange({ from: 'now/w', to: 'now/w' }, clock)).toEqual({
      from: utc('2026-11-16T00:00'),
      to: utc('2026-11-23T00:00'),
    })
  })

  test.each([
    ['now', 'now-1h'],
    ['now-11y', 'now'],
    ['now-1x', 'now'],
    ['', ''],
    ['1763000000000', '1763000000500'],
  ])('%s to %s is rejected with a reason', (from, to) =>
    expect(resolveRange({ from, to }, clock)).toEqual({ problem: expect.any(String) }),
  )

  test('zooming out keeps the previous range, within the limits', () => {
    fc.assert(
      fc.property(spans, (span) => {
        const wider = zoomOut(span, span.to)
        expect(wider.to - wider.from).toBeLessThanOrEqual(maxSpan)
        expect(wider.to).toBe(span.to)
        expect(wider.from).toBeLessThanOrEqual(span.from)
      }),
    )
  })

  test('shifting forth and back changes nothing', () => {
    fc.assert(
      fc.property(spans, (span) => {
        expect(shiftSpan(shiftSpan(span, -1), 1)).toEqual(span)
      }),
    )
  })
})

describe('in a zone whose clocks change', () => {
  const zone = 'Europe/Berlin'
  const at = (text: string) => Date.parse(`${text}Z`)
  const changes = [at('2026-03-29T01:00'), at('2026-10-25T01:00')]
  const nearChange = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -4 * 3_600_000, max: 4 * 3_600_000 }))
    .map(([change, by]) => change + by)

  test('a range is read back as it was written, also in the hour that is repeated', () => {
    fc.assert(
      fc.property(nearChange, nearChange, (a, b) => {
        fc.pre(a !== b)
        const range = { from: String(Math.min(a, b)), to: String(Math.max(a, b)) }
        expect(readRange(formatRange(range, zone), { now: at('2026-11-20T12:00'), zone })).toEqual(range)
      }),
      { numRuns: 500 },
    )
    const twice = { from: String(at('2026-10-25T00:30')), to: String(at('2026-10-25T01:30')) }
    expect(formatRange(twice, zone)).toBe('2026-10-25 02:30 to 2026-10-25 02:30+01:00')
  })

  test.each([
    ['2026-10-26T12:00', 25],
    ['2026-03-30T12:00', 23],
    ['2026-07-01T12:00', 24],
  ])('yesterday at %s has %i hours', (now, hours) => {
    for (const range of [{ from: 'now-1d/d', to: 'now-1d/d' }, readRange('yesterday', { now: at(now), zone })]) {
      const span = resolveRange(range!, { now: at(now), zone })
      expect('problem' in span ? span.problem : (span.to - span.from) / 3_600_000).toBe(hours)
    }
  })

  test('a time of an earlier day is by the clock of that day', () => {
    const read = readRange('yesterday 9 to 17', { now: at('2026-10-26T12:00'), zone })
    const spring = readRange('2026-03-26 09:00 to 17:00', { now: at('2026-04-10T12:00'), zone })
    const ends = (range: TimeRange | null) =>
      range && [range.from, range.to].map((end) => new Date(Number(end)).toISOString())
    expect(ends(read)).toEqual(['2026-10-25T08:00:00.000Z', '2026-10-25T16:00:00.000Z'])
    expect(ends(spring)).toEqual(['2026-03-26T08:00:00.000Z', '2026-03-26T16:00:00.000Z'])
  })
})
