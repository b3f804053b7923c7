import { describe, expect, test } from 'vitest'
import { ByteWriter } from '../../telemetry/native/byteWriter.ts'
import { maps } from '../../telemetry/native/columns.ts'
import { Fields } from '../otlp/fields.ts'
import { wireFromJson } from '../otlp/otlpJson.ts'
import { tagsOf, WireReader } from '../otlp/wireReader.ts'
import { AttributeList } from './attributes.ts'
import { writeValue } from './values.ts'

/** A short text as it is written, with its length before it. */
const written = (text: string) => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])

test.each([
  ['{"stringValue":"plain"}', 'plain'],
  ['{"stringValue":""}', ''],
  ['{"intValue":"9223372036854775807"}', '9223372036854775807'],
  ['{"intValue":0}', '0'],
  ['{"boolValue":false}', 'false'],
  ['{"doubleValue":0.25}', '0.25'],
  ['{"doubleValue":"NaN"}', 'NaN'],
  ['{"bytesValue":"aGk="}', 'aGk='],
  ['{}', ''],
  ['{"arrayValue":{}}', '[]'],
  [
    '{"arrayValue":{"values":[{"intValue":"9007199254740993"},{"stringValue":"a\\"b"},{"boolValue":true},{}]}}',
    '[9007199254740993,"a\\"b",true,null]',
  ],
  [
    '{"kvlistValue":{"values":[{"key":"k\\"","value":{"kvlistValue":{"values":[{"key":"n","value":{"doubleValue":1.5}}]}}}]}}',
    '{"k\\"":{"n":1.5}}',
  ],
  [
    '{"kvlistValue":{"values":[{"key":"b","value":{"intValue":1}},{"key":"a","value":{"boolValue":true}},{"key":"b"}]}}',
    '{"a":true,"b":null}',
  ],
])('%s reads %s', (value, text) => {
  const wire = new WireReader(wireFromJson('AnyValue', value))
  const into = new ByteWriter()
  writeValue(into, wire, 0, wire.bytes.length)
  expect(into.written()).toEqual(written(text))
})

describe('attributes', () => {
  const entriesOf = (...entries: [key: string, value: string][]) => {
    const attributes = entries.map(([key, stringValue]) => ({ key, value: { stringValue } }))
    const wire = new WireReader(wireFromJson('LogRecord', JSON.stringify({ attributes })))
    const record = new Fields(wire)
    record.read(0, wire.bytes.length)
    const map = maps()
    new AttributeList(wire).writeRow(record, tagsOf('LogRecord').attributes, map)
    return map.streams.map((stream) => stream.written())
  }

  test('keep the last value of a repeated key', () => {
    const [ends, keys, values] = entriesOf(['a', '1'], ['b', '2'], ['a', '3'])
    expect(ends?.readUInt32LE()).toBe(2)
    expect(keys).toEqual(Buffer.concat([written('b'), written('a')]))
    expect(values).toEqual(Buffer.concat([written('2'), written('3')]))
  })

  test('keep the last value of each repeated key among many', () => {
    const entries = Array.from({ length: 200 }, (_, at): [string, string] => [`k${at % 50}`, `${at}`])
    expect(entriesOf(...entries)).toEqual(entriesOf(...entries.slice(150)))
  })

  test('can have keys that are special in JavaScript', () => {
    const [, keys] = entriesOf(['__proto__', 'p'], ['constructor', 'c'])
    expect(keys).toEqual(Buffer.concat([written('__proto__'), written('constructor')]))
  })
})
