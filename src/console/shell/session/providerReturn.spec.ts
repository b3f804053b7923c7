// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { consumeProviderAnswer, extractLinkToken, hasLinkToken } from './linkToken.ts'
import { isOwnPath } from './providerReturn.ts'

test.each([
  ['/', true],
  ['/c/one/alerts?q=level:error#top', true],
  ['/suche?q=über', true],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['/\t/evil.example', false],
  ['/\n/evil.example', false],
  ['https://evil.example', false],
  ['javascript:alert(1)', false],
  ['', false],
])('%j is a path of the console: %s', (path, expected) => expect(isOwnPath(path)).toBe(expected))

test('the answer of a provider is removed from the address at once, with the journey that this tab began', () => {
  sessionStorage.setItem('provider-journey', JSON.stringify({ connects: false, next: '/people' }))
  window.history.replaceState(null, '', '/sign-in/okta?code=s3cret&state=x')
  extractLinkToken()
  expect(window.location.href).not.toContain('s3cret')
  expect(window.location.pathname).toBe('/sign-in')
  expect(hasLinkToken()).toBe(true)
  const answer = { provider: 'okta', answer: '?code=s3cret&state=x', connects: false, next: '/people' }
  expect(consumeProviderAnswer()).toEqual(answer)
  expect(consumeProviderAnswer()).toBeNull()
  expect(sessionStorage.length).toBe(0)
})

test('a journey that leads elsewhere, or none, ends at home', () => {
  for (const stored of ['{"next":"//evil.example"}', '{"next":5}', '[]', 'null', '{nonsense']) {
    sessionStorage.setItem('provider-journey', stored)
    window.history.replaceState(null, '', '/sign-in/okta?code=x')
    extractLinkToken()
    expect(consumeProviderAnswer()).toMatchObject({ next: '/', connects: false })
  }
})
