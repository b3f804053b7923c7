/** Values of Google's common types, and what is said of those that cannot be read. */
import * as fc from 'fast-check'
import protobuf from 'protobufjs'
import { describe, expect, test } from 'vitest'
import { protobufDecoder } from './protobufDecoder.ts'

const schema = `syntax = "proto3"; package shop;
import "google/protobuf/timestamp.proto"; import "google/protobuf/duration.proto";
import "google/protobuf/wrappers.proto"; import "google/protobuf/struct.proto";
message Order {
  google.protobuf.Timestamp at = 1; google.protobuf.Duration took = 2;
  google.protobuf.Int64Value large = 3; google.protobuf.UInt64Value larger = 4; google.protobuf.StringValue note = 5;
  google.protobuf.BoolValue paid = 6; google.protobuf.DoubleValue share = 7; google.protobuf.BytesValue raw = 8;
  google.protobuf.Struct extra = 9; google.protobuf.Value any = 10; google.protobuf.ListValue list = 11;
  repeated google.protobuf.Timestamp times = 12; map<string, google.protobuf.Int64Value> counts = 13;
  int64 plain = 14; uint64 unsigned = 15; Part part = 16; repeated int64 numbers = 17;
}
message Part { string name = 1; google.protobuf.Timestamp at = 2; Part inner = 3; }`

const root = protobuf.parse(schema, { keepCase: true }).root
for (const name of ['timestamp', 'duration', 'wrappers', 'struct']) {
  root.addJSON(protobuf.common.get(`google/protobuf/${name}.proto`)?.nested ?? {})
}
const Order = root.lookupType('shop.Order')
const decode = protobufDecoder(schema)
const jsonOf = (order: object) => decode([0], Buffer.from(Order.encode(Order.fromObject(order)).finish()), 2 ** 20)
/** The text of a member, which may have more digits than JavaScript has. */
const member = (json: string, name: string) => new RegExp(`"${name}":("[^"]*"|[^,}\\]]*)`).exec(json)?.[1]

describe('a time', () => {
  test.each([
    [0, 0, '1970-01-01T00:00:00Z'],
    [1_795_000_000, 123_456_789, '2026-11-18T11:06:40.123456789Z'],
    [1_795_000_000, 1, '2026-11-18T11:06:40.000000001Z'],
    [1_795_000_000, 500_000_000, '2026-11-18T11:06:40.5Z'],
    [-1, 999_999_999, '1969-12-31T23:59:59.999999999Z'],
    [253_402_300_799, 999_999_999, '9999-12-31T23:59:59.999999999Z'],
    [-62_135_596_800, 0, '0001-01-01T00:00:00Z'],
  ])('of %d seconds and %d nanoseconds is %s', (seconds, nanos, text) => {
    expect(member(jsonOf({ at: { seconds, nanos } }), 'at')).toBe(`"${text}"`)
  })

  test('has all of its nanoseconds, whenever it is', () => {
    const time = fc.record({
      seconds: fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
      nanos: fc.integer({ min: 0, max: 999_999_999 }),
    })
    fc.assert(
      fc.property(time, ({ seconds, nanos }) => {
        const text = String(JSON.parse(jsonOf({ at: { seconds, nanos } })).at)
        const [whole = '', digits = ''] = text.slice(0, -1).split('.')
        expect(Date.parse(`${whole}Z`) / 1000).toBe(seconds)
        expect(Number(digits.padEnd(9, '0'))).toBe(nanos)
      }),
    )
  })

  test.each([
    [253_402_300_800, 0],
    [-62_135_596_801, 0],
    [0, -1],
    [0, 1_000_000_000],
  ])('of %d seconds and %d nanoseconds is none, which names the field', (seconds, nanos) => {
    expect(() => jsonOf({ at: { seconds, nanos } })).toThrow(
      `at: ${seconds} seconds and ${nanos} nanoseconds are no time`,
    )
  })

  test('that is not set is null', () => {
    expect(JSON.parse(jsonOf({}))).toMatchObject({ at: null, took: null, large: null, times: [] })
  })
})

test.each([
  [3, 0, '3'],
  [3, 5, '3.000000005'],
  [-3, -500_000_000, '-3.5'],
  [0, -1, '-0.000000001'],
  [315_576_000_000, 999_999_999, '315576000000.999999999'],
])('a duration of %d seconds and %d nanoseconds is the number %s', (seconds, nanos, digits) => {
  expect(member(jsonOf({ took: { seconds, nanos } }), 'took')).toBe(digits)
})

test.each([
  [1, -1],
  [-1, 1],
  [315_576_000_001, 0],
  [0, 1_000_000_000],
])('a duration of %d seconds and %d nanoseconds is none', (seconds, nanos) => {
  expect(() => jsonOf({ took: { seconds, nanos } })).toThrow(/^took: .* are no duration$/)
})

