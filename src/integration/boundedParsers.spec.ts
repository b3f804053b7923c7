/** Parsers of telemetry, intervals and times answer any text: what they make is no larger than it, and their time grows with it. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { intervalMinutes } from '#contract/stack/alerts.ts'
import { granularitySeconds } from '#contract/stack/charts.ts'
import { parseExposition } from '#domain/exposition.ts'
import { parseJson } from '#contract/wire/json.ts'
import { growsFaster } from '#node/testing/timeGrowth.ts'
import { LimitExceeded } from '#stack/collector/otlp/decodeLimits.ts'
import { MalformedJson } from '#stack/collector/otlp/jsonScanner.ts'
import { wireFromJson } from '#stack/collector/otlp/otlpJson.ts'
import { timeProblem } from '#stack/pipes/values/timeProblem.ts'

const column = (name: string, ...args: string[]) => ({ text: name, name, parts: [], args })

/** The wire format; null for what is refused with a sentence. */
function otlp(text: string): Buffer | null {
  try {
    return wireFromJson('ExportLogsRequest', text)
  } catch (error) {
    if (error instanceof MalformedJson || error instanceof LimitExceeded) return null
    throw error
  }
}

function json(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null
    throw error
  }
}

function exposition(text: string): unknown {
  try {
    return parseExposition(text)
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}

const parsers: Record<string, (text: string) => unknown> = {
  'OTLP JSON': otlp,
  JSON: json,
  'metrics in text': exposition,
  'an interval': intervalMinutes,
  'a granularity': (text) => granularitySeconds(text, 0, 1),
  'a time of a record': (text) => timeProblem(column('DateTime64', '9'), 'text', text),
  'a date of a record': (text) => timeProblem(column('Date32'), 'text', text),
}

/** Parts of the languages of all parsers. */
const parts = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\\u0000',
  '\\ud800',
  'null',
  '-',
  '1',
  '9',
  '.',
  'e',
  '+',
  ' ',
  '\n',
  '\u0000',
  'é',

  '{"resourceLogs":[',
  '"resourceLogs"',
  '{"scopeLogs":[',
  '{"logRecords":[{',
  '"body":{"kvlistValue":{"values":[',
  '"arrayValue":',

  'timeUnixNano',
  '"1700000000000000000"',
  '{"a":',
  'a{b="',
  '="',
  '# TYPE ',
  'm',
  'h',
  'd',
  'now-',
  '/d',
  ' to ',
  '2026-',
  '-11',
  'T12:',
  ':00',
  'Z',
  '+02:00',
]
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...parts), { maxLength: 60 }).map((all) => all.join('')),
)

describe.each(Object.entries(parsers))('%s', (_, parse) => {
  test('answers any text', () => {
    fc.assert(
      fc.property(anyText, (text) => void parse(text)),
      { numRuns: 2000 },
    )
  })

  test.each(parts)('takes a time that grows with a text of many %j', (part) => {
    for (const end of ['', 'x', '"}]']) {
      const textOf = (length: number) => `${part.repeat(Math.ceil(length / part.length))}${end}`
      expect(growsFaster(parse, textOf), end).toBe(false)
    }
  })
})

test('OTLP in the wire format is hardly larger than in JSON', () => {
  const record = fc.record({
    timeUnixNano: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
    severityNumber: fc.integer({ min: 0, max: 24 }),
    body: fc.record({ stringValue: fc.string({ unit: 'grapheme' }) }),
    attributes: fc.array(fc.record({ key: fc.string(), value: fc.record({ doubleValue: fc.integer() }) })),
  })
  fc.assert(
    fc.property(fc.array(record), (logRecords) => {
      const text = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
      expect(otlp(text)?.length).toBeLessThanOrEqual(2 * Buffer.byteLength(text))
    }),
  )
})

test('intervals and granularities are numbers, or none', () => {
  fc.assert(
    fc.property(fc.nat(400), fc.constantFrom('s', 'm', 'h', 'd', 'w'), (digits, unit) => {
      const text = `${'9'.repeat(digits)}${unit}`
      expect(Number.isFinite(intervalMinutes(text) ?? 0)).toBe(true)
      expect(Number.isFinite(granularitySeconds(text, 0, 1))).toBe(true)
    }),
  )
})
