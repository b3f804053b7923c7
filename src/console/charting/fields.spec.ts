import { expect, test } from 'vitest'
import { completedField, fieldsFor, groupFields, withAttributes, type Field } from './fields.ts'

const fields: Field[] = [
  { name: 'LogAttributes', kind: 'map' },
  { name: 'SeverityNumber', kind: 'number' },
  { name: 'Body', kind: 'text' },
  { name: 'ResourceAttributes', kind: 'map' },
]

test('how an attribute is written is suggested last, and not at all where attributes are known', () => {
  expect(fieldsFor('avg', fields)).toEqual(['SeverityNumber', 'Body', "LogAttributes['']", "ResourceAttributes['']"])
  expect(groupFields(fields)).toEqual(['Body', "LogAttributes['']", "ResourceAttributes['']"])
  const known = withAttributes(fields, [{ column: 'LogAttributes', names: ['http.method'] }])
  expect(groupFields(known)).toEqual(['Body', "LogAttributes['http.method']", "ResourceAttributes['']"])
})

test.each([
  ['Serv', 'ServiceName'],
  ['serviceName', 'ServiceName'],
  ['SeverityText', 'SeverityText'],
  // A text that no field begins with is an expression, or a column that is not known here.
  ['Region', 'Region'],
  ['lower(ServiceName)', 'lower(ServiceName)'],
  ['LogAttr', 'LogAttr'],
])('a typed group %s is %s', (typed, name) =>
  expect(completedField(typed, ['SeverityText', 'ServiceName', "LogAttributes['order.id']"])).toBe(name),
)