test('numbers of 64 bits keep their digits, in wrappers, lists and maps too', () => {
  const [least, most, unsigned] = ['-9223372036854775808', '9223372036854775807', '18446744073709551615']
  const json = jsonOf({
    plain: least,
    unsigned,
    large: { value: most },
    larger: { value: unsigned },
    counts: { a: { value: least } },
    numbers: [most, '0'],
  })
  expect([member(json, 'plain'), member(json, 'unsigned')]).toEqual([least, unsigned])
  expect([member(json, 'large'), member(json, 'larger'), member(json, 'a')]).toEqual([most, unsigned, least])
  expect(json).toContain(`"numbers":[${most},0]`)
})

test('a wrapper is its value, also when that is the default', () => {
  const empty = { large: {}, note: {}, paid: {}, share: {}, raw: {} }
  expect(JSON.parse(jsonOf(empty))).toMatchObject({ large: 0, note: '', paid: false, share: 0, raw: '' })
  const set = { note: { value: 'a' }, paid: { value: true }, share: { value: 0.25 }, raw: { value: Buffer.from('b') } }
  expect(JSON.parse(jsonOf(set))).toMatchObject({ note: 'a', paid: true, share: 0.25, raw: 'b' })
})

test('a structure is the JSON that it stands for', () => {
  const text = { stringValue: 'x' }
  const fields = {
    a: text,
    b: { numberValue: 1.5 },
    c: { boolValue: false },
    d: { nullValue: 0 },
    e: { listValue: { values: [text, {}] } },
    f: { structValue: { fields: { g: text } } },
  }
  expect(JSON.parse(jsonOf({ extra: { fields }, any: text, list: { values: [text] } }))).toMatchObject({
    extra: { a: 'x', b: 1.5, c: false, d: null, e: ['x', null], f: { g: 'x' } },
    any: 'x',
    list: ['x'],
  })
  expect(JSON.parse(jsonOf({ extra: {}, list: {} }))).toMatchObject({ extra: {}, list: [] })
})

describe('what is wrong names the field', () => {
  const part = (...bytes: number[]) => [0x82, 0x01, bytes.length, ...bytes]
  test.each([
    ['a text that is cut off in a part', part(0x0a, 9, 0x61), 'part.name: it ends too early'],
    ['bytes that are no text', part(0x0a, 2, 0xff, 0xfe), /^part\.name: .*utf-8/],
    ['a part of a part', part(0x1a, 3, 0x0a, 9, 0x61), 'part.inner.name: it ends too early'],
    ['a part that is longer than the value', [0x82, 0x01, 50, 0x0a, 1, 0x61], 'part: it ends too early'],
    ['a number that was sent as a text', [0x72, 1, 0x61], 'plain: it was sent as another type than the schema has'],
    ['a text that was sent as a number', part(0x08, 1), 'part.name: it was sent as another type than the schema has'],
    ['a time that is none', part(0x12, 2, 0x10, 0x7f, 0x12, 11, 0x10, ...Array<number>(9).fill(0xff), 1), 'part.at: '],
  ])('%s', (_what, bytes, reason) => {
    expect(() => decode([0], Buffer.from(bytes), 1000)).toThrow(reason)
  })

  test('unless it is in no field', () => {
    expect(() => decode([0], Buffer.from([0xff, 0x0f]), 1000)).toThrow(
      'the value cannot be decoded: invalid wire type 7',
    )
  })

  test('fields that the schema does not have are left out', () => {
    expect(JSON.parse(decode([0], Buffer.from([0xf8, 0x0f, 1, 0x70, 7]), 1000))).toMatchObject({ plain: 7 })
  })
})

describe('what is wrong with a schema is said by the lines of its own text', () => {
  const wrong = 'syntax = "proto3";\n// a comment\nmessage A {\n  string a == 1;\n}'

  test('of the schema', () => {
    expect(() => protobufDecoder(wrong)).toThrow(/^the schema is not valid: illegal .*\(line 4\)$/)
    const imports = `import "google/protobuf/timestamp.proto"; import "b.proto";`
    const references = [{ name: 'b.proto', schema: 'syntax = "proto3";\n\n\nmessage B { string b = 1; }' }]
    expect(() => protobufDecoder(wrong.replace('// a comment', imports), references)).toThrow('(line 4)')
  })

  test('of a file that it imports, with its name', () => {
    const references = [{ name: 'b.proto', schema: wrong }]
    const schema = 'syntax = "proto3"; import "b.proto"; message C { A a = 1; }'
    expect(() => protobufDecoder(schema, references)).toThrow(/^the schema is not valid: in b\.proto: .*\(line 4\)$/)
  })

  test('and a type that is missing is named with what needs it', () => {
    const schema = 'syntax = "proto3"; message A { Missing a = 1; }'
    expect(() => protobufDecoder(schema)).toThrow(/Missing.*\.A/)
  })
})
