/** Values of a schema that a pipe has: as a text, and as a set of descriptors. */
import protobuf from 'protobufjs'
import descriptor from 'protobufjs/ext/descriptor.js'
import { expect, test } from 'vitest'
import { plainProtobuf } from './plainProtobuf.ts'

const item = 'syntax = "proto3"; package shop; message Item { string sku_code = 1; int64 price = 2; }'
const order = `syntax = "proto3"; package shop; import "google/protobuf/timestamp.proto";
  message Order {
    int64 id = 1; repeated Item items = 2; map<string, int32> counts = 3; Kind kind = 4;
    google.protobuf.Timestamp placed_at = 5; oneof how { string card = 6; int32 voucher = 7; } optional string note = 8;
  }
  enum Kind { UNKNOWN = 0; RETAIL = 1; }
  message Other {}`

/** The set that protoc writes: a file each, those that are imported first. */
function descriptorSet(names: readonly string[]): Buffer {
  const root = new protobuf.Root()
  protobuf.parse(item, root, { keepCase: true })
  protobuf.parse(order, root, { keepCase: true })
  root.addJSON(protobuf.common.get('google/protobuf/timestamp.proto')?.nested ?? {})
  root.resolveAll()
  const all = new Map(root.toDescriptor('proto3').file?.map((file) => [file.package ?? '', file]))
  const [shop, google] = [all.get('shop'), all.get('google.protobuf')]
  if (!shop || !google) throw new Error('the packages are missing')
  const isOrder = (name: string | null | undefined) => name !== 'Item'
  const files: Record<string, descriptor.IFileDescriptorProto> = {
    'google/protobuf/timestamp.proto': { ...google, name: 'google/protobuf/timestamp.proto' },
    'item.proto': {
      ...shop,
      name: 'item.proto',
      enumType: [],
      messageType: shop.messageType?.filter(({ name }) => !isOrder(name)),
    },
    'order.proto': {
      ...shop,
      name: 'order.proto',
      messageType: shop.messageType?.filter(({ name }) => isOrder(name)),
    },
  }
  const file = names.flatMap((name) => files[name] ?? [])
  return Buffer.from(descriptor.FileDescriptorSet.encode({ file }).finish())
}

const value = () => {
  const root = new protobuf.Root()
  protobuf.parse(item, root, { keepCase: true })
  protobuf.parse(order, root, { keepCase: true })
  root.addJSON(protobuf.common.get('google/protobuf/timestamp.proto')?.nested ?? {})
  const type = root.lookupType('shop.Order')
  const message = {
    id: 7,
    items: [{ sku_code: 'grün', price: 5 }],
    counts: { a: 1 },
    kind: 1,
    placed_at: { seconds: 0 },
    card: 'c',
  }
  return Buffer.from(type.encode(type.fromObject(message)).finish())
}

const expected = {
  id: 7,
  items: [{ sku_code: 'grün', price: 5 }],
  counts: { a: 1 },
  kind: 'RETAIL',
  placed_at: '1970-01-01T00:00:00Z',
  card: 'c',
}
const shown = (json: string): unknown => JSON.parse(Buffer.from(json, 'latin1').toString())
const complete = ['google/protobuf/timestamp.proto', 'item.proto', 'order.proto']

test.each([
  ['of all files', complete],
  ['without the common types of Google', complete.slice(1)],
])('a set of descriptors %s is a schema, whose values are the first message of its last file', (_, names) => {
  const { toJson } = plainProtobuf(descriptorSet(names))
  expect(shown(toJson(value(), 10_000))).toMatchObject(expected)
})

test('a set that lacks a file that it imports, and what is no schema, say so', () => {
  expect(() => plainProtobuf(descriptorSet(['order.proto']))).toThrow(
    /^the schema is not valid: no such .*'Item'.*--include_imports of protoc$/,
  )
  expect(() => plainProtobuf(Buffer.from([0x0a, 0x02, 0x08, 0x01]))).toThrow('the schema is not valid')
})

test('a text may begin with an empty line, as a set begins', () => {
  const { toJson } = plainProtobuf(Buffer.from(`\n${item}`))
  expect(toJson(Buffer.from([0x10, 0x05]), 1000)).toBe('{"sku_code":"","price":5}')
})
