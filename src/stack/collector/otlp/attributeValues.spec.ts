import { expect, test } from 'vitest'
import { decodeJson } from './otlpJson.ts'
import { attributeMap, valueText } from './attributeValues.ts'

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
])('%s reads %s', (value, text) => {
  expect(valueText(decodeJson('AnyValue', value))).toBe(text)
})

test('treats special keys of JavaScript like any other key', () => {
  const { attributes } = decodeJson(
    'LogRecord',
    '{"attributes":[{"key":"__proto__","value":{"stringValue":"p"}},{"key":"constructor","value":{"stringValue":"c"}}]}',
  )
  expect(JSON.stringify(attributeMap(attributes))).toBe('{"__proto__":"p","constructor":"c"}')
})
