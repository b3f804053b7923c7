import { expect, test } from 'vitest'
import { hasLinkToken, consumeLinkToken, extractLinkToken } from './linkToken.ts'

test('the sign-in token is removed from the URL at once and returned once', () => {
  window.history.replaceState(null, '', '/c/a/alerts?q=x#token=s3cret')
  extractLinkToken()
  expect(window.location.href).not.toContain('s3cret')
  expect(window.location.pathname).toBe('/sign-in')
  expect(new URLSearchParams(window.location.search).get('next')).toBe('/c/a/alerts?q=x')
  expect(hasLinkToken()).toBe(true)
  expect(consumeLinkToken()).toBe('s3cret')
  expect(consumeLinkToken()).toBeNull()
})
