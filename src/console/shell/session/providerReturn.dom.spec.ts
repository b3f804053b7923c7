import * as fc from 'fast-check'
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
  ['/.//evil.example', false],
  ['/%2E//evil.example', false],
  ['/c/..//evil.example', false],
  ['/./\\evil.example', false],
  ['/c\\..\\\\evil.example', false],
  ['///evil.example', false],
  ['/\u00a0/evil.example', false],
  ['/\u2028/evil.example', false],
  ['/%2f%2fevil.example', true],
  ['/%5cevil.example', true],
  ['/%09/evil.example', true],
  ['/@evil.example', true],
  ['/c/one?next=//evil.example', true],
  ['https://evil.example', false],
  ['http://localhost:3000@evil.example/', false],
  ['http://localhost:3000/', false],
  ['javascript:alert(1)', false],
  ['', false],
])('%j is a path of the console: %s', (path, expected) => expect(isOwnPath(path)).toBe(expected))

test('a path of the console leads to no other host, also once a browser has resolved it', () => {
  const piece = fc.constantFrom(
    '/',
    '//',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
    'c',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = `/${pieces.join('')}`
      fc.pre(isOwnPath(path))
      const { pathname, search, hash } = new URL(path, window.location.origin)
      expect(new URL(pathname + search + hash, window.location.origin).origin).toBe(window.location.origin)
    }),
    { numRuns: 2_000 },
  )
})

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
