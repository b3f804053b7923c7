/** Avro values, encoded by another implementation, and values that nobody should write. */
import { Type } from 'avsc'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { avroDecoder as compile } from './avroDecoder.ts'

const avroDecoder = (schema: string, maxLength = 2 ** 20) => {
  const decode = compile(schema)
  return (value: Buffer) => decode(value, maxLength)
}

const schema = {
  type: 'record',
  name: 'Order',
  namespace: 'shop',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'amount', type: 'double' },
    { name: 'paid', type: 'boolean' },
    { name: 'note', type: ['null', 'string'] },
    { name: 'state', type: { type: 'enum', name: 'State', symbols: ['OPEN', 'DONE'] } },
    { name: 'tags', type: { type: 'array', items: 'string' } },
    { name: 'counts', type: { type: 'map', values: 'int' } },
    { name: 'parent', type: ['null', 'Order'] },
    { name: 'before', type: ['null', 'shop.State'] },
  ],
} as const

const text = fc.string({ unit: 'binary' })
const order = fc.letrec((tie) => ({
  order: fc.record({
    id: fc.integer({ min: -(2 ** 52), max: 2 ** 52 }),
    amount: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    paid: fc.boolean(),
    note: fc.option(text),
    state: fc.constantFrom('OPEN', 'DONE'),
    tags: fc.array(text),
    counts: fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
      fc.integer(),
    ),
    parent: fc.option(tie('order'), { maxDepth: 3 }),
    before: fc.constantFrom(null, 'OPEN'),
  }),
})).order

const read = (decode: (value: Buffer) => string, value: Buffer): unknown =>
  JSON.parse(Buffer.from(decode(value), 'latin1').toString())

test('values are those that were encoded', () => {
  const type = Type.forSchema(structuredClone(schema) as unknown as Parameters<typeof Type.forSchema>[0], {
    wrapUnions: false,
  })
  const decode = avroDecoder(JSON.stringify(schema))
  fc.assert(
    fc.property(order, (value) => {
      expect(read(decode, type.toBuffer(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { numRuns: 200 },
  )
})

test('changed bytes give an error or another value, and never much work', () => {
  const type = Type.forSchema(structuredClone(schema) as unknown as Parameters<typeof Type.forSchema>[0], {
    wrapUnions: false,
  })
  const decode = avroDecoder(JSON.stringify(schema))
  fc.assert(
    fc.property(order, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 12 }), (value, at, change) => {
      const bytes = type.toBuffer(value)
      bytes.set(change.subarray(0, bytes.length - (at % bytes.length)), at % bytes.length)
      try {
        expect(decode(bytes).length).toBeLessThan(100 * (bytes.length + 10))
      } catch (error) {
        expect((error as Error).name).toBe('AvroProblem')
      }
    }),
    { numRuns: 500 },
  )
})

const record = (type: unknown) => JSON.stringify({ type: 'record', name: 'R', fields: [{ name: 'a', type }] })
const one = (type: unknown, bytes: number[]) =>
  (read(avroDecoder(record(type)), Buffer.from(bytes)) as { a: unknown }).a

test('large numbers, times and decimals keep their digits', () => {
  expect(avroDecoder(record('long'))(Type.forSchema('long').toBuffer(2 ** 52))).toBe('{"a":4503599627370496}')
  // The smallest and the largest number of 64 bits.
  expect(avroDecoder(record('long'))(Buffer.from('ffffffffffffffffff01', 'hex'))).toBe('{"a":-9223372036854775808}')
  expect(avroDecoder(record('long'))(Buffer.from('feffffffffffffffff01', 'hex'))).toBe('{"a":9223372036854775807}')
  expect(one({ type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 }, [4, 0xff, 0x85])).toBe('-1.23')
  expect(one({ type: 'int', logicalType: 'date' }, [2])).toBe('1970-01-02')
  expect(one({ type: 'long', logicalType: 'timestamp-micros' }, [1])).toBe('1969-12-31 23:59:59.999999')
})

test.each([
  ['a list of nothing', { type: 'array', items: 'null' }, [0x80, 0x80, 0x80, 0x80, 0x20, 0]],
  ['a text that is longer than the value', 'string', [0xfe, 0xff, 0xff, 0xff, 0x0f, 65]],
  ['a branch that does not exist', ['null', 'string'], [8]],
  ['bytes that are left over', 'int', [2, 2]],
])('%s is refused', (_, type, bytes) => {
  expect(() => one(type, bytes)).toThrow(expect.objectContaining({ name: 'AvroProblem' }))
})

test('schemas are limited', () => {
  let deep: unknown = 'string'
  for (let level = 0; level < 1000; level++) deep = { type: 'array', items: deep }
  expect(() => avroDecoder(record(deep))).toThrow('nested too deeply')
  expect(() => avroDecoder(record('unknown'))).toThrow('has no type unknown')
  // A type that contains itself needs a value for each level.
  const endless = avroDecoder('{"type":"record","name":"R","fields":[{"name":"a","type":"R"}]}')
  expect(() => endless(Buffer.alloc(10))).toThrow('nested too deeply')
})

test('a value is not larger as JSON than allowed, whatever its schema is', () => {
  const symbol = 'S'.repeat(10_000)
  const symbols = { type: 'array', items: { type: 'enum', name: 'E', symbols: [symbol] } }
  const many = Type.forSchema({ type: 'array', items: 'long' }).toBuffer(Array.from({ length: 1000 }, () => 0))
  const schema = { type: 'record', name: 'R', fields: [{ name: 'a', type: symbols }] }
  expect(() => avroDecoder(JSON.stringify(schema), 2 ** 20)(many)).toThrow('too large as JSON')
  // Each level has twice the fields of the one inside, and none of them has a byte.
  const nested = Array.from({ length: 40 }).reduce<object>(
    (inner, _, at) => ({
      type: 'record',
      name: `L${at}`,
      fields: [
        { name: 'a', type: inner },
        { name: 'b', type: at === 0 ? 'null' : `L${at - 1}` },
      ],
    }),
    { type: 'record', name: 'Empty', fields: [] },
  )
  expect(() => avroDecoder(JSON.stringify(nested), 2 ** 20)(Buffer.alloc(0))).toThrow('too large as JSON')
})
