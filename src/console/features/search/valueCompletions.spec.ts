import { expect, test } from 'vitest'
import { fieldBefore, valueCompletions } from './valueCompletions.ts'

const fields = [
  { name: 'ServiceName', kind: 'text' as const },
  { name: 'Duration', kind: 'number' as const },
]
const values = ['checkout', 'cart', 'a "b"', '(none)'].map((value) => ({ value, count: 1 }))

test.each([
  ['ServiceName:', 'ServiceName'],
  ['error AND (-ServiceName:"ch', 'ServiceName'],
  ['ServiceName:"checkout"', null],
  ['ServiceName:a b', null],
  ['Duration:', null],
  ['Nothing:', null],
])('the field before the cursor in %s', (condition, field) => {
  expect(fieldBefore(condition, fields)).toBe(field)
})

test('suggests values that begin with what is typed, quoted', () => {
  expect(valueCompletions('x ServiceName:c', values)).toEqual({ start: 14, names: ['"checkout"', '"cart"'] })
  expect(valueCompletions('ServiceName:"ca', values)).toEqual({ start: 12, names: ['"cart"'] })
  expect(valueCompletions('ServiceName:', values).names).toEqual(['"checkout"', '"cart"', '"a \\"b\\""'])
})
