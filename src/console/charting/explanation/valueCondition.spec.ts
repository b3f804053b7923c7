import { expect, test } from 'vitest'
import { withAttribute, type AttributeFilter, type Condition } from './valueCondition.ts'

const text = (value: string) => ({ kind: 'text' as const, text: value })
const range = (from: number | null, to: number | null) => ({ kind: 'range' as const, from, to })
const method = "SpanAttributes['http.method']"

test.each<[string, Condition, AttributeFilter, string | null]>([
  [
    'a value',
    lucene('a:b'),
    { attribute: method, value: text('<b>"x"</b>'), mode: 'in' },
    String.raw`a:b AND SpanAttributes.http.method:"<b>\"x\"</b>"`,
  ],
  [
    'a value in SQL',
    sql("a = 'b'"),
    { attribute: method, value: text("it's"), mode: 'in' },
    String.raw`a = 'b' AND SpanAttributes['http.method'] IN ('it\'s')`,
  ],
  ['rows without it', lucene(''), { attribute: 'StatusMessage', value: null, mode: 'in' }, 'NOT StatusMessage:*'],
  ['a range', lucene('x'), { attribute: 'Duration', value: range(5, 9), mode: 'in' }, 'x AND Duration:[5 TO 9}'],
  [
    'all but a range',
    lucene(''),
    { attribute: 'Duration', value: range(5, null), mode: 'out' },
    'NOT Duration:[5 TO *}',
  ],
  [
    'a range in SQL',
    sql('a OR b'),
    { attribute: 'Duration', value: range(null, 1.5), mode: 'in' },
    '(a OR b) AND (Duration < 1.5)',
  ],
  [
    'all but a range in SQL',
    sql(''),
    { attribute: method, value: range(1, 2), mode: 'out' },
    `(NOT ifNull((toFloat64OrNull(${method}) >= 1 AND toFloat64OrNull(${method}) < 2), 0))`,
  ],
  [
    'a range of an attribute, which the language compares as text',
    lucene('a:b'),
    { attribute: method, value: range(1, 2), mode: 'in' },
    null,
  ],
  ['a condition that is invalid', lucene('a:('), { attribute: 'Duration', value: range(1, 2), mode: 'in' }, null],
])('%s', (_, condition, filter, expected) => {
  const added = withAttribute(condition, filter)
  expect(added?.text ?? null).toBe(expected)
  expect(added?.language ?? condition.language).toBe(condition.language)
})

test('an empty condition changes its language where it has to', () => {
  expect(withAttribute(lucene(''), { attribute: method, value: range(1, 2), mode: 'in' })?.language).toBe('sql')
})

function lucene(condition: string): Condition {
  return { text: condition, language: 'lucene' }
}
function sql(condition: string): Condition {
  return { text: condition, language: 'sql' }
}
