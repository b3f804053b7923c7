import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './urlState.ts'

test('a query string keeps any text, and stays readable', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ minLength: 1 })), (values) => {
      fc.pre(!Object.keys(values).includes('__proto__'))
      expect(parseSearch(stringifySearch(values))).toEqual({ ...values })
    }),
  )
  expect(stringifySearch({ q: '5', filter: 'a.is:b,c', empty: '', none: undefined })).toBe('?q=5&filter=a.is:b,c')
})
