// @vitest-environment happy-dom
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasLinkToken, spendLinkToken, takeLinkToken } from './session/linkToken.ts'
import { readStored } from './stored.ts'
import { parseSearch, stringifySearch } from './urlState.ts'

test('a query string keeps every text, and stays readable', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ minLength: 1 })), (values) => {
      fc.pre(!Object.keys(values).includes('__proto__'))
      expect(parseSearch(stringifySearch(values))).toEqual({ ...values })
    }),
  )
  expect(stringifySearch({ q: '5', filter: 'a.is:b,c', empty: '', none: undefined })).toBe('?q=5&filter=a.is:b,c')
})

test('the sign-in token leaves the address at once and is given out once', () => {
  window.history.replaceState(null, '', '/c/a/alerts?q=x#token=s3cret')
  takeLinkToken()
  expect(window.location.href).not.toContain('s3cret')
  expect(window.location.pathname).toBe('/sign-in')
  expect(new URLSearchParams(window.location.search).get('next')).toBe('/c/a/alerts?q=x')
  expect(hasLinkToken()).toBe(true)
  expect(spendLinkToken()).toBe('s3cret')
  expect(spendLinkToken()).toBeNull()
})

test('settings survive whatever is in the storage', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), fc.constant(null)), (text) => {
      const { singleKeys, navFolded, connectionId, recents } = readStored(text)
      expect([typeof singleKeys, typeof navFolded, typeof connectionId]).toEqual(['boolean', 'boolean', 'string'])
      expect(recents.every((id) => typeof id === 'string')).toBe(true)
    }),
  )
  expect(readStored('{"singleKeys":false,"recents":["a"]}')).toMatchObject({ singleKeys: false, recents: ['a'] })
})
