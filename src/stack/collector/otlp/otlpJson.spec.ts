import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeJson } from '../../testing/otlpModel/otlpModel.ts'
import { MalformedJson } from './jsonScanner.ts'
import { LimitExceeded } from './decodeLimits.ts'
import { wireFromJson } from './otlpJson.ts'

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

  test('are exact in every notation', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat(20), fc.boolean(), (value, digits, quoted) => {
        const exact = BigInt(String(value).slice(0, digits + 1))
        expect(record(`"timeUnixNano":${quoted ? `"${exact}"` : exact}`).timeUnixNano.toString()).toBe(String(exact))
      }),
    )
  })

  test.each([
    ['intValue', '"9223372036854775807"', '9223372036854775807'],
    ['intValue', '"-9223372036854775808"', '-9223372036854775808'],
    ['intValue', '-7', '-7'],
    ['intValue', '2e3', '2000'],
  ] as const)('accept %s %s', (name, spelled, exact) => {
    expect(decodeJson('AnyValue', `{"${name}":${spelled}}`)[name].toString()).toBe(exact)
  })

  test.each(['9223372036854775808', '"-9223372036854775809"', '[1]', '0x10'])(
    'reject as a signed one %s',
    (spelled) => {
      expect(() => decodeJson('AnyValue', `{"intValue":${spelled}}`)).toThrow(MalformedJson)
    },
  )

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
  ['a long number instead of text', '{"severityText":1234567890123456789}'],
  ['a text instead of a list', '{"attributes":"a"}'],
  ['text behind the end', '{} {}'],
  ['a comma behind the last member', '{"flags":1,}'],
  ['a missing comma', '{"flags":1 "eventName":""}'],
  ['a missing value', '{"flags":}'],
  ['a line break in text', '{"severityText":"a\nb"}'],
  ['an unknown escape sequence', '{"severityText":"\\x"}'],
  ['a number that starts with 0', '{"flags":01}'],
  ['a broken value of an unknown field', '{"fromTheFuture":[tru]}'],
])('reports %s', (_, text) => {
  expect(() => decodeJson('LogRecord', text)).toThrow(MalformedJson)
})

test('rejects excessive nesting without overflowing the stack', () => {
  const text = `${'{"arrayValue":{"values":['.repeat(5000)}${']}}'.repeat(5000)}`
  expect(() => decodeJson('AnyValue', text)).toThrow(LimitExceeded)
})

test('names the field in the error', () => {
  expect(() => record('"attributes":[{"key":1}]')).toThrow('KeyValue.key must be text')
  expect(() => record('"flags":-1')).toThrow('LogRecord.flags must be an unsigned 32-bit integer')
  expect(() => record('"flags":tru')).toThrow('not JSON: unexpected text at byte 9')
})

test('accepts space between all tokens, and escape sequences in names and text', () => {
  const text = ' { "body" : { "stringValue" : "\\u00e9\\n\\"" } ,\r\n\t"severit\\u0079Text":"b" } '
  expect(decodeJson('LogRecord', text)).toMatchObject({ body: { stringValue: 'é\n"' }, severityText: 'b' })
})

test('keeps the last of two values, and joins lists', () => {
  const { severityText, attributes } = record(
    '"severityText":"a","severity_text":"b","attributes":[{"key":"a"}],"attributes":[{"key":"b"}]',
  )
  expect(severityText).toBe('b')
  expect(attributes.map(({ key }) => key)).toEqual(['a', 'b'])
})

test('accepts nothing that is not JSON', () => {
  const valid =
    '{"attributes":[{"key":"a\\n","value":{"doubleValue":-1.5e3}},{}],"traceId":null,"flags":12,"new":[true,{"a":0}]}'
  const bytes = fc.constantFrom(...Buffer.from('{}[]":,\\\0 -+.e019tnx'), 0xff)
  fc.assert(
    fc.property(fc.nat(valid.length - 1), fc.nat(2), fc.array(bytes, { maxLength: 2 }), (at, removed, added) => {
      const before = Buffer.from(valid)
      const text = Buffer.concat([before.subarray(0, at), Buffer.from(added), before.subarray(at + removed)])
      let accepted = true
      try {
        wireFromJson('LogRecord', text)
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedJson)
        accepted = false
      }
      if (accepted) JSON.parse(text.toString())
    }),
    { numRuns: 3000 },
  )
})
