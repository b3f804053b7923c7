import { expect, test } from 'vitest'
import { basePathSetting, hasSinglePath, underBasePath, withoutBasePath } from './basePath.ts'

test.each(['/console', '/tools/console', '/a.b-c_d~1'])('%s is a base path', (path) => {
  expect(basePathSetting.parse(path)).toBe(path)
})

test('without the setting there is none', () => expect(basePathSetting.parse(undefined)).toBe(''))

test.each([
  'console',
  '/',
  '/console/',
  '//console',
  '/a//b',
  '/a?b',
  '/a#b',
  '/..',
  '/a/../b',
  '/a/./b',
  '/a%20b',
  '/a b',
  '/$&',
])('%s is no base path', (path) => expect(basePathSetting.safeParse(path).success).toBe(false))

test.each([
  ['/console', '/'],
  ['/console/', '/'],
  ['/console?a=/b', '/?a=/b'],
  ['/console/c/x?y=1', '/c/x?y=1'],
  ['/console//x', '//x'],
  ['/console/console', '/console'],
  ['/consoles', null],
  ['/', null],
  ['/api/session', null],
  ['/Console/api', null],
])('%s is %s in the console', (url, expected) => expect(withoutBasePath(url, '/console')).toBe(expected))

test('every URL is its own without a base path', () => {
  for (const url of ['/', '/?a', '/c/x', '*']) expect(withoutBasePath(url, '')).toBe(url === '*' ? null : url)
})

test('a public URL has no path or the base path', () => {
  const at = (PUBLIC_URL: string | undefined, BASE_PATH = '/console') => hasSinglePath({ PUBLIC_URL, BASE_PATH })
  expect(
    [undefined, 'https://a.example', 'https://a.example/', 'https://a.example/console/'].map((url) => at(url)),
  ).toEqual([true, true, true, true])
  expect([at('https://a.example/other'), at('https://a.example/other', '')]).toEqual([false, true])
  expect(underBasePath('https://a.example/console/', '/console')).toBe('https://a.example/console')
  expect(underBasePath('https://a.example/', '')).toBe('https://a.example/')
})
