import { expect, test } from 'vitest'
import { conditionsOf } from './comparedParts.ts'

const values = { text: 'toString(Duration)', column: 'Duration', lowest: 2, from: 100, to: 250.5, label: '' }
const number = 'toFloat64OrNull(toString(Duration))'

test('a range of values is a condition in SQL, as the chart computes them', () => {
  const inside = `(${number} >= 2) AND (${number} >= 100 AND ${number} < 250.5)`
  expect(conditionsOf({ text: '', language: 'lucene' }, values)).toEqual({
    all: { text: `(${number} >= 2)`, language: 'sql' },
    inside: { text: inside, language: 'sql' },
    beside: {
      text: `(${number} >= 2) AND (NOT ifNull((${number} >= 100 AND ${number} < 250.5), 0))`,
      language: 'sql',
    },
  })
  expect(conditionsOf({ text: 'a = 1 OR b = 2', language: 'sql' }, values).all.text).toBe(
    `(a = 1 OR b = 2) AND (${number} >= 2)`,
  )
})

test('beside a condition of fields, it is one of the column', () => {
  const { inside, beside } = conditionsOf({ text: 'ServiceName:"api"', language: 'lucene' }, values)
  expect(inside.text).toBe('ServiceName:"api" AND Duration:[2 TO *} AND Duration:[100 TO 250.5}')
  expect(beside?.text).toBe('ServiceName:"api" AND Duration:[2 TO *} AND NOT Duration:[100 TO 250.5}')
  const attribute = { ...values, column: undefined, text: "toString(arrayElement(SpanAttributes, 'size'))" }
  expect(() => conditionsOf({ text: 'ServiceName:"api"', language: 'lucene' }, attribute)).toThrow(/cannot compare/)
})

test('all values leave no rows beside them', () => {
  const condition = { text: 'a', language: 'lucene' as const }
  expect(conditionsOf(condition, undefined)).toEqual({ all: condition, inside: condition, beside: null })
  const { all, inside, beside } = conditionsOf(condition, { ...values, from: null, to: null })
  expect([inside, beside]).toEqual([all, null])
})
