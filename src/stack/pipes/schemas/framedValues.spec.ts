/** Values with the number of their schema, from a registry that this test serves over HTTP. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import protobuf from 'protobufjs'
import { Type, type Schema } from 'avsc'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHostCheck } from '../../net/reachableHosts.ts'
import { framedValues, schemaOf } from './framedValues.ts'
import { schemaRegistry } from './schemaRegistry.ts'

const recordOf = (fields: { name: string; type: string }[]): Schema => ({ type: 'record', name: 'E', fields })
const first = recordOf([{ name: 'id', type: 'int' }])
const second = recordOf([
  { name: 'id', type: 'int' },
  { name: 'text', type: 'string' },
])
const proto = `syntax = "proto3"; package shop; import "google/protobuf/timestamp.proto";
  message Other { int32 x = 1; }
  message Event { uint64 id = 1; string text = 2; repeated int32 marks = 3; bytes raw = 4; message Part { string name = 1; } }`
const schemas: Record<string, object> = {
  '/schemas/ids/1': { schema: JSON.stringify(first) },
  '/schemas/ids/2': { schema: JSON.stringify(second) },
  '/schemas/ids/3': { schemaType: 'PROTOBUF', schema: proto },
  '/schemas/ids/4': { schema: '{"type":"nonsense"}' },
  '/schemas/ids/5': { schema: `"${'x'.repeat(2_000_000)}"` },
  '/schemas/ids/7': {
    schemaType: 'PROTOBUF',
    schema: `syntax = "proto3"; package shop; import "shop/money.proto";
      message Order { uint64 id = 1; Money total = 2; map<string, bytes> tokens = 3; }`,
    references: [{ name: 'shop/money.proto', subject: 'shop/money.proto', version: 2 }],
  },
  '/subjects/shop%2Fmoney.proto/versions/2': {
    schemaType: 'PROTOBUF',
    schema: `syntax = "proto3"; package shop; import "currency.proto"; import "google/protobuf/wrappers.proto";
      message Money { int64 units = 1; Currency currency = 2; google.protobuf.StringValue note = 3; }`,
    references: [{ name: 'currency.proto', subject: 'currency', version: 1 }],
  },
  '/subjects/currency/versions/1': { schemaType: 'PROTOBUF', schema: 'enum Currency { NONE = 0; EUR = 1; }' },
  '/schemas/ids/8': {
    schema: '{"type":"record","name":"Sale","namespace":"shop","fields":[{"name":"by","type":"shop.Person"}]}',
    references: [{ name: 'shop.Person', subject: 'shop.Person', version: 1 }],
  },
  '/subjects/shop.Person/versions/1': {
    schema: '{"type":"record","name":"Person","namespace":"shop","fields":[{"name":"name","type":"string"}]}',
  },
  '/schemas/ids/11': {
    schemaType: 'PROTOBUF',
    schema: `syntax = "proto3"; message Whole { string name = 1; repeated Part parts = 2; }
      message Part { ${Array.from({ length: 20 }, (_, at) => `string a_long_name_${at} = ${at + 1};`).join(' ')} }`,
  },
  '/schemas/ids/10': {
    schema: '"shop.Lost"',
    references: [{ name: 'shop.Lost', subject: 'shop.Lost', version: 1 }],
  },
}
let server: Server
let url: string
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.headers.authorization !== `Basic ${Buffer.from('u:p').toString('base64')}`)
      return void response.writeHead(401).end()
    if (request.url === '/schemas/ids/6')
      return void response.writeHead(302, { location: `${url}/schemas/ids/1` }).end()
    const schema = schemas[request.url ?? '']
    response.writeHead(schema ? 200 : 404).end(JSON.stringify(schema ?? { error_code: 40403 }))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

function open(allowed = ['127.0.0.1'], credentials = { username: 'u', password: 'p' }) {
  const hosts = createHostCheck({ allowed, own: [] }, async () => [])
  const values = framedValues(schemaRegistry({ url, credentials }, hosts))
  return {
    prepare: (all: readonly Buffer[]) => values.prepare(all.map((value) => schemaOf(value, 0, value.length) ?? -1)),
    toJson: (value: Buffer, maxLength = 2 ** 20) => values.toJson(value, maxLength),
  }
}
const framed = (id: number, body: Uint8Array) => Buffer.concat([Buffer.from([0, 0, 0, 0, id]), body])

test('each value has the schema that it was written with', async () => {
  const values = open()
  const [old, now] = [
    framed(1, Type.forSchema(first).toBuffer({ id: 7 })),
    framed(2, Type.forSchema(second).toBuffer({ id: 8, text: 'é' })),
  ]
  await values.prepare([old, now])
  expect(values.toJson(old)).toBe('{"id":7}')
  expect(Buffer.from(values.toJson(now), 'latin1').toString()).toBe('{"id":8,"text":"é"}')
})

test('Protobuf values say which message of the file they are', async () => {
  const values = open()
  const event = protobuf.parse(proto.replace(/import[^;]*;/, ''), { keepCase: true }).root.lookupType('shop.Event')
  const body = event.encode({ id: 2 ** 40, text: 'é', marks: [1, 2], raw: Buffer.from('raw') }).finish()
  const value = framed(3, Buffer.concat([Buffer.from([2, 2]), body]))
  const part = framed(3, Buffer.concat([Buffer.from([4, 2, 0, 0x0a, 1]), Buffer.from('p')]))
  await values.prepare([value, part])
  expect(JSON.parse(Buffer.from(values.toJson(value), 'latin1').toString())).toEqual({
    id: 2 ** 40,
    text: 'é',
    marks: [1, 2],
    raw: 'raw',
  })
  expect(values.toJson(part)).toBe('{"name":"p"}')
  expect(() => values.toJson(framed(3, Buffer.from([2, 40])))).toThrow('no such message')
  expect(() => values.toJson(framed(3, Buffer.from([0, 0x08])))).toThrow('x: it ends too early')
})

test('a Protobuf value is not larger as JSON than allowed', async () => {
  const values = open()
  // Each part of two bytes has all names of its message.
  const parts = Array.from({ length: 1000 }, () => [0x12, 0]).flat()
  const value = framed(11, Buffer.from([0, ...parts]))
  await values.prepare([value])
  expect(() => values.toJson(value, 100_000)).toThrow('too large as JSON')
  expect(JSON.parse(values.toJson(value)).parts).toHaveLength(1000)
})

test('a schema may refer to others, and these to further ones', async () => {
  const values = open()
  const order = [0, 0x08, 1, 0x12, 4, 0x08, 5, 0x10, 1, 0x1a, 8, 0x0a, 2, 0xc3, 0xa9, 0x12, 2, 0xff, 0xfe]
  const [written, sale] = [framed(7, Buffer.from(order)), framed(8, Buffer.from([4, 0x61, 0x62]))]
  await values.prepare([written, sale])
  expect(values.toJson(sale)).toBe('{"by":{"name":"ab"}}')
  const json = Buffer.from(values.toJson(written), 'latin1')
  // Bytes that are no text reach the engine as they are.
  const tokens = Buffer.concat([Buffer.from('"tokens":{"é":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
  expect(json.includes(tokens)).toBe(true)
  expect(JSON.parse(json.toString())).toMatchObject({ id: 1, total: { units: 5, currency: 'EUR', note: null } })
})

test.each([
  [4, 'the schema has no type nonsense'],
  [10, 'the schema has no type shop.Lost'],
  [9, 'the schema registry has no schema 9'],
])('the values of schema %i are bad: %s', async (id, reason) => {
  const values = open()
  await values.prepare([framed(id, Buffer.from([2]))])
  expect(() => values.toJson(framed(id, Buffer.from([2])))).toThrow(reason)
})

test.each([
  ['a redirect', 6, open, 'answered 302'],
  ['a schema of megabytes', 5, open, 'larger than'],
  ['a private address', 1, () => open([]), 'private or reserved address'],
  ['a wrong password', 1, () => open(undefined, { username: 'u', password: 'x' }), 'answered 401'],
])('%s is refused', async (_, id, of, reason) => {
  await expect(of().prepare([framed(id, Buffer.from([2]))])).rejects.toThrow(reason)
})
