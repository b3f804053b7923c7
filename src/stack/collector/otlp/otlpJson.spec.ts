import { describe, expect, test } from 'vitest'
import { decodeJson } from '../../testing/otlpModel/otlpModel.ts'
import { MalformedJson } from './otlpJson.ts'
import { LimitExceeded } from './decodeLimits.ts'

const record = (fields: string) => decodeJson('LogRecord', `{${fields}}`)

describe('64-bit integers', () => {
  test.each([
    ['text', '"1700000000123456789"', '1700000000123456789'],
    ['a number beyond 2^53', '1700000000123456789', '1700000000123456789'],
    ['a small number', '42', '42'],
    ['the largest', '"18446744073709551615"', '18446744073709551615'],
  ])('are exact as %s', (_, spelled, exact) => {
    expect(record(`"timeUnixNano":${spelled}`).timeUnixNano.toString()).toBe(exact)
  })

  test('are exact as values, also negative ones', () => {
    expect(decodeJson('AnyValue', '{"intValue":-9007199254740993}').intValue.toString()).toBe('-9007199254740993')
  })

  test.each(['-1', '"18446744073709551616"', '1.5', '"1e3"', '""', 'true'])('reject %s', (spelled) => {
    expect(() => record(`"timeUnixNano":${spelled}`)).toThrow(MalformedJson)
  })
})

test('do not change a long run of digits in text', () => {
  const body = decodeJson('AnyValue', '{"stringValue":"card: 4000123412341234, [1234567890123456789]"}')
  expect(body.stringValue).toBe('card: 4000123412341234, [1234567890123456789]')
})

test('accepts hexadecimal IDs in either case', () => {
  const { traceId, spanId } = record('"traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"eee19b7ec3c1b174"')
  expect(Buffer.from(traceId).toString('hex')).toBe('5b8efff798038103d269b633813fc60c')
  expect(Buffer.from(spanId).toString('hex')).toBe('eee19b7ec3c1b174')
})

test('accepts enumerations by number or name', () => {
  expect(record('"severityNumber":17').severityNumber).toBe(17)
  expect(record('"severityNumber":"SEVERITY_NUMBER_ERROR"').severityNumber).toBe(17)
  expect(decodeJson('Span', '{"kind":"SPAN_KIND_SERVER","status":{"code":"STATUS_CODE_ERROR"}}')).toMatchObject({
    kind: 2,
    status: { code: 2 },
  })
})

test('accepts field names in snake case', () => {
  expect(record('"time_unix_nano":"5","severity_text":"WARN"')).toMatchObject({ severityText: 'WARN' })
})

test('ignores unknown fields and nulls', () => {
  expect(record('"fromTheFuture":{"a":[1]},"severityText":null,"body":null').severityText).toBe('')
})

test('accepts NaN and infinities by name', () => {
  const point = decodeJson(
    'HistogramPoint',
    '{"sum":"NaN","max":"Infinity","min":"-Infinity","explicitBounds":[1,"2.5"]}',
  )
  expect(point).toMatchObject({ sum: NaN, max: Infinity, min: -Infinity, explicitBounds: [1, 2.5] })
})

test.each([
  ['not JSON', '{'],
  ['not an object', '[]'],
  ['an object instead of a list', '{"attributes":{}}'],
  ['a base64 id', '{"traceId":"W47/95gDgQPSabYzgT/GDA=="}'],
  ['an unknown name', '{"severityNumber":"LOUD"}'],
  ['a number instead of text', '{"severityText":1}'],
])('reports %s', (_, text) => {
  expect(() => decodeJson('LogRecord', text)).toThrow(MalformedJson)
})

test('rejects excessive nesting without overflowing the stack', () => {
  const text = `${'{"arrayValue":{"values":['.repeat(5000)}${']}}'.repeat(5000)}`
  expect(() => decodeJson('AnyValue', text)).toThrow(LimitExceeded)
})
